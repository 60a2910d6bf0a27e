import { demand, Service } from '../../support/service.js';
import { statusCounts } from '../../support/status-counts.js';

const ATTACKER = '203.0.113.66';

const PRODUCTION = {
  NODE_ENV: 'production',
  KEY_MASTER_SECRET: 'a master secret for tests, 32 or more',
  SMS_PROVIDER: 'outbox',
  TRUSTED_PROXIES: '127.0.0.1',
};

let service: Service;
beforeEach(async () => {
  service = await Service.start({
    environment: PRODUCTION,
  });
});
afterEach(() => service.close());

/** A wrong password from an address, as the proxy in front of the service passes it on. */
const signIn = (chain: string, n: number, headers: Record<string, string> = {}) =>
  service.call('post', '/api/operator/sessions', {
    body: { email: `somebody-${n}@example.com`, password: 'wrong' },
    headers: { 'X-Forwarded-For': chain, ...headers },
  });

describe('behind a trusted proxy, in production', () => {
  it('addresses that a client makes up before its own give it no further sign-in', async () => {
    const tries = Array.from({ length: 25 }, (_, n) => signIn(`198.51.100.${n}, ${ATTACKER}`, n));
    expect(await statusCounts(tries)).toEqual({ 401: 20, 429: 5 });
  });

  it('a client that names the proxy as a further hop is known by its own address', async () => {
    const tries = Array.from({ length: 25 }, (_, n) => signIn(`192.0.2.${n}, ${ATTACKER}, 127.0.0.1`, n));
    expect(await statusCounts(tries)).toEqual({ 401: 20, 429: 5 });
  });

  it('other headers that name addresses are not read', async () => {
    const tries = Array.from({ length: 25 }, (_, n) => {
      const made = `198.51.100.${n}`;
      return signIn(ATTACKER, n, { Forwarded: `for=${made}`, 'X-Real-IP': made, 'X-Client-IP': made });
    });
    expect(await statusCounts(tries)).toEqual({ 401: 20, 429: 5 });
  });

  it('an address that is shut out shuts out no other, and no request with a credential', async () => {
    const company = await service.company();
    await statusCounts(Array.from({ length: 25 }, (_, n) => signIn(ATTACKER, n)));
    expect((await signIn('192.0.2.8', 0)).status).toBe(401);
    const token = await service.operatorToken();
    const headers = { 'X-Forwarded-For': ATTACKER };
    demand(200, await service.call('get', '/api/operator/session', { token, headers }));
    demand(200, await service.call('get', '/api/v2/units', { token: company.token, headers }));
  });
});
