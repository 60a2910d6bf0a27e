import request from 'supertest';
import { readEnvironment } from '#kernel/environment/environment.js';
import {
  FirstOperator,
  OperatorAdministration,
  Operators,
  OperatorSessions,
  Passwords,
} from '#domain/operators/index.js';
import { runAtOnce } from '../../support/barrier.js';
import { removeDocuments } from '../../support/remove-documents.js';
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

const login = (email: string, password: string) =>
  request(service.server).post('/api/operator/sessions').send({ email, password });

describe('signing in', () => {
  it('gives a token for twelve hours, however the e-mail is written', async () => {
    const answer = await login('ADA@example.COM', PASSWORD);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      message: 'Request successful.',
      data: { token: expect.stringMatching(/^[\w-]{43}$/), expires_at: '2026-01-01T12:00:00.000Z' },
    });
    expect(answer.headers['ratelimit-policy']).toBe('"operator-login";q=5;w=60');
    for (let half = 1; half < 24; half += 1) {
      service.clock.advance(1_800_000);
      expect((await service.call('get', '/companies')).status).toBe(200);
    }
    service.clock.advance(1_800_000 - 1);
    expect((await service.call('get', '/companies')).status).toBe(200);
    service.clock.advance(1);
    expect((await service.call('get', '/companies')).status).toBe(401);
  });

  it('ends after an hour without a request, and is written once a minute at most', async () => {
    const written = jest.spyOn(service.records, 'write');
    for (let request = 0; request < 5; request += 1) {
      service.clock.advance(12_000);
      expect((await service.call('get', '/session')).status).toBe(200);
    }
    // One of the session, and one of when its operator was last seen.
    expect(written).toHaveBeenCalledTimes(2);
    service.clock.advance(3_600_000 - 1);
    expect((await service.call('get', '/session')).status).toBe(200);
    service.clock.advance(3_600_000);
    expect((await service.call('get', '/session')).status).toBe(401);
  });

  it('stays ended where it is signed out while its use is noted', async () => {
    const write = service.records.write.bind(service.records);
    service.clock.advance(60_000);
    jest.spyOn(service.records, 'write').mockImplementationOnce(async (noted) => {
      await service.application.get(OperatorSessions).end(service.token);
      return write(noted);
    });
    await service.call('get', '/session');
    expect((await service.call('get', '/session')).status).toBe(401);
  });

  it('keeps the token nowhere', async () => {
    const operator = await service.application.get(OperatorSessions).verify(service.token);
    expect(operator).toEqual({
      kind: 'operator',
      id: expect.stringMatching(/^\w{26}$/),
      role: 'admin',
      companies: null,
      sites: null,
      rights_version: 1,
    });
    const indexes = { by_operator: { fields: ['operator_id'] } };
    const sessions = await service.records.collection({
      name: 'operator_sessions',
      indexes,
      expiry: 'expires_at',
    });
    const stored = await sessions.findAny('by_operator', [operator!.id]);
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(service.token);
  });

  it('is refused in the same words for a wrong password and an unknown e-mail', async () => {
    for (const answer of [await login(EMAIL, 'wrong'), await login('nobody@example.com', PASSWORD)]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ code: 'unauthorized', message: 'Unauthorized.' });
    }
  });

  it('names the fields that are missing', async () => {
    const answer = await request(service.server).post('/api/operator/sessions').send({ email: EMAIL });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({ password: ['The password field is required.'] });
  });

  it('is refused after five failures in a minute, also with the right password and many at once', async () => {
    const outcomes = await runAtOnce(
      Array.from(
        { length: 8 },
        (_, index) => async () => (await login(EMAIL.toUpperCase(), `wrong ${index}`)).status,
      ),
    );
    const statuses = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 0)).sort();
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const answer = await login(EMAIL, PASSWORD);
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      code: 'rate_limited',
      message: 'Too many attempts. Please try again in 60 seconds.',
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await login('other@example.com', 'wrong')).status).toBe(401);
  });

  it('many times with the right password is no failure', async () => {
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await login(EMAIL, PASSWORD)).status).toBe(201);
  });
});

