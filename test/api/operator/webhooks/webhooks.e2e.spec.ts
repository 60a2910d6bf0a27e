import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { switchOffWebhooks, WebhookDispatcher } from '#domain/webhooks/index.js';
import { answering, Receiver } from '../../../domain/webhooks/support/receiver.js';
import type { Answer, Method, Parsed } from '../../../support/http-client.js';
import { type Company, demand, Service } from '../../../support/service.js';
import { waitUntil } from '../../../support/wait-until.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * 60 * SECOND;

let service: Service;
let company: Company;
let receiver: Receiver;

beforeAll(async () => {
  service = await Service.start({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => service.close());
beforeEach(async () => {
  receiver = await Receiver.start();
  company = await service.company();
});
afterEach(async () => {
  for (const { webhook_id } of await list()) demand(200, await call('delete', `/${webhook_id}`));
  await deliver();
  await receiver.close();
});

const call = (method: Method, path = '', body?: unknown): Promise<Answer> =>
  service.operator(method, `/companies/${company.id}/webhooks${path}`, body);
const list = async (): Promise<Parsed[]> => demand(200, await call('get')).webhooks;
const add = async (fields: object = {}): Promise<Parsed> =>
  demand(201, await call('post', '', { url: receiver.url, ...fields }));
const deliveries = async ({ webhook_id }: Parsed, query = ''): Promise<Parsed[]> =>
  demand(200, await call('get', `/${webhook_id}/deliveries${query}`)).deliveries;
/** Makes and sends everything that is due. */
async function deliver(): Promise<void> {
  const dispatcher = service.part(WebhookDispatcher);
  await dispatcher.runRound();
  await dispatcher.waitUntilIdle();
}
function* endlessText(): Generator<string> {
  for (;;) yield 'x'.repeat(65_536);
}
/** A stream waits for its reader. A loop of callbacks never lets Node 24 look at the socket, and hangs. */
function sendEndlessly(response: ServerResponse): void {
  pipeline(Readable.from(endlessText()), response, () => undefined);
}
const fieldOf = ({ body }: Answer) => body.details[0];

describe('adding a webhook', () => {
  test('shows the secret once', async () => {
    const added = await add({ description: 'PMS' });
    expect(added).toMatchObject({ url: receiver.url, types: null, description: 'PMS', enabled: true });
    expect(added.secret).toMatch(/^whsec_/);
    expect(await list()).toEqual([expect.not.objectContaining({ secret: expect.anything() })]);
  });

  test('keeps each type once', async () => {
    expect(await add({ types: ['TenantMovedIn', 'TenantMovedIn'] })).toMatchObject({
      types: ['TenantMovedIn'],
    });
  });

  test('leaves an event that names the operator, without URL and secret', async () => {
    const { webhook_id, secret } = await add();
    const events = await service.events(`company-${company.id}`);
    const event = events.find(({ type }) => type === 'WebhookAdded')!;
    expect(event.data).toEqual({ webhook_id });
    expect(event.metadata['actor']).toMatchObject({ kind: 'operator' });
    const stored = JSON.stringify(events.map(({ data }) => data));
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(receiver.url);
  });

  test.each([
    ['an http URL that is not loopback', { url: 'http://example.com/' }, 'url', 'not_allowed'],
    ['an address of metadata', { url: 'https://169.254.169.254/' }, 'url', 'not_allowed'],
    ['a URL with a password', { url: 'https://a:b@example.com/' }, 'url', 'format'],
    ['another scheme', { url: 'ftp://example.com/' }, 'url', 'format'],
    ['no URL', { url: undefined }, 'url', 'required'],
    ['an unknown type', { types: ['UnitSold'] }, 'types.0', 'unknown_value'],
    ['a type that is not fed', { types: ['LockProvisioned'] }, 'types.0', 'unknown_value'],
    ['an unknown field', { secret: 'mine' }, 'secret', 'not_allowed'],
  ])('refuses %s', async (_name, fields, field, code) => {
    const answer = await call('post', '', { url: receiver.url, ...fields });
    expect(answer.status).toBe(422);
    expect(fieldOf(answer)).toMatchObject({ field, code });
  });

  test('refuses an eleventh, until one is removed', async () => {
    for (let count = 0; count < 10; count += 1) await add();
    const refused = await call('post', '', { url: receiver.url });
    expect(refused.status).toBe(422);
    expect(fieldOf(refused)).toMatchObject({ field: 'url', code: 'out_of_range' });
    const [{ webhook_id }] = (await list()) as [Parsed];
    demand(200, await call('delete', `/${webhook_id}`));
    await add();
  });
});

describe('a message', () => {
  test('is the entry of the feed, signed', async () => {
    const { secret } = await add({ types: ['TenantMovedIn'] });
    demand(201, await company.moveIn('A-1'));
    await deliver();
    const [message] = receiver.received;
    const feed = demand(200, await company.push('get', '/events?types=TenantMovedIn'));
    const { id: position, ...entry } = feed.events[0];
    expect(message!.body).toEqual({
      type: 'TenantMovedIn',
      timestamp: entry.occurred_at,
      data: { position, ...entry },
    });
    const sent_at = Number(message!.headers['webhook-timestamp']);
    const id = String(message!.headers['webhook-id']);
    expect(sent_at).toBe(service.clock.now() / SECOND);
    expect(message!.headers['webhook-signature']).toBe(
      new Webhook(secret).sign(id, new Date(sent_at * SECOND), message!.text),
    );
  });

  test('is not sent of what happened before the webhook was added', async () => {
    demand(201, await company.moveIn('A-1'));
    await add();
    await deliver();
    expect(receiver.received).toEqual([]);
  });

  test('is not sent of another company', async () => {
    await add();
    const other = await service.company();
    demand(201, await other.moveIn('A-1'));
    await deliver();
    expect(receiver.received).toEqual([]);
  });

  test('is sent once, however often the feed is looked at', async () => {
    await add({ types: ['TenantMovedIn'] });
    demand(201, await company.moveIn('A-1'));
    await deliver();
    await deliver();
    expect(receiver.types).toEqual(['TenantMovedIn']);
  });

  test('that is refused is tried again with the same id and content', async () => {
    const webhook = await add({ types: ['TenantMovedIn'] });
    receiver.reply = answering(500, 'Out of order.');
    demand(201, await company.moveIn('A-1'));
    await deliver();
    receiver.reply = answering(200, 'Thanks.');
    service.manualClock.advance(6 * SECOND);
    await deliver();
    const [first, second] = receiver.received;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.text).toBe(first!.text);
    expect(await deliveries(webhook)).toMatchObject([
      {
        state: 'delivered',
        next_try_at: null,
        attempts: [
          { status: 500, answer: 'Out of order.' },
          { status: 200, answer: 'Thanks.' },
        ],
      },
    ]);
  });

  test('is not received by a redirect, which is not followed', async () => {
    const webhook = await add({ types: ['TenantMovedIn'] });
    receiver.reply = answering(307, '', { location: `${receiver.url}/elsewhere` });
    demand(201, await company.moveIn('A-1'));
    await deliver();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks']);
    expect(await deliveries(webhook)).toMatchObject([{ state: 'pending', attempts: [{ status: 307 }] }]);
  });

  test('has failed by a time-out where no answer comes', async () => {
    const webhook = await add({ types: ['TenantMovedIn'] });
    receiver.reply = () => undefined;
    demand(201, await company.moveIn('A-1'));
    await service.part(WebhookDispatcher).runRound();
    await waitUntil(() => receiver.received.length === 1);
    service.manualClock.advance(15 * SECOND);
    await service.part(WebhookDispatcher).waitUntilIdle();
    expect(await deliveries(webhook)).toMatchObject([
      { state: 'pending', attempts: [{ status: null, answer: 'There was no answer within 15 seconds.' }] },
    ]);
  });

  test('keeps 1 kB of an endless answer', async () => {
    const webhook = await add({ types: ['TenantMovedIn'] });
    receiver.reply = (response) => {
      response.writeHead(200);
      sendEndlessly(response);
    };
    demand(201, await company.moveIn('A-1'));
    await deliver();
    const [delivery] = (await deliveries(webhook)) as [Parsed];
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
    expect(delivery.attempts[0].answer).toBe('x'.repeat(1_024));
  });

  test('ends the connection of an endless answer', async () => {
    await add({ types: ['TenantMovedIn'] });
    const closed = new Promise<void>((resolve) => {
      receiver.reply = (response) => {
        response.on('close', resolve).writeHead(200);
        sendEndlessly(response);
      };
    });
    demand(201, await company.moveIn('A-1'));
    await deliver();
    await expect(closed).resolves.toBeUndefined();
  });

  test('ends its try after 15 seconds, though the answer goes on', async () => {
    const webhook = await add({ types: ['TenantMovedIn'] });
    receiver.reply = (response) => void response.writeHead(200).write('slow');
    demand(201, await company.moveIn('A-1'));
    await service.part(WebhookDispatcher).runRound();
    await waitUntil(() => receiver.received.length === 1);
    service.manualClock.advance(15 * SECOND);
    await service.part(WebhookDispatcher).waitUntilIdle();
    expect((await deliveries(webhook))[0].attempts).toHaveLength(1);
  });

  test('is refused by headers of more than 16 kB, which are not read to their end', async () => {
    const webhook = await add({ types: ['TenantMovedIn'] });
    receiver.reply = answering(200, '', { 'x-long': 'x'.repeat(20_000) });
    demand(201, await company.moveIn('A-1'));
    await deliver();
    expect(await deliveries(webhook)).toMatchObject([{ state: 'pending', attempts: [{ status: null }] }]);
  });

  test('keeps a compressed answer as it came, and does not unpack it', async () => {
    const webhook = await add({ types: ['TenantMovedIn'] });
    receiver.reply = (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('x'.repeat(10_000_000)));
    };
    demand(201, await company.moveIn('A-1'));
    await deliver();
    const [{ attempts }] = (await deliveries(webhook)) as [Parsed];
    expect(attempts).toMatchObject([{ status: 200, answer: expect.not.stringContaining('xxx') }]);
  });

  test('holds up no request while its receiver never answers', async () => {
    await add();
    receiver.reply = () => undefined;
    for (const unit of ['A', 'B', 'C', 'D', 'E']) demand(201, await company.moveIn(unit));
    await service.part(WebhookDispatcher).runRound();
    await waitUntil(() => receiver.received.length === 4);
    const written = await company.patch('A', { balance_due: 1, paid_through_date: '2026-01-01' });
    expect(written.status).toBe(200);
    // The messages behind them would wait for 15 s of the world's time each.
    receiver.reply = answering(200);
    service.manualClock.advance(15 * SECOND);
    await service.part(WebhookDispatcher).waitUntilIdle();
  });

  test('waits at most with three others at one receiver', async () => {
    await add({ types: ['TenantMovedIn'] });
    const held: (() => void)[] = [];
    receiver.reply = (response) => void held.push(() => void response.writeHead(204).end());
    for (const unit of ['A', 'B', 'C', 'D', 'E', 'F']) demand(201, await company.moveIn(unit));
    await service.part(WebhookDispatcher).runRound();
    await waitUntil(() => held.length === 4);
    expect(receiver.received).toHaveLength(4);
    const done = service.part(WebhookDispatcher).waitUntilIdle();
    receiver.reply = answering(204);
    for (const end of held) end();
    await done;
    await deliver();
    expect(receiver.received).toHaveLength(6);
  });

  test('is not delayed by another receiver that never answers', async () => {
    const slow = await Receiver.start();
    slow.reply = () => undefined;
    await add({ url: slow.url });
    await add({ types: ['TenantMovedIn'] });
    for (const unit of ['A', 'B', 'C', 'D', 'E', 'F']) demand(201, await company.moveIn(unit));
    await service.part(WebhookDispatcher).runRound();
    await waitUntil(() => receiver.received.length === 6 && slow.received.length >= 4);
    expect(slow.received).toHaveLength(4);
    await slow.close();
  });
});

describe('a webhook', () => {
  test('is switched off by a 410', async () => {
    await add({ types: ['TenantMovedIn'] });
    receiver.reply = answering(410);
    demand(201, await company.moveIn('A-1'));
    await deliver();
    expect(await list()).toMatchObject([{ enabled: false, disabled_reason: 'gone' }]);
  });

  test('is switched off after five days without one success', async () => {
    await add({ types: ['TenantMovedIn'] });
    receiver.reply = answering(500);
    demand(201, await company.moveIn('A-1'));
    await deliver();
    expect(await list()).toMatchObject([{ enabled: true, failing_since: expect.any(String) }]);
    service.manualClock.advance(5 * DAY);
    await deliver();
    expect(await list()).toMatchObject([{ enabled: false, disabled_reason: 'failing' }]);
  });

  test('that was off begins with the next event', async () => {
    const { webhook_id } = await add({ types: ['TenantMovedIn'] });
    demand(200, await call('patch', `/${webhook_id}`, { enabled: false }));
    demand(201, await company.moveIn('A-1'));
    await deliver();
    demand(200, await call('patch', `/${webhook_id}`, { enabled: true }));
    demand(201, await company.moveIn('A-2'));
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });

  test('that was off does not send what waited before', async () => {
    const webhook = await add({ types: ['TenantMovedIn'] });
    receiver.reply = answering(500);
    demand(201, await company.moveIn('A-1'));
    await deliver();
    receiver.reply = answering(200);
    receiver.received.length = 0;
    service.manualClock.advance(SECOND);
    demand(200, await call('patch', `/${webhook.webhook_id}`, { enabled: false }));
    demand(200, await call('patch', `/${webhook.webhook_id}`, { enabled: true }));
    service.manualClock.advance(MINUTE);
    await deliver();
    expect(receiver.received).toEqual([]);
    const [given] = (await deliveries(webhook)) as [Parsed];
    expect(given).toMatchObject({ state: 'failed', attempts: [{ status: 500 }] });
    demand(202, await call('post', `/${webhook.webhook_id}/deliveries/${given.delivery_id}/resend`));
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });

  test('signs with both secrets for a day after a rotation', async () => {
    const { webhook_id, secret } = await add({ types: ['TenantMovedIn'] });
    const rotated = demand(201, await call('post', `/${webhook_id}/secret`));
    expect(rotated.secret).not.toBe(secret);
    demand(201, await company.moveIn('A-1'));
    await deliver();
    service.manualClock.advance(DAY);
    demand(201, await company.moveIn('A-2'));
    await deliver();
    const signatures = receiver.received.map(({ headers }) =>
      String(headers['webhook-signature']).split(' '),
    );
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
  });

  test('gets a test message, which has no position', async () => {
    const { webhook_id } = await add();
    const sent = demand(202, await call('post', `/${webhook_id}/test`));
    await deliver();
    expect(receiver.received).toMatchObject([{ body: { type: 'WebhookTest', data: { webhook_id } } }]);
    expect(receiver.received[0]!.headers['webhook-id']).toBe(sent.message_id);
    expect(receiver.received[0]!.body.data).not.toHaveProperty('position');
  });

  test('gets a delivered message again', async () => {
    const webhook = await add();
    demand(202, await call('post', `/${webhook.webhook_id}/test`));
    await deliver();
    const [{ delivery_id }] = (await deliveries(webhook)) as [Parsed];
    demand(202, await call('post', `/${webhook.webhook_id}/deliveries/${delivery_id}/resend`));
    await deliver();
    expect(receiver.received).toHaveLength(2);
  });

  test('lists its deliveries by state', async () => {
    const webhook = await add();
    demand(202, await call('post', `/${webhook.webhook_id}/test`));
    await deliver();
    expect(await deliveries(webhook, '?state=delivered')).toHaveLength(1);
    expect(await deliveries(webhook, '?state=failed')).toEqual([]);
  });

  test('of a restored store is off', async () => {
    await add();
    expect(await switchOffWebhooks(service.stores.records)).toBeGreaterThan(0);
    expect(await list()).toMatchObject([{ enabled: false, disabled_reason: 'restored' }]);
  });

  test('is switched off where its secret cannot be opened', async () => {
    await add();
    // A test service encrypts with a new key at each start.
    await service.restart();
    await deliver();
    expect(await list()).toMatchObject([{ enabled: false, disabled_reason: 'secret_unreadable' }]);
  });

  test('that is off takes no test', async () => {
    const { webhook_id } = await add();
    demand(200, await call('patch', `/${webhook_id}`, { enabled: false }));
    expect(await call('post', `/${webhook_id}/test`)).toMatchObject({ status: 409 });
  });

  test('of another company does not exist', async () => {
    const { webhook_id } = await add();
    const other = await service.company();
    const path = `/companies/${other.id}/webhooks/${webhook_id}`;
    expect(await service.operator('patch', path, { enabled: false })).toMatchObject({ status: 404 });
    expect(await service.operator('delete', path)).toMatchObject({ status: 404 });
  });
});
