import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import { Service } from '../support/service.js';
import { routesOf } from '../system/isolation/support/routes.js';
import { Visitor } from './support/visitor.js';

const PASSWORD = 'correct horse battery staple';
const PATH = '/dashboard/account/second-factor';

let service: Service;
afterEach(() => service.close());

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: service.clock.now() });

const secretIn = (visitor: Visitor) => /id="factor-secret">([A-Z2-7]+)</.exec(visitor.html)![1]!;
const codesIn = (visitor: Visitor) => visitor.html.match(/(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}/g)!;

/** Sets the visitor's second factor, and waits until the next code. */
async function setUp(visitor: Visitor): Promise<{ secret: string; codes: string[] }> {
  await visitor.visit('/dashboard/account/second-factor');
  await visitor.submit('begin', { current: PASSWORD });
  const secret = secretIn(visitor);
  await visitor.submit('set', { code: codeOf(secret) });
  expect(visitor.text).toContain('The second factor is on');
  const codes = codesIn(visitor);
  service.manualClock.advance(30_000);
  return { secret, codes };
}

async function operator(role: 'admin' | 'auditor' = 'auditor'): Promise<{ email: string; id: string }> {
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`;
  const body = { email, password: PASSWORD, role };
  return { email, id: await service.addOperator(body) };
}

describe('the second factor', () => {
  beforeEach(async () => {
    service = await Service.start();
  });

  it('is set up on the own page, asked for at sign-in and removed again', async () => {
    const { email } = await operator();
    const visitor = await Visitor.signedIn(service, email);
    await visitor.visit('/dashboard/account');
    expect(visitor.links).toContain(PATH);
    await visitor.visit('/dashboard/account/second-factor');
    await visitor.submit('begin', { current: PASSWORD });
    const secret = secretIn(visitor);
    const uri = visitor.links.find((href) => href.startsWith('otpauth:'))!;
    const { data } = encode(uri, { border: 4 });
    const drawn = [...visitor.html.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`);
    expect(drawn).toEqual(data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`${x} ${y}`] : []))));
    await visitor.submit('set', { code: '000000' });
    expect([visitor.shown.status, secretIn(visitor)]).toEqual([422, secret]);
    await visitor.submit('set', { code: codeOf(secret) });
    expect(codesIn(visitor)).toHaveLength(10);
    expect(visitor.shown.headers['cache-control']).toBe('no-store');
    await visitor.visit('/dashboard/account/second-factor');
    expect(visitor.text).toContain('Recovery codes left 10');
    expect(visitor.html).not.toContain(secret);

    service.manualClock.advance(30_000);
    const again = new Visitor(service);
    await again.visit('/dashboard/sign-in?next=%2Fdashboard%2Faccount');
    await again.submit('sign-in', { email, password: PASSWORD });
    expect(again.html).not.toContain(PASSWORD);
    await again.submit('code', { code: '000000' });
    expect([again.shown.status, again.text]).toEqual([401, expect.stringContaining('The code is wrong')]);
    await again.submit('code', { code: codeOf(secret) });
    expect(again.shown.path).toBe('/dashboard/account');

    service.manualClock.advance(30_000);
    await again.visit('/dashboard/account/second-factor');
    await again.submit('remove', { current: PASSWORD, code: codeOf(secret) });
    expect(again.shown.path).toBe(`${PATH}?done=factor_removed`);
    await visitor.visit('/dashboard');
    expect(visitor.shown.path).toContain('/sign-in');
  });

  it('has five minutes to be given, in which the account may not change', async () => {
    const { email } = await operator();
    const { secret } = await setUp(await Visitor.signedIn(service, email));
    const visitor = await Visitor.signedIn(service, email);
    service.manualClock.advance(300_000);
    await visitor.submit('code', { code: codeOf(secret) });
    expect(visitor.text).toContain('Sign in again');
    expect(visitor.forms).toContain('sign-in');
    await visitor.post('/dashboard/sign-in/code', { ticket: 'planted', code: codeOf(secret) });
    expect(visitor.text).toContain('Sign in again');
  });

  it('of another is removed by an admin', async () => {
    const { email, id } = await operator();
    const visitor = await Visitor.signedIn(service, email);
    await setUp(visitor);
    const admin = await Visitor.signedIn(service);
    await admin.visit('/dashboard/operators');
    await admin.submit(`factor-${id}`);
    expect(admin.text).toContain('The second factor is removed');
    await visitor.visit('/dashboard');
    expect(visitor.shown.path).toContain('/sign-in');
    expect((await Visitor.signedIn(service, email)).shown.path).toBe('/dashboard');
  });
});

describe('a session without the factor that is demanded', () => {
  beforeEach(async () => {
    service = await Service.start({ environment: { OPERATOR_REQUIRE_TOTP: 'true' } });
  });

  it('may set it and nothing else: of every route of the API and the dashboard', async () => {
    const token = await service.operatorToken();
    const admitted: string[] = [];
    const { routes, pages } = routesOf(service.application);
    for (const route of [...routes, ...pages].filter((one) => one.admitted.includes('operator'))) {
      if (route.name === 'DELETE /api/operator/sessions' || route.name === 'POST /dashboard/sign-out')
        continue;
      const path = route.name.split(' ')[1]!.replaceAll(/:\w+/g, '01JAAAAAAAAAAAAAAAAAAAAAAA');
      const page = path.startsWith('/dashboard');
      const answer = page
        ? await fetch(`http://127.0.0.1:${service.port}${path}`, {
            method: route.method.toUpperCase(),
            redirect: 'manual',
            headers: {
              Cookie: `operator_session=${token}`,
              'Sec-Fetch-Site': 'same-origin',
              'Content-Type': 'application/x-www-form-urlencoded',
            },
          })
        : await service.call(route.method, path, { token });
      const isRefused =
        'body' in answer && !page
          ? (answer as { body: { code?: string } }).body.code === 'second_factor_required'
          : answer.status === 303 && (answer as Response).headers.get('location') === PATH;
      if (!isRefused) admitted.push(route.name);
    }
    expect(admitted.sort()).toEqual([
      'GET /api/operator/session',
      'GET /api/operator/session/second-factor',
      'GET /dashboard/account/second-factor',
      'POST /api/operator/session/second-factor',
      'POST /api/operator/session/second-factor/removal',
      'POST /dashboard/account/second-factor/begin',
      'POST /dashboard/account/second-factor/remove',
      'POST /dashboard/account/second-factor/set',
      'PUT /api/operator/session/second-factor',
    ]);
  });

  it('is led to its page, and may do everything once it is set', async () => {
    const visitor = await Visitor.signedIn(service);
    expect(visitor.shown.path).toBe(PATH);
    expect(visitor.text).toContain('Everybody here must have a second factor');
    await setUp(visitor);
    expect((await visitor.visit('/dashboard/operators')).status).toBe(200);
  });
});
