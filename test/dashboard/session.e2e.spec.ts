import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const EMAIL = 'ada@example.com';
/** Longer than a session lasts, in milliseconds. */
const SESSION = 13 * 60 * 60_000;
const PASSWORD = 'correct horse battery staple';

let service: Service;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());

const stranger = () => new Visitor(service);

describe('signing in', () => {
  it('is asked for by every page, which is shown then', async () => {
    const visitor = stranger();
    await visitor.visit('/dashboard/account?x=%2F%22');
    expect(visitor.shown).toMatchObject({
      status: 200,
      path: '/dashboard/sign-in?next=%2Fdashboard%2Faccount%3Fx%3D%252F%2522',
    });
    await visitor.submit('sign-in', { email: EMAIL, password: PASSWORD });
    expect(visitor.shown).toMatchObject({ status: 200, path: '/dashboard/account?x=%2F%22' });
    expect(visitor.text).toContain(EMAIL);
    expect(visitor.text).toContain('Scope All companies');
  });

  it('gives a session that no script sees and no other site sends', async () => {
    const body = new URLSearchParams({ email: EMAIL, password: PASSWORD });
    const send = (headers: object) =>
      fetch(`http://127.0.0.1:${service.port}/dashboard/sign-in`, {
        method: 'post',
        body,
        redirect: 'manual',
        headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
      });
    const cookieOf = (answer: Response) =>
      answer.headers.getSetCookie().find((line) => line.startsWith('operator_session='));
    expect(cookieOf(await send({}))).toMatch(
      /^operator_session=[\w-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
  });

  it('keeps the e-mail that was typed where the password is wrong, and never the password', async () => {
    const visitor = stranger();
    await visitor.visit('/dashboard/sign-in');
    expect(visitor.text).toContain('No account yet, or the password is lost? An admin sends you a link.');
    await visitor.submit('sign-in', { email: '"><script>@example.com', password: 'wrong-password' });
    expect(visitor.shown.status).toBe(401);
    expect(visitor.text).toContain('The e-mail or the password is wrong.');
    expect(visitor.form('sign-in').values).toMatchObject({ email: '"><script>@example.com', password: '' });
    expect(visitor.html).not.toContain('wrong-password');
    expect(visitor.html).not.toContain('"><script>@');
  });

  it('leads nowhere but to the dashboard', async () => {
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/dashboardx',
      '/dashboard/\\evil',
      '/dashboard\n/x',
      '/api/v2',
    ]) {
      const visitor = stranger();
      await visitor.visit(`/dashboard/sign-in?next=${encodeURIComponent(next)}`);
      expect(visitor.form('sign-in').values['next']).toBe('/dashboard');
      await visitor.submit('sign-in', { email: EMAIL, password: PASSWORD, next });
      expect(visitor.shown.path).toBe('/dashboard');
    }
  });

  it('ends with signing out, on the server too', async () => {
    const visitor = await Visitor.signedIn(service);
    await visitor.visit('/dashboard');
    const again = await Visitor.signedIn(service);
    await visitor.post('/dashboard/sign-out', {});
    expect(visitor.text).toContain('You are signed out.');
    await visitor.visit('/dashboard');
    expect(visitor.shown.path).toContain('/sign-in');
    expect((await again.visit('/dashboard')).path).toBe('/dashboard');
  });

  describe('that ended while a form was filled in', () => {
    const send = async (referer: string) => {
      const visitor = await Visitor.signedIn(service);
      await visitor.visit('/dashboard/account');
      const { values } = visitor.form('password');
      service.manualClock.advance(SESSION);
      await visitor.post('/dashboard/account/password', values, { Referer: referer });
      return visitor;
    };

    it('says that nothing was saved, and leads back to the page of the form', async () => {
      const visitor = await send(`http://127.0.0.1:${service.port}/dashboard/account?a=1&done=password`);
      expect(visitor.text).toContain('You were signed out meanwhile: nothing was saved.');
      await visitor.submit('sign-in', { email: 'ada@example.com', password: PASSWORD });
      expect(visitor.shown.path).toBe('/dashboard/account?a=1');
      expect(visitor.text).not.toContain('Your password is changed');
    });

    it.each(['', 'https://elsewhere.example/api', 'nonsense'])('leads to Today from %j', async (referer) => {
      const visitor = await send(referer);
      expect(visitor.form('sign-in').values).toMatchObject({ next: '/dashboard' });
    });
  });

  it('that ended is signed out of without a word of forms', async () => {
    const visitor = await Visitor.signedIn(service);
    await visitor.visit('/dashboard');
    service.manualClock.advance(SESSION);
    await visitor.post('/dashboard/sign-out', {});
    expect(visitor.text).toContain('You are signed out.');
  });

  it('asks again where a link of another site brought no cookie', async () => {
    const visitor = await Visitor.signedIn(service);
    const bounced = await visitor.visit('/dashboard/account', { 'Sec-Fetch-Site': 'cross-site' });
    expect([bounced.status, bounced.headers['refresh']]).toEqual([200, '0; url=/dashboard/account']);
  });
});

