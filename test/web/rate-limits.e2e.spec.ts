import { systemClock } from '#kernel/clock.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import { MemoryCounters } from '#eventsourcing/documents/counted-window.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { RawClient } from '../system/hostile/raw-client.js';
import { GOOD_BODY, startTestApplication } from './support/test-application.js';
import type { TestApplication } from './support/test-application.js';

let app: TestApplication;
beforeEach(async () => {
  app = await startTestApplication({ environment: { RATE_LIMIT_PMS_WRITES: '3', RATE_LIMIT_PMS_BULK: '1' } });
});
afterEach(() => app.close());

describe('a route counted per company', () => {
  it('tells what is left, and refuses with the exact seconds to wait', async () => {
    const left: unknown[] = [];
    for (let call = 0; call < 3; call += 1) {
      const answer = await app.put();
      expect(answer.headers['ratelimit-policy']).toBe('"pms-write";q=3;w=60');
      left.push(answer.headers['ratelimit']);
    }
    expect(left).toEqual([2, 1, 0].map((remaining) => `"pms-write";r=${remaining};t=60`));
    const refused = await app.put();
    expect([refused.status, refused.body]).toEqual([
      429,
      { code: 'rate_limited', message: 'Too many attempts. Please try again in 60 seconds.' },
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(59);
    expect(refused.headers['ratelimit']).toBe(`"pms-write";r=0;t=${refused.headers['retry-after']}`);
    expect(app.work.runs).toHaveLength(3);
  });

  it('counts each company and each policy on its own', async () => {
    for (let call = 0; call < 4; call += 1) await app.put();
    expect((await app.put().set('Authorization', 'Bearer token-b')).status).toBe(201);
    const bulk = await app.client.patch('/api/v2/things').set('Authorization', 'Bearer token-a').send({});
    expect([bulk.status, bulk.headers['ratelimit-policy']]).toEqual([200, '"pms-bulk";q=1;w=60']);
  });

  it('counts bodies that validation refuses or that cannot be read', async () => {
    const broken = await app.put().set('Content-Type', 'application/json').send('{');
    expect([broken.status, broken.headers['ratelimit']]).toEqual([400, '"pms-write";r=2;t=60']);
    const invalid = await app.put(undefined, { ...GOOD_BODY, nonsense: 1 });
    expect([invalid.status, invalid.headers['ratelimit']]).toEqual([422, '"pms-write";r=1;t=60']);
  });

  it.each(['', 'Idempotency-Key: new\r\n'])(
    'that is used up reads no byte of a body, with the header %j',
    async (header) => {
      for (let call = 0; call < 3; call += 1) await app.put('old');
      for (let call = 0; call < 3; call += 1) await app.put();
      const client = new RawClient(app.port);
      const refused = await client.exchange(
        `PUT /api/v2/things/u1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-a\r\n${header}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`,
      );
      expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([429, '"pms-write";q=3;w=60']);
      client.close();
      const replayed = await app.put('old');
      expect([replayed.status, replayed.headers['idempotency-replayed']]).toEqual([201, 'true']);
      expect((await app.put('old', { ...GOOD_BODY, pms_tenant_id: 'T2' })).status).toBe(429);
    },
  );

  it('counts no replay, but another body under the same key', async () => {
    const left = async (body = GOOD_BODY) => (await app.put('key', body)).headers['ratelimit'];
    expect(await left()).toBe('"pms-write";r=2;t=60');
    expect(await left()).toBe('"pms-write";r=2;t=60');
    expect(await left({ ...GOOD_BODY, pms_tenant_id: 'T2' })).toBe('"pms-write";r=1;t=60');
  });

  it('counts an unreadable body under a key that has its answer', async () => {
    await app.put('old');
    const broken = await app.put('old').set('Content-Type', 'application/json').send('{');
    expect([broken.status, broken.headers['ratelimit']]).toEqual([400, '"pms-write";r=1;t=60']);
  });

  it('accepts requests again when the window is over', async () => {
    const now = jest.spyOn(Date, 'now');
    const start = Date.now();
    now.mockReturnValue(start);
    for (let call = 0; call < 4; call += 1) await app.put();
    now.mockReturnValue(start + 59_999);
    expect((await app.put()).status).toBe(429);
    now.mockReturnValue(start + 60_000);
    expect((await app.put()).status).toBe(201);
    now.mockRestore();
  });
});

describe('an operator', () => {
  const ask = (path: string) =>
    operated.client.get(`/api/operator/${path}`).set('Authorization', 'Bearer session-o');
  let operated: TestApplication;
  beforeEach(async () => {
    operated = await startTestApplication({
      environment: { RATE_LIMIT_OPERATORS: '2', RATE_LIMIT_READS: '1' },
    });
  });
  afterEach(() => operated.close());

  it('has one quota for all routes, and is told what is left of it', async () => {
    const first = await ask('me');
    expect([first.status, first.headers['ratelimit-policy'], first.headers['ratelimit']]).toEqual([
      200,
      '"operator-requests";q=2;w=60',
      '"operator-requests";r=1;t=60',
    ]);
    expect((await ask('policy')).status).toBe(200);
    const refused = await ask('me');
    expect([refused.status, refused.headers['ratelimit']]).toEqual([
      429,
      `"operator-requests";r=0;t=${refused.headers['retry-after']}`,
    ]);
  });

  it('takes nothing of the quota of a company', async () => {
    await ask('policy');
    const token = operated.client.get('/api/operator/policy').set('Authorization', 'Bearer token-a');
    expect((await token).status).toBe(200);
  });
});

describe('limits that a handler applies itself', () => {
  const limits = () => {
    const made = new RateLimits(readEnvironment({}), new MemoryCounters(systemClock), systemClock);
    made.define({ name: 'otp-request', limit: 5, windowSeconds: 60 });
    made.define({ name: 'otp-cooldown', limit: 1, windowSeconds: 30 });
    return made;
  };

  it('count a key until it is used up, and forget it when asked to', async () => {
    const made = limits();
    for (let left = 4; left >= 0; left -= 1) {
      expect(await made.consume('otp-request', '+15551234567')).toEqual({
        allowed: true,
        limit: 5,
        remaining: left,
        resetSeconds: 60,
      });
    }
    expect((await made.consume('otp-request', '+15551234567')).allowed).toBe(false);
    expect((await made.peek('otp-request', '+15551234567')).allowed).toBe(false);
    expect((await made.peek('otp-request', '+15557654321')).remaining).toBe(5);
    await made.reset('otp-request', '+15551234567');
    expect((await made.consume('otp-request', '+15551234567')).allowed).toBe(true);
  });

  it('name their own window', async () => {
    const made = limits();
    await made.enforce('otp-cooldown', '+15551234567');
    await expect(made.enforce('otp-cooldown', '+15551234567')).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      message: 'Too many attempts. Please try again in 30 seconds.',
      headers: { 'Retry-After': '30' },
    });
  });

  it('refuse a policy that nobody defined, and one that is defined twice', async () => {
    const made = limits();
    await expect(made.consume('nonsense', 'x')).rejects.toThrow('There is no rate limit nonsense.');
    expect(() => made.define({ name: 'otp-request', limit: 1, windowSeconds: 1 })).toThrow('defined twice');
  });

  it('pass on the failure of a shared store', async () => {
    const failing = { count: () => Promise.reject(new Error('away')) };
    const made = new RateLimits(readEnvironment({}), failing, systemClock);
    await expect(made.consume('pms-write', 'x')).rejects.toThrow('away');
  });
});
