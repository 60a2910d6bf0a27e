import { ALL_STAFF_STREAMS } from '#api/operator/index.js';
import { emptyCollection } from '#eventsourcing/documents/empty-collection.js';
import { TestIdentityProvider } from '../../support/identity-provider.js';
import { type Company, demand, Service } from '../../support/service.js';
import type { Method } from '../../support/http-client.js';
import { waitUntil } from '../../support/wait-until.js';

const PASSWORD = 'a long enough phrase of mine';
const EVENTS = { name: 'staff_events', indexes: {} };
const PROGRESS = { name: 'staff_events_progress', indexes: {} };

interface Told {
  readonly type: string;
  readonly subject: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, unknown>>;
}

let provider: TestIdentityProvider;
let service: Service;
let company: Company;
let other: Company;
let invitations = 0;

beforeAll(async () => {
  provider = await TestIdentityProvider.start();
  service = await Service.start({ environment: provider.environment });
  company = await service.company();
  other = await service.company();
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

const operator = (method: Method, path: string, body?: unknown) => service.operator(method, path, body);
const newEmail = () => `somebody-${(invitations += 1)}@example.com`;

/** Invites somebody. @returns the `operator_id` */
async function invite(rights: object): Promise<string> {
  const body = { email: newEmail(), role: 'manager', ...rights };
  return demand(201, await operator('post', '/operators', body)).operator_id as string;
}

/** The token of a new operator. */
async function signedIn(rights: object): Promise<string> {
  const email = newEmail();
  await service.addOperator({ email, password: PASSWORD, role: 'auditor', ...rights });
  const body = { email, password: PASSWORD };
  return demand(201, await service.call('post', '/api/operator/sessions', { body })).token as string;
}

async function told(of: Company, query = '', token?: string): Promise<readonly Told[]> {
  const path = `/api/operator/companies/${of.id}/changes?actor=operator&limit=500${query}`;
  const answer = await service.call('get', path, { token: token ?? (await service.operatorToken()) });
  return demand(200, answer).events as Told[];
}

/** What is told of an operator. */
async function toldOf(operator_id: string, of: Company, token?: string): Promise<readonly string[]> {
  const events = await told(of, '', token);
  return events.filter(({ subject }) => subject['operator_id'] === operator_id).map(({ type }) => type);
}

/** Lets the leading process gather all that is in the log. */
async function gather(): Promise<void> {
  const head = (await service.events()).at(-1)!.position;
  await waitUntil(async () => {
    service.manualClock.advance(1_000);
    const progress = await (await service.stores.views.collection(PROGRESS)).get('gathered');
    return BigInt((progress as { position?: string } | undefined)?.position ?? 0) >= head;
  });
}

describe('what staff did with a company', () => {
  it('tells of its tokens', async () => {
    const path = `/companies/${company.id}/api-tokens`;
    const { token_id } = demand(201, await operator('post', path, { name: 'Gate app', scope: 'read' }));
    demand(200, await operator('delete', `${path}/${token_id}`));
    const subject = { kind: 'api_token', token_id };
    expect((await told(company)).slice(0, 2)).toMatchObject([
      { type: 'ApiTokenRevoked', subject, data: { token_id } },
      {
        type: 'ApiTokenIssued',
        subject,
        data: { token_id, name: 'Gate app', scope: 'read', expires_at: null },
      },
    ]);
  });

  it('tells of its webhooks, and never where they send to', async () => {
    const path = `/companies/${company.id}/webhooks`;
    const { webhook_id } = demand(201, await operator('post', path, { url: 'https://example.com/secret' }));
    demand(200, await operator('patch', `${path}/${webhook_id}`, { enabled: false }));
    demand(200, await operator('delete', `${path}/${webhook_id}`));
    const events = (await told(company)).filter(({ subject }) => subject['webhook_id'] === webhook_id);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['WebhookRemoved', { webhook_id }],
      ['WebhookChanged', { webhook_id, fields: ['enabled'] }],
      ['WebhookAdded', { webhook_id }],
    ]);
  });

  it('tells of its pull sources, and never their address or credential', async () => {
    const body = { name: 'Main PMS', url: 'https://pms.invalid/units?key=secret', interval_seconds: 3600 };
    const path = `/companies/${company.id}/pull-sources`;
    const { pull_source_id } = demand(201, await operator('post', path, body));
    demand(200, await operator('patch', `/pull-sources/${pull_source_id}`, { name: 'PMS' }));
    const subject = { kind: 'pull_source', pull_source_id };
    const terms = { interval_seconds: 3600, enabled: true };
    const events = await told(company);
    expect(events.filter((one) => one.subject['pull_source_id'] === pull_source_id)).toMatchObject([
      { type: 'PullSourceChanged', subject, data: { fields: ['name'], name: 'PMS', ...terms } },
      { type: 'PullSourceAdded', subject, data: { name: 'Main PMS', ...terms } },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('tells of its operators', async () => {
    const operator_id = await invite({ companies: [company.id] });
    const path = `/operators/${operator_id}`;
    demand(200, await operator('patch', path, { role: 'auditor' }));
    demand(200, await operator('patch', path, { password: 'another long phrase of mine' }));
    demand(200, await operator('delete', path));
    const events = (await told(company)).filter(({ subject }) => subject['operator_id'] === operator_id);
    const rights = { companies: [company.id], disabled: false };
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['OperatorRemoved', {}],
      ['OperatorSessionsEnded', {}],
      ['OperatorSessionsEnded', {}],
      ['OperatorChanged', { fields: ['password'], role: 'auditor', ...rights }],
      ['OperatorSessionsEnded', {}],
      ['OperatorChanged', { fields: ['role'], role: 'auditor', ...rights }],
      ['OperatorInvited', { expires_at: expect.any(String) }],
      ['OperatorAdded', { role: 'manager', ...rights }],
    ]);
  });

  it('tells of operators of its sites', async () => {
    const [location_id] = company.locations.values();
    const operator_id = await invite({ companies: [company.id], locations: [location_id] });
    const [added] = await told(company, '&type=OperatorOfSitesAdded');
    expect(added).toMatchObject({
      subject: { operator_id },
      data: { role: 'manager', sites: [{ company_id: company.id, location_id }] },
    });
  });

  it('narrows to a kind, also without naming the actor', async () => {
    const path = `/api/operator/companies/${company.id}/changes?type=ApiTokenIssued`;
    const { events } = demand(200, await service.call('get', path, { token: await service.operatorToken() }));
    expect(new Set((events as Told[]).map(({ type }) => type))).toEqual(new Set(['ApiTokenIssued']));
  });

  it('is not in the feed of integrators', async () => {
    const { events } = demand(200, await company.push('get', '/events?limit=500'));
    const types = new Set((events as Told[]).map(({ type }) => type));
    for (const { fields } of ALL_STAFF_STREAMS)
      for (const type of Object.keys(fields)) expect(types).not.toContain(type);
  });

  it('is gathered once, as the log says it, and without hashes', async () => {
    await invite({ companies: [company.id, other.id] });
    await invite({ companies: null });
    const fromLog = [await told(company), await told(other)];
    await gather();
    expect([await told(company), await told(other)]).toEqual(fromLog);
    const kept = await (await service.stores.views.collection(EVENTS)).page(undefined, 1_000);
    expect(JSON.stringify(kept)).not.toMatch(/credential_sha256|password_sha256|https:/);
  });

  it('is whole after its views were lost', async () => {
    await gather();
    const known = [await told(company), await told(other)];
    await emptyCollection(service.stores.views, EVENTS);
    await service.restart({ keepViews: false });
    await gather();
    expect([await told(company), await told(other)]).toEqual(known);
  });

  it('is read page by page where operators of all companies come between', async () => {
    const everywhere = await invite({ companies: null });
    const here = await invite({ companies: [company.id] });
    await gather();
    const types: string[] = [];
    for (let cursor: string | null = ''; cursor !== null && types.length < 4;) {
      const query = `actor=operator&limit=1${cursor && `&cursor=${cursor}`}`;
      const read = demand(200, await operator('get', `/companies/${company.id}/changes?${query}`));
      const events = read.events as Told[];
      types.push(...events.map(({ type, subject }) => `${type} ${subject['operator_id']}`));
      cursor = read.next_cursor as string | null;
    }
    expect(types).toEqual([
      `OperatorInvited ${here}`,
      `OperatorAdded ${here}`,
      `OperatorInvited ${everywhere}`,
      `OperatorAdded ${everywhere}`,
    ]);
  });
});

it('a kind is found between what concerns all companies and what is newer', async () => {
  await invite({ companies: null });
  const path = `/companies/${company.id}/api-tokens`;
  const { token_id } = demand(201, await operator('post', path, { name: 'Between' }));
  // More than the first read of the views holds.
  for (let count = 0; count < 6; count += 1) await invite({ companies: [company.id] });
  await gather();
  const query = 'actor=operator&type=ApiTokenIssued&limit=1';
  const { events } = demand(200, await operator('get', `/companies/${company.id}/changes?${query}`));
  expect((events as Told[]).map(({ subject }) => subject['token_id'])).toEqual([token_id]);
});

describe('who is told of it', () => {
  it('a company is told nothing of another one', async () => {
    const operator_id = await invite({ companies: [other.id] });
    expect(await toldOf(operator_id, company)).toEqual([]);
    expect(await toldOf(operator_id, other)).toHaveLength(2);
    const tokens = new Set((await told(company, '&type=ApiTokenIssued')).map(({ data }) => data['token_id']));
    for (const { data } of await told(other, '&type=ApiTokenIssued'))
      expect(tokens).not.toContain(data['token_id']);
  });

  it('an auditor of a company is told of its own operators', async () => {
    const auditor = await signedIn({ companies: [company.id] });
    const operator_id = await invite({ companies: [company.id] });
    expect(await toldOf(operator_id, company, auditor)).toEqual(['OperatorInvited', 'OperatorAdded']);
  });

  it('an auditor of a company is told nothing of operators of all companies', async () => {
    const auditor = await signedIn({ companies: [company.id] });
    const operator_id = await invite({ companies: null });
    expect(await toldOf(operator_id, company)).toHaveLength(2);
    expect(await toldOf(operator_id, company, auditor)).toEqual([]);
    await gather();
    expect(await toldOf(operator_id, company, auditor)).toEqual([]);
  });

  it('an auditor of a company is told of an operator of others, too, without these', async () => {
    const auditor = await signedIn({ companies: [company.id] });
    const locations = [company, other].flatMap((one) => [...one.locations.values()]);
    const operator_id = await invite({ companies: [company.id, other.id], locations });
    const isHere = async () => {
      const events = await told(company, '&type=OperatorOfSitesAdded', auditor);
      const { data } = events.find(({ subject }) => subject['operator_id'] === operator_id)!;
      expect(data['companies']).toEqual([company.id]);
      expect(data['sites']).toEqual([
        { company_id: company.id, location_id: [...company.locations.values()][0] },
      ]);
    };
    await isHere();
    await gather();
    await isHere();
  });

  it('an auditor of a company is told that its operator got another one, not which', async () => {
    const auditor = await signedIn({ companies: [company.id] });
    const operator_id = await invite({ companies: [company.id] });
    demand(200, await operator('patch', `/operators/${operator_id}`, { companies: [company.id, other.id] }));
    const known = await toldOf(operator_id, company, auditor);
    expect(known).toContain('OperatorChanged');
    expect(JSON.stringify(await told(company, '', auditor))).not.toContain(other.id);
    demand(200, await operator('patch', `/operators/${operator_id}`, { companies: [other.id] }));
    const [left] = await told(company, '&type=OperatorChanged', auditor);
    expect(left!.data['companies']).toEqual([]);
    demand(200, await operator('delete', `/operators/${operator_id}`));
    expect(await toldOf(operator_id, company, auditor)).toEqual(['OperatorChanged', ...known]);
  });

  it('the company that an operator lost is told, too', async () => {
    const operator_id = await invite({ companies: [company.id] });
    demand(200, await operator('patch', `/operators/${operator_id}`, { companies: [other.id] }));
    expect(await toldOf(operator_id, company)).toContain('OperatorChanged');
    demand(200, await operator('delete', `/operators/${operator_id}`));
    expect(await toldOf(operator_id, company)).not.toContain('OperatorRemoved');
  });

  it('an operator of a site is told nothing of it', async () => {
    const [location_id] = company.locations.values();
    const atSite = await signedIn({ companies: [company.id], locations: [location_id], role: 'manager' });
    demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'North' }));
    const here = await told(company, '', atSite);
    expect(here.map(({ type }) => type)).toContain('ZoneAdded');
    expect(new Set(here.map(({ subject }) => subject['kind']))).toEqual(new Set(['location']));
    await gather();
    expect(await told(company, '', atSite)).toEqual(here);
  });

  it('a company is told of operators of all companies since it began', async () => {
    const before = await invite({ companies: null });
    service.manualClock.advance(1_000);
    const young = await service.company();
    const after = await invite({ companies: null });
    await gather();
    expect(await toldOf(before, young)).toEqual([]);
    expect(await toldOf(after, young)).toEqual(['OperatorInvited', 'OperatorAdded']);
  });
});