describe('a form', () => {
  const foreign: Record<string, string>[] = [
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'http://sub.127.0.0.1', 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
  ];

  it.each(foreign)('of another origin is refused: %j', async (headers) => {
    const visitor = await Visitor.signedIn(service);
    await visitor.post('/dashboard/companies', { name: 'Planted' }, headers);
    expect([401, 403]).toContain(visitor.shown.path.includes('sign-in') ? 401 : visitor.shown.status);
    const { companies } = demand(200, await service.operator('get', '/companies'));
    expect(JSON.stringify(companies)).not.toContain('Planted');
  });

  it('of which a browser on plain HTTP tells only the origin is held to that', async () => {
    const visitor = await Visitor.signedIn(service);
    const cookie = await sessionCookie();
    const send = (headers: Record<string, string>, path = 'sign-out', method = 'post') =>
      fetch(`http://127.0.0.1:${service.port}/dashboard/${path}`, {
        method,
        redirect: 'manual',
        headers: { Cookie: cookie, ...headers },
      });
    const own = { Origin: `http://127.0.0.1:${service.port}` };
    expect((await send({})).status).toBe(403);
    for (const Origin of ['null', 'http://127.0.0.1:1']) {
      const refused = await send({ Origin });
      // The cookie is nothing that comes from there, so that it is asked for.
      expect([refused.status, refused.headers.get('location')]).toEqual([303, '/dashboard/sign-in']);
      expect((await send({}, '', 'get')).status).toBe(200);
    }
    expect((await send(own)).status).toBe(303);
    expect((await send({}, '', 'get')).status).toBe(303);
    await visitor.visit('/dashboard');
    expect(visitor.shown.path).toBe('/dashboard');
  });

  it('is no JSON', async () => {
    const visitor = await Visitor.signedIn(service);
    await visitor.post('/dashboard/companies', { name: 'x' }, { 'Content-Type': 'application/json' });
    expect(visitor.shown.status).toBe(415);
  });

  async function sessionCookie(): Promise<string> {
    const body = { email: EMAIL, password: PASSWORD };
    const { token } = demand(201, await service.call('post', '/api/operator/sessions', { body }));
    return `operator_session=${token}`;
  }
});

