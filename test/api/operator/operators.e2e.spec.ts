import request from 'supertest';
import { Operators, OperatorSessions } from '#domain/operators/index.js';
import { operatorStream } from '#domain/operators/core/operator.events.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { EMAIL, type OperatorService, PASSWORD, startOperatorService } from './operator-service.js';

let service: OperatorService;
let first: string;
async function start(): Promise<void> {
  service = await startOperatorService();
  first = (await service.call('get', '/session')).body.data.operator_id as string;
}

/** The tests around leave the first operator as they are, and nobody else is there when one begins. */
function onOneService(): void {
  beforeAll(start);
  afterEach(async () => {
    const { operators } = (await service.call('get', '/operators')).body.data;
    for (const { operator_id } of operators as { operator_id: string }[]) {
      if (operator_id !== first) await service.call('delete', `/operators/${operator_id}`);
    }
    // Failed sign-ins are counted by the minute.
    service.clock.advance(60_000);
  });
  afterAll(() => service.stop());
}

/** The tests around change the operator who asks. */
function onServicesOfTheirOwn(): void {
  beforeEach(start);
  afterEach(() => service.stop());
}

const BOB = { email: 'bob@example.com', password: 'bob has a password', role: 'manager' };

async function add(body: object = {}): Promise<string> {
  const answer = await service.call('post', '/operators', { ...BOB, ...body });
  expect(answer.status).toBe(201);
  return answer.body.data.operator_id as string;
}
const login = (email: string, password: string) =>
  request(service.server).post('/api/operator/sessions').send({ email, password });
async function tokenOf(email: string, password: string): Promise<string> {
  return (await login(email, password)).body.data.token as string;
}
const as = (token: string, method: 'get' | 'patch', path: string, body?: object) =>
  request(service.server)[method](`/api/operator${path}`).set('Authorization', `Bearer ${token}`).send(body);
async function eventsOf(operator_id: string) {
  const events = await service.events.readStream(operatorStream(operator_id));
  return events.map(({ type, data }) => ({ type, data }));
}

