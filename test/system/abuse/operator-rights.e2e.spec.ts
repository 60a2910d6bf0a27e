import { setImmediate as turn } from 'node:timers/promises';
import request from 'supertest';
import { ApiTokens } from '#domain/companies/index.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { Passwords } from '#domain/operators/index.js';
import { EMAIL, type OperatorService, startOperatorService } from '../../api/operator/operator-service.js';
import { Gate } from '../../support/gate.js';
import { withMembers } from '../../support/with-members.js';

/** Two processes on the same stores: the attacker's requests reach one, root's the other. */
let root: OperatorService;
let attacked: OperatorService;
/** Holds up the attacked process where a test closes it. */
let hashing: Gate;
let appending: Gate;
let appended: Gate;

beforeEach(async () => {
  root = await startOperatorService();
  [appending, appended, hashing] = [new Gate(), new Gate(), new Gate()];
  attacked = await startOperatorService(root, heldUp);
  const passwords = attacked.application.get(Passwords);
  const hash = passwords.hash.bind(passwords);
  jest.spyOn(passwords, 'hash').mockImplementation(async (password) => {
    await hashing.pass();
    return hash(password);
  });
});
afterEach(async () => {
  for (const gate of [hashing, appending, appended]) gate.open();
  await attacked.stop();
  await root.stop();
});

function heldUp(events: EventStore): EventStore {
  return withMembers(events, {
    append: async (appends) => {
      await appending.pass();
      const outcomes = await events.append(appends);
      await appended.pass();
      return outcomes;
    },
  });
}

type Method = 'get' | 'post' | 'patch' | 'delete';
const attack = (token: string, method: Method, path: string, body: object = {}) =>
  request(attacked.server)
    [method](`/api/operator${path}`)
    .set('Authorization', `Bearer ${token}`)
    .send(body)
    .then();
const signIn = (email: string, password: string) =>
  request(root.server).post('/api/operator/sessions').send({ email, password });
const tokenOf = async (email: string, password: string) =>
  (await signIn(email, password)).body.data.token as string;
async function listed(): Promise<string[]> {
  const { operators } = (await root.call('get', '/operators')).body.data;
  return (operators as { email: string }[]).map(({ email }) => email);
}

const EVE = { email: 'eve@example.com', password: 'eve has a password of hers', role: 'admin' };
const BOB = { email: 'bob@example.com', password: 'bob has a password of his', role: 'manager' };
const MINE = 'known to the attacker alone';

async function companyAdmin() {
  const { company_id } = (await root.call('post', '/companies', { name: 'A' })).body.data;
  const companies = [company_id as string];
  const eve = await root.addOperator({ ...EVE, companies });
  const bob = await root.addOperator({ ...BOB, companies });
  return { company_id: companies[0]!, eve, bob, token: await tokenOf(EVE.email, EVE.password) };
}