describe('signing out', () => {
  it('ends the session that asks and no other', async () => {
    const other = await service.login();
    expect((await service.call('delete', '/sessions')).body).toEqual({ message: 'Request successful.' });
    expect((await service.call('get', '/companies')).status).toBe(401);
    const answer = await request(service.server)
      .get('/api/operator/companies')
      .set('Authorization', `bearer ${other}`);
    expect(answer.status).toBe(200);
  });

  it('works with the cookie of the dashboard', async () => {
    const cookie = `operator_session=${service.token}`;
    const ended = await request(service.server).delete('/api/operator/sessions').set('Cookie', cookie);
    expect(ended.status).toBe(200);
    expect((await service.call('get', '/companies')).status).toBe(401);
  });
});

describe('the first operator', () => {
  const first = (variables: Record<string, string>) =>
    new FirstOperator(
      readEnvironment(variables),
      service.ids,
      service.application.get(Operators),
      service.application.get(OperatorAdministration),
      service.application.get(Passwords),
    );

  it('keeps the stored password while the environment says the same', async () => {
    expect(await first({ OPERATOR_EMAIL: EMAIL, OPERATOR_PASSWORD: PASSWORD }).ensure()).toEqual({
      email: EMAIL,
    });
    expect((await service.call('get', '/companies')).status).toBe(200);
  });

  it('takes a new password from the environment, and the sessions of the old one end', async () => {
    await first({ OPERATOR_EMAIL: EMAIL.toLowerCase(), OPERATOR_PASSWORD: 'another password' }).ensure();
    expect((await service.call('get', '/companies')).status).toBe(401);
    expect((await login(EMAIL, PASSWORD)).status).toBe(401);
    expect((await login(EMAIL, 'another password')).status).toBe(201);
  });

  it('leaves a password alone that was changed since, while the environment says the same', async () => {
    await service.call('patch', '/session/password', { current: PASSWORD, next: 'a new password' });
    await first({ OPERATOR_EMAIL: EMAIL, OPERATOR_PASSWORD: PASSWORD }).ensure();
    expect((await login(EMAIL, PASSWORD)).status).toBe(401);
    expect((await login(EMAIL, 'a new password')).status).toBe(201);
  });

  it('does not come back after somebody has removed it', async () => {
    const [{ operator_id }] = (await service.call('get', '/operators')).body.data.operators;
    const bob = { email: 'bob@example.com', password: 'bob has a password', role: 'admin' };
    await service.call('post', '/operators', bob);
    expect((await service.call('delete', `/operators/${operator_id}`)).status).toBe(200);
    await first({ OPERATOR_EMAIL: EMAIL, OPERATOR_PASSWORD: PASSWORD }).ensure();
    expect((await login(EMAIL, PASSWORD)).status).toBe(401);
    expect((await login(bob.email, bob.password)).status).toBe(201);
  });

  it('does not come back as another one after it was given another e-mail', async () => {
    const [{ operator_id }] = (await service.call('get', '/operators')).body.data.operators;
    const renamed = { email: 'ada.lovelace@example.com' };
    expect((await service.call('patch', `/operators/${operator_id}`, renamed)).status).toBe(200);
    await first({ OPERATOR_EMAIL: EMAIL, OPERATOR_PASSWORD: PASSWORD }).ensure();
    expect((await login(EMAIL, PASSWORD)).status).toBe(401);
    expect((await login(renamed.email, PASSWORD)).status).toBe(201);
  });

  it('is not made up where there is one', async () => {
    expect(await first({}).ensure()).toEqual({ email: EMAIL });
  });

  it('is made up once, however many processes start', async () => {
    const [{ operator_id }] = (await service.call('get', '/operators')).body.data.operators;
    await removeDocuments(service.records, { name: 'operators' }, [operator_id]);
    const made = await Promise.all([first({}).ensure(), first({}).ensure(), first({}).ensure()]);
    const passwords = made.flatMap(({ password }) => (password === undefined ? [] : [password]));
    expect(passwords).toHaveLength(1);
    expect((await login('operator@localhost', passwords[0]!)).status).toBe(201);
    expect(await first({}).ensure()).toEqual({ email: 'operator@localhost' });
  });
});