describe('operators', () => {
  onOneService();

  it('are added, listed, changed and removed by an admin, and never shown with a password', async () => {
    const operator_id = await add();
    const bob = {
      operator_id,
      email: BOB.email,
      role: 'manager',
      companies: null,
      locations: null,
      disabled: false,
      password: 'given',
      invited_until: null,
      second_factor: false,
      sign_on: null,
      created_at: new Date(service.clock.now()).toISOString(),
    };
    const listed = await service.call('get', '/operators');
    expect(listed.body.data.operators[1]).toEqual({ ...bob, last_seen_at: null });
    expect(listed.text).not.toContain('argon2');
    const changed = await service.call('patch', `/operators/${operator_id}`, { email: 'b@example.com' });
    expect(changed.body.data).toEqual({ ...bob, email: 'b@example.com' });
    expect((await service.call('delete', `/operators/${operator_id}`)).status).toBe(200);
    expect((await service.call('get', '/operators')).body.data.operators).toHaveLength(1);
    expect((await login('b@example.com', BOB.password)).status).toBe(401);
    expect((await service.call('delete', `/operators/${operator_id}`)).body.code).toBe('operator_not_found');
  });

  it('have passwords of 12 to 256 characters', async () => {
    for (const [password, status] of [
      ['a', 422],
      ['elevenchars', 422],
      ['twelve chars', 201],
      ['é'.repeat(257), 422],
    ] as const) {
      const answer = await service.call('post', '/operators', { ...BOB, password });
      expect([password.length, answer.status]).toEqual([password.length, status]);
    }
  });

  const LONG = `${'a'.repeat(32)} whose end is a good password`;
  it.each(['password1234', 'qwertyuiop12', 'aaaaaaaaaaaa', 'bob@example.com', 'storageaccess', LONG])(
    'have no password that is easily guessed, by its first 32 characters: %s',
    async (password) => {
      const said = (field: string) => ({
        [field]: [`The ${field} field must not be common or easily guessed.`],
      });
      const added = await service.call('post', '/operators', { ...BOB, password });
      expect([added.status, added.body.errors]).toEqual([422, said('password')]);
      service.clock.advance(250);
      const operator_id = await add();
      const changed = await service.call('patch', `/operators/${operator_id}`, { password });
      expect(changed.body.errors).toEqual(said('password'));
      service.clock.advance(250);
      const token = await tokenOf(BOB.email, BOB.password);
      const own = await as(token, 'patch', '/session/password', { current: BOB.password, next: password });
      expect(own.body.errors).toEqual(said('next'));
      expect((await login(BOB.email, BOB.password)).status).toBe(201);
    },
  );

  it('have an e-mail each, whatever its case', async () => {
    const operator_id = await add();
    const taken = { email: ['The email has already been taken.'] };
    expect(
      (await service.call('post', '/operators', { ...BOB, email: 'BOB@example.com' })).body.errors,
    ).toEqual(taken);
    const changed = await service.call('patch', `/operators/${operator_id}`, { email: EMAIL });
    expect(changed.body.errors).toEqual(taken);
  });

  it('are of companies that there are', async () => {
    const answer = await service.call('post', '/operators', { ...BOB, companies: ['nothing'] });
    expect(answer.body.errors).toEqual({ 'companies.0': ['The companies.0 field must be a company.'] });
  });

  it.each([
    ['password', { password: 'another password' }],
    ['role', { role: 'auditor' }],
    ['disabled', { disabled: true }],
  ])('who get another %s are signed out at once, and the log says so', async (field, change) => {
    const operator_id = await add();
    const token = await tokenOf(BOB.email, BOB.password);
    expect((await as(token, 'get', '/session')).status).toBe(200);
    expect((await service.call('patch', `/operators/${operator_id}`, change)).status).toBe(200);
    expect((await as(token, 'get', '/session')).status).toBe(401);
    const rights = { role: 'manager', companies: null, disabled: false };
    const credential = { credential_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    const told = field === 'password' ? credential : change;
    expect(await eventsOf(operator_id)).toEqual([
      { type: 'OperatorAdded', data: { operator_id, ...rights, ...credential } },
      { type: 'OperatorChanged', data: { fields: [field], ...rights, ...told } },
      { type: 'OperatorSessionsEnded', data: {} },
    ]);
    expect((await login(BOB.email, BOB.password)).status).toBe(field === 'role' ? 201 : 401);
  });

  it('stay signed in where nothing but the e-mail changes, and no event tells it', async () => {
    const operator_id = await add();
    const token = await tokenOf(BOB.email, BOB.password);
    await service.call('patch', `/operators/${operator_id}`, {
      email: 'robert@example.com',
      role: 'manager',
    });
    expect((await as(token, 'get', '/session')).body.data.email).toBe('robert@example.com');
    const events = await eventsOf(operator_id);
    expect(events.at(-1)).toMatchObject({ type: 'OperatorChanged', data: { fields: ['email'] } });
    expect(JSON.stringify(events)).not.toMatch(/robert|bob/);
  });

  it('are named in the log by who has changed them', async () => {
    const operator_id = await add();
    const [added] = await service.events.readStream(operatorStream(operator_id));
    expect(added!.metadata['actor']).toEqual({ kind: 'operator', id: first });
    const [made] = await service.events.readStream(operatorStream(first));
    expect(made!.metadata['actor']).toEqual({ kind: 'system', id: 'environment' });
  });
});

describe('a session', () => {
  onOneService();

  it('that was begun with a password which has changed meanwhile never holds', async () => {
    const operator_id = await add();
    const sessions = service.application.get(OperatorSessions);
    const asItWas = (await service.application.get(Operators).byId(operator_id))!;
    await service.call('patch', `/operators/${operator_id}`, { password: 'another password' });
    const { token } = await sessions.open(asItWas);
    expect(await sessions.verify(token)).toBeUndefined();
  });
});

describe('the last admin', () => {
  onOneService();

  it.each<[string, object | undefined]>([
    ['removed', undefined],
    ['made a manager', { role: 'manager' }],
    ['disabled', { disabled: true }],
    ['held to one company', {}],
  ])('is not %s', async (_name, change) => {
    const company = await service.call('post', '/companies', { name: 'One' });
    const { company_id } = company.body.data as { company_id: string };
    // Neither of these can do everything.
    await add({ role: 'admin', companies: [company_id] });
    await add({ email: 'off@example.com', role: 'admin', disabled: true });
    const scoped = change && (Object.keys(change).length === 0 ? { companies: [company_id] } : change);
    const answer = await (scoped === undefined
      ? service.call('delete', `/operators/${first}`)
      : service.call('patch', `/operators/${first}`, scoped));
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({
      code: 'last_admin',
      message: 'There must be an admin of all companies who can sign in.',
    });
    expect((await service.call('get', '/session')).status).toBe(200);
  });
});

describe('two admins', () => {
  onServicesOfTheirOwn();

  it('who remove each other at once leave one', async () => {
    const other = await add({ role: 'admin' });
    const token = await tokenOf(BOB.email, BOB.password);
    const outcomes = await resultsAtOnce([
      async () => (await service.call('patch', `/operators/${other}`, { role: 'auditor' })).status,
      async () => (await as(token, 'patch', `/operators/${first}`, { role: 'auditor' })).status,
    ]);
    expect([...outcomes].sort()).toEqual([200, expect.any(Number)]);
    const { status, body } = await as(token, 'get', '/operators');
    const listed = status === 200 ? body : (await service.call('get', '/operators')).body;
    const admins = listed.data.operators.filter(({ role }: { role: string }) => role === 'admin');
    expect(admins).toHaveLength(1);
  });
});

describe('one’s own password', () => {
  onServicesOfTheirOwn();

  const change = (current: string, next: string) =>
    service.call('patch', '/session/password', { current, next });

  it('is changed by who knows it, and every session ends', async () => {
    const other = await service.login();
    expect((await change(PASSWORD, 'a new password')).body).toEqual({ message: 'Request successful.' });
    expect((await as(other, 'get', '/session')).status).toBe(401);
    expect((await service.call('get', '/session')).status).toBe(401);
    expect((await login(EMAIL, PASSWORD)).status).toBe(401);
    expect((await login(EMAIL, 'a new password')).status).toBe(201);
  });

  it('is not found out from a session that was taken', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const answer = await change(`wrong ${attempt}`, 'a new password');
      expect(answer.body.errors).toEqual({ current: ['The current field is incorrect.'] });
    }
    expect((await change(PASSWORD, 'a new password')).status).toBe(429);
  });
});