it('every other kind is told once', async () => {
  const play = await service.sandbox();
  const path = `/companies/${play.id}`;
  demand(200, await operator('post', `${path}/clock`, { advance_seconds: 60 }));
  const { webhook_id } = demand(
    201,
    await operator('post', `${path}/webhooks`, { url: 'https://example.com/' }),
  );
  const { secret } = demand(201, await operator('post', `${path}/webhooks/${webhook_id}/secret`));
  const source = { name: 'PMS', url: 'https://pms.invalid/units', interval_seconds: 3600 };
  const { pull_source_id } = demand(201, await operator('post', `${path}/pull-sources`, source));
  demand(202, await operator('post', `/pull-sources/${pull_source_id}/runs`));
  const operator_id = await invite({ companies: [play.id] });
  const one = `/operators/${operator_id}`;
  demand(200, await operator('put', `${one}/sign-on`, { subject: 'somebody' }));
  demand(200, await operator('delete', `${one}/sign-on`));
  demand(201, await operator('post', `${one}/invitation`));
  demand(200, await operator('delete', `${one}/invitation`));
  await gather();
  const events = await told(play);
  const counted = (type: string) => events.filter((event) => event.type === type).length;
  const once = [
    'SandboxCompanyRegistered',
    'SandboxClockAdvanced',
    'WebhookSecretRotated',
    'PullRunRequested',
    'OperatorSignOnLinked',
    'OperatorSignOnUnlinked',
    'OperatorInvitationWithdrawn',
  ];
  expect(Object.fromEntries(once.map((type) => [type, counted(type)]))).toEqual(
    Object.fromEntries(once.map((type) => [type, 1])),
  );
  expect(JSON.stringify(events)).not.toContain(secret);
  expect(events.find(({ type }) => type === 'OperatorSignOnLinked')!.data).toEqual({ by: 'admin' });
});

it('no field that is told holds a hash, a secret, an address or what a person is called', () => {
  const named = ALL_STAFF_STREAMS.flatMap(({ fields }) => Object.values(fields).flat());
  for (const field of named) expect(field).not.toMatch(/sha256|hash|secret|password|email|url|auth|issuer/);
});