describe('an operator whose rights change while a request of theirs waits', () => {
  it('does not set the password of somebody who was promoted meanwhile', async () => {
    const { bob, token } = await companyAdmin();
    hashing.close();
    const setting = attack(token, 'patch', `/operators/${bob}`, { password: MINE });
    await hashing.reached();
    const promotion = { role: 'admin', companies: null };
    expect((await root.call('patch', `/operators/${bob}`, promotion)).status).toBe(200);
    hashing.open();
    expect((await setting).body.code).toBe('operator_not_found');
    expect((await signIn(BOB.email, MINE)).status).toBe(401);
    expect((await signIn(BOB.email, BOB.password)).status).toBe(201);
  });

  it('adds no operator after being removed', async () => {
    const { eve, company_id, token } = await companyAdmin();
    hashing.close();
    const backDoor = { email: 'door@example.com', password: MINE, role: 'admin', companies: [company_id] };
    const adding = attack(token, 'post', '/operators', backDoor);
    await hashing.reached();
    expect((await root.call('delete', `/operators/${eve}`)).status).toBe(200);
    hashing.open();
    expect((await adding).status).toBe(401);
    expect(await listed()).not.toContain(backDoor.email);
  });

  it('adds no operator where the process slept through the end of its lease', async () => {
    const { eve, company_id, token } = await companyAdmin();
    appended.close();
    const backDoor = { email: 'door@example.com', password: MINE, role: 'admin', companies: [company_id] };
    const adding = attack(token, 'post', '/operators', backDoor);
    await appended.reached();
    root.clock.advance(10_000);
    expect((await root.call('delete', `/operators/${eve}`)).status).toBe(200);
    appended.open();
    expect((await adding).status).toBe(503);
    expect(await listed()).not.toContain(backDoor.email);
    expect((await signIn(backDoor.email, MINE)).status).toBe(401);
  });

  it.each<[string, string, (company_id: string, bob: string) => [Method, string, object]]>([
    [
      'operator',
      'operators',
      (company_id) => {
        const door = { email: 'door@example.com', password: MINE, role: 'admin', companies: [company_id] };
        return ['post', '/operators', door];
      },
    ],
    ['password', 'operators', (_, bob) => ['patch', `/operators/${bob}`, { password: MINE }]],
    ['API token', 'api_tokens', (id) => ['post', `/companies/${id}/api-tokens`, { name: 'door' }]],
  ])('writes no %s that stands where the process slept between lease and record', async (...row) => {
    const [, collection, requestOf] = row;
    const { eve, bob, company_id, token } = await companyAdmin();
    const writing = new Gate();
    const write = root.records.write.bind(root.records);
    const spy = jest.spyOn(root.records, 'write').mockImplementation(async (writes) => {
      if (writes.some((one) => one.collection === collection)) await writing.pass();
      return write(writes);
    });
    writing.close();
    const attacking = attack(token, ...requestOf(company_id, bob));
    await writing.reached();
    root.clock.advance(10_000);
    spy.mockImplementation(write);
    expect((await root.call('delete', `/operators/${eve}`)).status).toBe(200);
    writing.open();
    expect((await attacking).status).toBe(503);
    // The next change in the same process comes when the attack has ended.
    expect((await attack(root.token, 'patch', `/operators/${bob}`, { role: 'auditor' })).status).toBe(200);
    spy.mockRestore();
    expect(await listed()).toEqual([EMAIL, BOB.email]);
    expect((await signIn(BOB.email, BOB.password)).status).toBe(201);
    const tokens = await root.application.get(ApiTokens).list(company_id);
    expect(tokens.filter(({ revoked_at }) => revoked_at === null)).toEqual([]);
  });

  it('makes no API token after being removed, also under a lease that was lost', async () => {
    const { eve, company_id, token } = await companyAdmin();
    appending.close();
    const path = `/companies/${company_id}/api-tokens`;
    const issuing = attack(token, 'post', path, { name: 'door' });
    await appending.reached();
    const waiting = attack(token, 'post', path, { name: 'second door' });
    root.clock.advance(10_000);
    expect((await root.call('delete', `/operators/${eve}`)).status).toBe(200);
    appending.open();
    expect([(await issuing).status, (await waiting).status]).toEqual([503, 401]);
    const tokens = await root.records.collection({
      name: 'api_tokens',
      indexes: { by_company: { fields: ['company_id'] } },
    });
    expect(await tokens.findAny('by_company', [company_id])).toEqual([]);
  });

  it('does not get a lock’s secret after being removed', async () => {
    const { eve, company_id, token } = await companyAdmin();
    const place = { pms_location_code: 'L', name: 'L' };
    const { location_id } = (await root.call('post', `/companies/${company_id}/locations`, place)).body.data;
    const { lock_id } = (await root.call('post', `/locations/${location_id}/locks`, { name: 'door' })).body
      .data;
    appending.close();
    const reading = attack(token, 'get', `/locks/${lock_id}/provisioning`);
    await appending.reached();
    expect((await root.call('delete', `/operators/${eve}`)).status).toBe(200);
    appending.open();
    expect((await reading).status).toBe(401);
  });
});

describe('a thief of a session and its password', () => {
  it('does not change the password that an admin has reset meanwhile', async () => {
    const { eve, token } = await companyAdmin();
    hashing.close();
    const thief = attack(token, 'patch', '/session/password', { current: EVE.password, next: MINE });
    await hashing.reached();
    const reset = { password: 'reset by the admin of all' };
    expect((await root.call('patch', `/operators/${eve}`, reset)).status).toBe(200);
    hashing.open();
    expect((await thief).status).toBe(401);
    expect((await signIn(EVE.email, MINE)).status).toBe(401);
    expect((await signIn(EVE.email, reset.password)).status).toBe(201);
  });
});

describe('an admin of a company who floods changes of operators', () => {
  it('has few passwords checked, and does not keep root from removing them', async () => {
    const { eve, bob, token } = await companyAdmin();
    const flooded: number[] = [];
    const change = () => attack(token, 'patch', `/operators/${bob}`, { password: 'p@55w0rd$1'.repeat(25) });
    const flood = Array.from({ length: 400 }, async () => flooded.push((await change()).status));
    while (flooded.length < 398) await turn();
    // One was checked and refused. The next check waits, with one change of theirs in the queue behind it.
    expect(flooded.filter((status) => status !== 429)).toEqual([422]);
    expect((await root.call('delete', `/operators/${eve}`)).status).toBe(200);
    root.clock.advance(5_000);
    await Promise.all(flood);
  });
});
