import { setImmediate as turn } from 'node:timers/promises';
import request from 'supertest';
import { Secret, TOTP } from 'otpauth';
import { OperatorAdministration, Operators } from '#domain/operators/index.js';
import { runAtOnce } from '../../support/barrier.js';
import { EMAIL, PASSWORD, startOperatorService } from './operator-service.js';
import type { OperatorService } from './operator-service.js';

let service: OperatorService;
beforeEach(async () => {
  service = await startOperatorService();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await service.stop();
});

const login = (code?: string, given = service) =>
  request(given.server).post('/api/operator/sessions').send({ email: EMAIL, password: PASSWORD, code });

/** The authenticator's code, some steps from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: service.clock.now() + steps * 30_000,
  });

/** Sets the second factor of the first operator, and waits until the next code. */
async function setUp() {
  const { setup, secret } = (await service.call('post', '/session/second-factor', { current: PASSWORD })).body
    .data;
  const answer = await service.call('put', '/session/second-factor', { setup, code: codeOf(secret) });
  expect(answer.status).toBe(200);
  service.clock.advance(30_000);
  return { secret: secret as string, recovery_codes: answer.body.data.recovery_codes as string[] };
}

const sessionOf = (token: string) =>
  request(service.server).get('/api/operator/session').set('Authorization', `Bearer ${token}`);

async function ownId(): Promise<string> {
  return (await service.call('get', '/session')).body.data.operator_id;
}

async function typesOf(operator_id: string): Promise<string[]> {
  return (await service.events.readStream(`operator-${operator_id}`)).map(({ type }) => type);
}

/**
 * Lets what waits for a lease look again until all has ended. The clock goes no faster than real time: on a busy machine the
 * deadlines of the requests would pass while their passwords are hashed.
 */
async function ended<T>(waiting: Promise<T>): Promise<T> {
  let isOver = false;
  let last = performance.now();
  void waiting.finally(() => (isOver = true));
  while (!isOver) {
    await turn();
    if (performance.now() - last < 50) continue;
    last = performance.now();
    service.clock.advanceToNext(50);
  }
  return waiting;
}

describe('setting a second factor', () => {
  it('shows ten recovery codes once, ends other sessions and leaves an event', async () => {
    const other = await service.login();
    const { recovery_codes } = await setUp();
    expect(new Set(recovery_codes).size).toBe(10);
    expect(recovery_codes[0]).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect((await sessionOf(other)).status).toBe(401);
    expect((await service.call('get', '/session/second-factor')).body.data).toEqual({
      set: true,
      required: false,
      recovery_codes_left: 10,
    });
    expect((await service.call('get', '/session')).body.data.second_factor).toBe(true);
    expect(await typesOf(await ownId())).toEqual([
      'OperatorAdded',
      'OperatorSecondFactorSet',
      'OperatorSessionsEnded',
    ]);
  });

  it('stores neither the secret nor a recovery code, in records or in events', async () => {
    const { secret, recovery_codes } = await setUp();
    const record = await service.application.get(Operators).byId(await ownId());
    const events = await service.events.readStream(`operator-${record!._id}`);
    const kept = JSON.stringify([record, events.map(({ data, metadata }) => [data, metadata])]);
    for (const hidden of [
      secret,
      ...recovery_codes,
      ...recovery_codes.map((code) => code.replaceAll('-', '')),
    ])
      expect(kept).not.toContain(hidden);
  });

  it('wants the password, and a code of the new secret', async () => {
    const wrong = await service.call('post', '/session/second-factor', { current: 'wrong' });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      { current: ['The current field is incorrect.'] },
    ]);
    const { setup, secret } = (await service.call('post', '/session/second-factor', { current: PASSWORD }))
      .body.data;
    const refused = await service.call('put', '/session/second-factor', { setup, code: codeOf(secret, 5) });
    expect([refused.status, refused.body.code]).toEqual([422, 'second_factor_invalid']);
    expect((await login()).status).toBe(201);
  });

  it('is over after ten minutes, after a change of the password, and for everybody else', async () => {
    const first = (await service.call('post', '/session/second-factor', { current: PASSWORD })).body.data;
    const bob = { email: 'bob@example.com', password: 'bob has a password', role: 'auditor' };
    await service.addOperator(bob);
    const { token } = (
      await request(service.server).post('/api/operator/sessions').send({
        email: bob.email,
        password: bob.password,
      })
    ).body.data;
    const planted = await request(service.server)
      .put('/api/operator/session/second-factor')
      .set('Authorization', `Bearer ${token}`)
      .send({ setup: first.setup, code: codeOf(first.secret) });
    expect(planted.body.code).toBe('second_factor_invalid');
    service.clock.advance(600_000);
    const late = await service.call('put', '/session/second-factor', {
      setup: first.setup,
      code: codeOf(first.secret),
    });
    expect(late.body.code).toBe('second_factor_invalid');
  });

  it('is refused where one is set, however many set one at once', async () => {
    const begun = await Promise.all(
      [1, 2].map(
        async () => (await service.call('post', '/session/second-factor', { current: PASSWORD })).body.data,
      ),
    );
    const outcomes = await ended(
      runAtOnce(
        begun.map(({ setup, secret }) => async () => {
          return (await service.call('put', '/session/second-factor', { setup, code: codeOf(secret) }))
            .status;
        }),
      ),
    );
    const statuses = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : 0)).sort();
    expect(statuses[0]).toBe(200);
    expect([401, 409]).toContain(statuses[1]);
    expect((await service.call('post', '/session/second-factor', { current: PASSWORD })).body.code).toBe(
      'second_factor_exists',
    );
  });
});

