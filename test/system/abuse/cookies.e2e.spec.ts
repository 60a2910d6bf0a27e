import { demand, Service } from '../../support/service.js';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
const TLS = { 'X-Forwarded-Proto': 'https' };

let service: Service;
/** Believes no proxy. */
let alone: Service;
beforeAll(async () => {
  service = await Service.start({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  alone = await Service.start();
});
afterAll(async () => {
  await service.close();
  await alone.close();
});

/** The answer to a sign-in on the dashboard. */
function signIn(at: Service, headers: Record<string, string> = {}) {
  return fetch(`http://127.0.0.1:${at.port}/dashboard/sign-in`, {
    method: 'post',
    body: new URLSearchParams({ email: EMAIL, password: PASSWORD }),
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
  });
}

const who = (at: Service, cookie: string, headers: Record<string, string> = {}) =>
  at.call('get', '/api/operator/session', { headers: { Cookie: cookie, ...headers } });

describe('the cookies of a browser', () => {
  it('over TLS are this host’s own and sent over TLS alone, and the browser keeps to TLS', async () => {
    const answer = await signIn(service, TLS);
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-operator_device=[\w-]+; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure$/,
      ),
      expect.stringMatching(
        /^__Host-operator_session=[\w-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
    const session = cookies[1]!.split(';')[0]!;
    demand(200, await who(service, session, TLS));
    // Elsewhere the name is another.
    expect((await who(service, session)).status).toBe(401);
  });

  it('over TLS are not those that a neighbour of the domain or a plain connection has planted', async () => {
    const { token } = demand(
      201,
      await service.call('post', '/api/operator/sessions', { body: { email: EMAIL, password: PASSWORD } }),
    );
    demand(200, await who(service, `operator_session=${token}`));
    expect((await who(service, `operator_session=${token}`, TLS)).status).toBe(401);
  });

  it('are plain where nobody who is trusted speaks of TLS', async () => {
    const answer = await signIn(alone, TLS);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^operator_device=[\w-]+; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^operator_session=[\w-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
    ]);
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  it('over TLS are forgotten by signing out', async () => {
    const cookies = (await signIn(service, TLS)).headers.getSetCookie();
    const answer = await fetch(`http://127.0.0.1:${service.port}/dashboard/sign-out`, {
      method: 'post',
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'same-origin', Cookie: cookies[1]!.split(';')[0]!, ...TLS },
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-operator_session=; .*Max-Age=0.*Secure$/),
    ]);
  });
});
