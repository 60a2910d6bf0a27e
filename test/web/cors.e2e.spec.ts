import { Draining } from '#web/server-lifecycle.js';
import { startTestApplication, type TestApplication } from './support/test-application.js';

const OURS = 'https://app.example';

describe.each([
  ['named', `${OURS},https://other.example`],
  ['not named', ''],
])('another origin that is %s', (_, CORS_ORIGINS) => {
  let app: TestApplication;
  beforeAll(async () => {
    app = await startTestApplication({ environment: { CORS_ORIGINS } });
  });
  afterAll(() => app.close());
  const isNamed = CORS_ORIGINS !== '';

  it('may call what it holds a token for, and read what limits and retries need, or not', async () => {
    const answer = await app.put().set('Origin', OURS);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([
      201,
      isNamed ? OURS : undefined,
    ]);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const exposed = String(answer.headers['access-control-expose-headers']).split(',');
    if (isNamed)
      expect(exposed).toEqual(expect.arrayContaining(['RateLimit', 'Retry-After', 'X-Request-Id']));
    const refused = await app.client.get('/api/v2/things').set('Origin', OURS);
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([
      401,
      isNamed ? OURS : undefined,
    ]);
  });

  it('is told beforehand what it may send, or that there is no such method', async () => {
    const asked = { Origin: OURS, 'Access-Control-Request-Method': 'PUT' };
    const answer = await app.client.options('/api/v2/things/u1').set(asked);
    expect(answer.status).toBe(isNamed ? 204 : 405);
    expect(answer.headers['x-request-id']).toBeDefined();
    if (!isNamed) return expect(answer.headers['access-control-allow-methods']).toBeUndefined();
    expect(answer.headers['access-control-allow-methods']).toContain('PUT');
    expect(answer.headers['access-control-allow-headers']).toContain('Idempotency-Key');
    expect(answer.headers['vary']).toContain('Origin');
  });

  it('may read a refusal that comes before any route, or not', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_none, place) => [`x-${place}`, '1']));
    const large = await app.client.get('/health').set({ ...many, Origin: OURS });
    const draining = app.application.get(Draining);
    draining.reason = 'starting';
    const asked = { Origin: OURS, 'Access-Control-Request-Method': 'PUT' };
    const preflight = await app.client.options('/api/v2/things/u1').set(asked);
    const early = await app.client.get('/health').set('Origin', OURS);
    draining.reason = undefined;
    expect([large.status, preflight.status, early.status]).toEqual([431, isNamed ? 204 : 503, 503]);
    for (const { headers } of [large, preflight, early])
      expect(headers['access-control-allow-origin']).toBe(isNamed ? OURS : undefined);
  });

  it('lets in no third origin', async () => {
    const answer = await app.put().set('Origin', 'https://evil.example');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});