describe('every page', () => {
  it('may load only what the service serves, and runs nothing inline', async () => {
    const visitor = await Visitor.signedIn(service);
    for (const path of ['/dashboard', '/dashboard/account', '/dashboard/nowhere', '/dashboard/sign-in']) {
      const { headers, html } = await visitor.visit(path);
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle="|\son\w+="/);
      expect(headers['cache-control']).toBe('no-store');
    }
    const redirect = await fetch(`http://127.0.0.1:${service.port}/`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([303, '/dashboard']);
    expect(redirect.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('has its files under names that change with them, kept for a year', async () => {
    const visitor = stranger();
    await visitor.visit('/dashboard/sign-in');
    const files = [...visitor.html.matchAll(/"(\/dashboard\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files).toHaveLength(11);
    for (const path of files) {
      const { status, headers } = await visitor.visit(path);
      expect([path, status, headers['cache-control']]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect(headers['content-type']).toMatch(/^(text\/(css|javascript)|image\/svg\+xml|font\/woff2)/);
    }
    const { status, headers } = await visitor.visit('/dashboard/assets/dashboard.000000000000.css');
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  });

  it('that does not exist is a page as well', async () => {
    const visitor = await Visitor.signedIn(service);
    await visitor.visit('/dashboard/nowhere');
    expect(visitor.shown.status).toBe(404);
    expect(visitor.text).toContain('There is no such page');
  });
});

describe('a page that tells of a refusal', () => {
  const navigation = (role: string) => [
    ...['/dashboard', '/dashboard/companies', '/dashboard/audit'],
    ...(role === 'admin' ? ['/dashboard/operators', '/dashboard/companies'] : []),
    '/dashboard/account',
  ];

  it.each(['admin', 'auditor'] as const)('leads on to whatever a role sees, here %s', async (role) => {
    const visitor = await Visitor.of(service, role);
    const refused: [number, () => Promise<unknown>][] = [
      [404, () => visitor.visit('/dashboard/nowhere')],
      [404, () => visitor.visit('/dashboard/units/none')],
      [422, () => visitor.visit('/dashboard/companies?cursor=none')],
      [403, () => visitor.post('/dashboard/companies', {}, { 'Sec-Fetch-Site': 'none' })],
      [415, () => visitor.post('/dashboard/audit/verify', { a: 'b' }, { 'Content-Type': 'text/html' })],
    ];
    if (role === 'auditor') refused.push([403, () => visitor.visit('/dashboard/operators')]);
    for (const [status, ask] of refused) {
      await ask();
      const { path } = visitor.shown;
      const own = visitor.links.filter((href) => href.startsWith('/') && href !== '#main');
      expect([path, visitor.shown.status, own]).toEqual([path, status, [...navigation(role), '/dashboard']]);
      expect(visitor.forms).toEqual([]);
      expect(visitor.html).toContain('role="search"');
      expect(visitor.html).not.toContain('/dashboard/sign-in');
    }
  });

  it('leads whoever is not signed in to where one does, and back', async () => {
    const visitor = stranger();
    await visitor.visit('/dashboard/nowhere?x=1');
    expect(visitor.shown.status).toBe(404);
    expect(visitor.links).toEqual(['#main', '/dashboard/sign-in?next=%2Fdashboard%2Fnowhere%3Fx%3D1']);
    await visitor.visit(visitor.links.at(-1)!);
    await visitor.submit('sign-in', { email: EMAIL, password: PASSWORD });
    expect(visitor.shown.path).toBe('/dashboard/nowhere?x=1');
    expect(visitor.links).toContain('/dashboard/operators');
  });

  it('tells another site’s frame or script of nobody', async () => {
    const visitor = await Visitor.signedIn(service);
    await visitor.visit('/dashboard/nowhere', { 'Sec-Fetch-Site': 'cross-site' });
    expect(visitor.html).not.toContain(EMAIL);
  });
});

describe('the account', () => {
  it('tells who is signed in, and takes a new password', async () => {
    const visitor = await Visitor.of(service, 'auditor');
    await visitor.visit('/dashboard/account');
    expect(visitor.text).toContain('auditor: may do nothing but look');
    await visitor.submit('password', { current: 'wrong one entirely', next: 'another long password' });
    expect(visitor.shown.status).toBe(422);
    expect(visitor.text).toContain('“Password now” is incorrect.');
    await visitor.submit('password', { current: PASSWORD, next: 'short' });
    expect(visitor.text).toContain('must be');
    await visitor.submit('password', { current: PASSWORD, next: 'another long password' });
    expect(visitor.shown.path).toBe('/dashboard/sign-in?done=password');
    expect(visitor.text).toContain('Your password is changed');
  });
});