describe('signing in with a second factor', () => {
  it('asks for the code, and takes it once', async () => {
    const { secret } = await setUp();
    const asked = await login();
    expect([asked.status, asked.body]).toEqual([
      401,
      { code: 'code_required', message: 'Enter the code of the second factor.' },
    ]);
    const code = codeOf(secret);
    expect((await login(code)).status).toBe(201);
    const replayed = await login(code);
    expect([replayed.status, replayed.body.code]).toEqual([401, 'code_invalid']);
    service.clock.advance(30_000);
    expect((await login(code)).body.code).toBe('code_invalid');
    expect((await login(codeOf(secret))).status).toBe(201);
  });

  it('takes one code once, however many send it at once, in two processes', async () => {
    const beside = await startOperatorService(service);
    const { secret } = await setUp();
    const code = codeOf(secret);
    const outcomes = await ended(
      runAtOnce(
        Array.from({ length: 4 }, (_, n) => async () => (await login(code, n % 2 ? service : beside)).status),
      ),
    );
    await beside.stop();
    const statuses = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : 0));
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  });

  it('tells nobody without the password that there is one', async () => {
    await setUp();
    const answer = await request(service.server)
      .post('/api/operator/sessions')
      .send({ email: EMAIL, password: 'wrong', code: '000000' });
    expect(answer.body.code).toBe('unauthorized');
  });

  it('is refused after five wrong codes in a minute and twenty a day, also with the right one', async () => {
    const { secret } = await setUp();
    const wrong = async () => (await login('000000')).status;
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await wrong()).toBe(401);
    const refused = await login(codeOf(secret));
    expect([refused.status, refused.headers['ratelimit']]).toEqual([
      429,
      expect.stringMatching(/^"operator-code";r=0;/),
    ]);
    for (let minute = 0; minute < 3; minute += 1) {
      service.clock.advance(61_000);
      for (let attempt = 0; attempt < 5; attempt += 1) expect(await wrong()).toBe(401);
    }
    service.clock.advance(61_000);
    expect((await login(codeOf(secret))).status).toBe(429);
  });

  it('takes a recovery code once, which leaves an event and ends the sessions', async () => {
    const { recovery_codes } = await setUp();
    const operator_id = await ownId();
    const [code] = recovery_codes;
    const opened = await login(code!.toLowerCase().replaceAll('-', ' '));
    expect(opened.status).toBe(201);
    expect((await service.call('get', '/session')).status).toBe(401);
    expect((await sessionOf(opened.body.data.token)).status).toBe(200);
    expect((await login(code)).body.code).toBe('code_invalid');
    const [used, ended] = (await service.events.readStream(`operator-${operator_id}`)).slice(-2);
    expect([used!.type, used!.data, ended!.type]).toEqual([
      'OperatorRecoveryCodeUsed',
      { codes_left: 9, credential_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      'OperatorSessionsEnded',
    ]);
    expect(used!.metadata.actor).toEqual({ kind: 'operator', id: operator_id });
  });

  it('opens nothing where the operator was changed while the code was judged', async () => {
    const { secret } = await setUp();
    const operator_id = await ownId();
    const administration = service.application.get(OperatorAdministration);
    const operators = service.application.get(Operators);
    const before = (await operators.byId(operator_id))!;
    // The password was found right; then an admin removes the factor.
    jest.spyOn(operators, 'byEmail').mockResolvedValue(before);
    const context = {
      command_id: service.ids.ulid(),
      request_id: 'r',
      actor: { kind: 'system', id: 'x' },
      recovering: false,
    } as const;
    await administration.removeSecondFactor(operator_id, { author: 'system', context });
    expect((await login(codeOf(secret))).status).toBe(401);
  });
});

describe('removing a second factor', () => {
  it('takes the password and a code, ends other sessions and leaves an event', async () => {
    const { secret } = await setUp();
    const other = (await login(codeOf(secret))).body.data.token;
    service.clock.advance(30_000);
    const remove = (body: object) => service.call('post', '/session/second-factor/removal', body);
    const code = codeOf(secret);
    expect((await remove({ current: 'wrong', code })).body.errors).toHaveProperty('current');
    expect((await remove({ current: PASSWORD, code: '000000' })).body.code).toBe('second_factor_invalid');
    expect((await remove({ current: PASSWORD, code })).status).toBe(200);
    expect((await sessionOf(other)).status).toBe(401);
    expect((await login()).status).toBe(201);
    expect((await typesOf(await ownId())).slice(-2)).toEqual([
      'OperatorSecondFactorRemoved',
      'OperatorSessionsEnded',
    ]);
  });

  it('of one’s own is bounded, also for a thief with the session and the password', async () => {
    await setUp();
    const guess = async () =>
      (await service.call('post', '/session/second-factor/removal', { current: PASSWORD, code: '000000' }))
        .status;
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await guess()).toBe(422);
    expect(await guess()).toBe(429);
  });

  it('is an admin’s for others in scope, never for oneself', async () => {
    const own = await service.call('delete', `/operators/${await ownId()}/second-factor`);
    expect([own.status, own.body.code]).toEqual([409, 'own_second_factor']);
    const bob = { email: 'bob@example.com', password: 'bob has a password', role: 'admin' };
    await service.addOperator(bob);
    const { secret } = await setUp();
    const { body } = await request(service.server)
      .post('/api/operator/sessions')
      .send({ email: bob.email, password: bob.password });
    const reset = await request(service.server)
      .delete(`/api/operator/operators/${await ownId()}/second-factor`)
      .set('Authorization', `Bearer ${body.data.token}`);
    expect([reset.status, reset.body.data.second_factor]).toEqual([200, false]);
    // All sessions of the one whose factor went have ended.
    expect((await service.call('get', '/session')).status).toBe(401);
    expect((await login(codeOf(secret))).status).toBe(201);
  });
});
