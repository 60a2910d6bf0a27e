import { WebhookDispatcher } from '#domain/webhooks/index.js';
import { answering, Receiver } from '../domain/webhooks/support/receiver.js';
import type { Parsed } from '../support/http-client.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const SECRET = /whsec_[A-Za-z0-9+/=]+/;

let service: Service;
let admin: Visitor;
let company: Company;
let receiver: Receiver;

beforeAll(async () => {
  service = await Service.start({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  receiver = await Receiver.start();
  company = await service.company();
});
afterEach(async () => {
  for (const { webhook_id } of await stored())
    demand(200, await service.operator('delete', `${path()}/${webhook_id}`));
  await deliver();
  await receiver.close();
});

const path = () => `/companies/${company.id}/webhooks`;
const pages = () => `/dashboard/companies/${company.id}`;
const stored = async (): Promise<Parsed[]> => demand(200, await service.operator('get', path())).webhooks;

/** Makes and sends everything that is due. */
async function deliver(): Promise<void> {
  const dispatcher = service.part(WebhookDispatcher);
  await dispatcher.runRound();
  await dispatcher.waitUntilIdle();
}

/** Adds a webhook by its form. The page in front is then its own. */
async function add(fields: Record<string, string | string[]> = {}): Promise<void> {
  await admin.visit(`${pages()}/webhooks/new`);
  await admin.submit('webhook', { url: receiver.url, description: 'Access to doors', ...fields });
  expect(admin.shown.status).toBe(201);
}

async function showWebhook(): Promise<void> {
  await admin.visit(`${pages()}/webhooks/${(await stored())[0]!.webhook_id}`);
}

describe('the list of webhooks', () => {
  it('says when each last sent a message', async () => {
    await add();
    await admin.visit(`${pages()}/api-tokens`);
    expect(admin.text).toContain('none yet');
    const [{ webhook_id }] = (await stored()) as [Parsed];
    demand(202, await service.operator('post', `${path()}/${webhook_id}/test`));
    await deliver();
    await admin.visit(`${pages()}/api-tokens`);
    expect(admin.text).not.toContain('none yet');
    expect(admin.text).toMatch(/On (Today|[A-Z][a-z]{2} \d)/);
  });
});

describe('adding a webhook by its page', () => {
  it('shows the secret once', async () => {
    await add();
    expect(admin.text).toMatch(SECRET);
    await showWebhook();
    expect(admin.text).toContain('Access to doors');
    expect(admin.html).not.toMatch(SECRET);
  });

  it('adds one webhook, however often the form is sent, and shows the same secret', async () => {
    await admin.visit(`${pages()}/webhooks/new`);
    const { action, values } = admin.form('webhook');
    const secrets = [];
    for (let times = 0; times < 2; times += 1) {
      await admin.post(action, { ...values, url: receiver.url });
      secrets.push(SECRET.exec(admin.text)?.[0]);
    }
    expect(secrets[0]).toBe(secrets[1]);
    expect(await stored()).toHaveLength(1);
  });

  describe('when the form is sent again', () => {
    let sendAgain: () => Promise<unknown>;
    beforeEach(async () => {
      await admin.visit(`${pages()}/webhooks/new`);
      const { action, values } = admin.form('webhook');
      sendAgain = () => admin.post(action, { ...values, url: receiver.url });
      await sendAgain();
    });

    it('does not show a secret that another command made', async () => {
      const [{ webhook_id }] = (await stored()) as [Parsed];
      demand(201, await service.operator('post', `${path()}/${webhook_id}/secret`));
      await sendAgain();
      expect(admin.html).not.toMatch(SECRET);
      expect(admin.text).toContain('was replaced since');
    });

    it('does not bring back a webhook that was removed', async () => {
      const [{ webhook_id }] = (await stored()) as [Parsed];
      demand(200, await service.operator('delete', `${path()}/${webhook_id}`));
      await sendAgain();
      expect(await stored()).toEqual([]);
      expect(admin.html).not.toMatch(SECRET);
    });
  });

  it('takes changes of access unless something else is chosen', async () => {
    await add();
    expect(await stored()).toMatchObject([{ types: ['AccessChanged'] }]);
  });

  it('takes all events if they are chosen, whatever is ticked below', async () => {
    await add({ which: 'all', types: ['', 'TenantMovedIn'] });
    expect(await stored()).toMatchObject([{ types: null }]);
  });

  it('takes selected events', async () => {
    await add({ which: 'selected', types: ['', 'TenantMovedIn', 'TenantMovedOut'] });
    expect(await stored()).toMatchObject([{ types: ['TenantMovedIn', 'TenantMovedOut'] }]);
  });

  it.each([
    ['an address without https', { url: 'http://example.com/' }, '“Address” must be an https URL'],
    ['no events', { which: 'selected', types: [''] }, '“Selected events”'],
  ])('refuses %s at its field, and keeps what was typed', async (_name, fields, fault) => {
    await admin.visit(`${pages()}/webhooks/new`);
    await admin.submit('webhook', { url: receiver.url, description: 'Access to doors', ...fields });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain(fault);
    expect(admin.form('webhook').values['description']).toBe('Access to doors');
    expect(await stored()).toEqual([]);
  });

  it('is not offered beyond the tenth', async () => {
    for (let count = 0; count < 10; count += 1)
      demand(201, await service.operator('post', path(), { url: receiver.url }));
    await admin.visit(`${pages()}/api-tokens`);
    expect(admin.text).toContain('at most 10');
    expect(admin.links).not.toContain(`${pages()}/webhooks/new`);
  });
});

describe('the page of a webhook', () => {
  it('is listed on the API page of its company, with its state', async () => {
    await add();
    await admin.visit(`${pages()}/api-tokens`);
    const [{ webhook_id }] = (await stored()) as [Parsed];
    expect(admin.links).toContain(`${pages()}/webhooks/${webhook_id}`);
    expect(admin.text).toMatch(/127\.0\.0\.1:\d+\/hooks Access to doors Access changed On/);
  });

  it('sends a test, and shows the status and the answer', async () => {
    receiver.reply = answering(200, 'Thanks.');
    await add();
    await showWebhook();
    await admin.submit('test');
    expect(admin.text).toContain('The test message is sent now.');
    await deliver();
    await showWebhook();
    expect(admin.text).toMatch(/Webhook test Received: 200 Thanks\. 1 try/);
  });

  it('sends a message again', async () => {
    await add({ which: 'selected', types: ['', 'TenantMovedIn'] });
    demand(201, await company.moveIn('A-1'));
    await deliver();
    await showWebhook();
    const resend = admin.forms.find((name) => name.startsWith('resend-'))!;
    await admin.submit(resend);
    expect(admin.text).toContain('The message is sent again now.');
    await deliver();
    expect(receiver.types).toEqual(['TenantMovedIn', 'TenantMovedIn']);
  });

  it('shows deliveries of one state', async () => {
    await add();
    await showWebhook();
    await admin.submit('test');
    await deliver();
    await admin.visit(`${admin.shown.path.split('?')[0]}?state=failed`);
    expect(admin.text).toContain('None of this state');
  });

  it('exports its deliveries', async () => {
    receiver.reply = answering(500, '=1+1');
    await add();
    await showWebhook();
    await admin.submit('test');
    await deliver();
    const [{ webhook_id }] = (await stored()) as [Parsed];
    await admin.visit(`${pages()}/webhooks/${webhook_id}/deliveries.csv`);
    expect(admin.html).toContain("WebhookTest,pending,'=1+1");
  });

  it('changes the settings', async () => {
    await add({ which: 'selected', types: ['', 'TenantMovedIn'] });
    await showWebhook();
    await admin.submit('webhook', { url: `${receiver.url}/other`, description: '', which: 'all' });
    expect(admin.text).toContain('The webhook is saved.');
    expect(await stored()).toMatchObject([{ url: `${receiver.url}/other`, types: null, description: null }]);
  });

  it('keeps selected events when something else is changed', async () => {
    await add({ which: 'selected', types: ['', 'TenantMovedIn'] });
    await showWebhook();
    await admin.submit('webhook', { description: 'Doors' });
    expect(await stored()).toMatchObject([{ types: ['TenantMovedIn'], description: 'Doors' }]);
  });

  it('switches it off and on', async () => {
    await add();
    await showWebhook();
    await admin.submit('enabled');
    expect(await stored()).toMatchObject([{ enabled: false }]);
    expect(admin.forms).not.toContain('test');
    await admin.submit('enabled');
    expect(await stored()).toMatchObject([{ enabled: true }]);
  });

  it('makes a new secret, shows it once, and says until when both sign', async () => {
    await add();
    const first = SECRET.exec(admin.text)![0];
    await showWebhook();
    await admin.submit('secret');
    const second = SECRET.exec(admin.text)![0];
    expect(second).not.toBe(first);
    await showWebhook();
    expect(admin.text).toContain('signatures of the new and the former one until');
    expect(admin.html).not.toMatch(SECRET);
  });

  it('deletes it', async () => {
    await add();
    await showWebhook();
    await admin.submit('delete');
    expect(admin.text).toContain('The webhook is deleted.');
    expect(await stored()).toEqual([]);
  });

  it('of another company does not exist', async () => {
    await add();
    const [{ webhook_id }] = (await stored()) as [Parsed];
    const other = await service.company();
    await admin.visit(`/dashboard/companies/${other.id}/webhooks/${webhook_id}`);
    expect(admin.shown.status).toBe(404);
  });

  it.each(['manager', 'auditor'] as const)('is refused to a %s', async (role) => {
    await add();
    const [{ webhook_id }] = (await stored()) as [Parsed];
    const visitor = await Visitor.of(service, role);
    await visitor.visit(`${pages()}/webhooks/${webhook_id}`);
    expect(visitor.shown.status).toBe(403);
  });
});

describe('the page of the day', () => {
  const today = () => `/dashboard?company_id=${company.id}`;

  async function failOnce(status: number): Promise<void> {
    receiver.reply = answering(status);
    await add();
    await showWebhook();
    await admin.submit('test');
    await deliver();
  }

  it('tells an admin of a failing webhook', async () => {
    await failOnce(500);
    await admin.visit(today());
    expect(admin.text).toMatch(/Webhook http:\/\/127\.0\.0\.1:\d+\/hooks Failing since/);
  });

  it('tells an admin of a webhook that the service switched off', async () => {
    await failOnce(410);
    await admin.visit(today());
    expect(admin.text).toContain('Off: the receiver answered 410');
  });

  it('tells nothing of a webhook that an operator switched off', async () => {
    await add();
    await showWebhook();
    await admin.submit('enabled');
    await admin.visit(today());
    expect(admin.text).not.toContain('Webhook');
  });

  it('tells a manager nothing of webhooks', async () => {
    await failOnce(500);
    const manager = await Visitor.of(service, 'manager');
    await manager.visit(today());
    expect(manager.shown.status).toBe(200);
    expect(manager.text).not.toContain('Webhook');
  });
});
