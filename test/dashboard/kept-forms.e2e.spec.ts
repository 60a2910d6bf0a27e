import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { type Company, demand, Service } from '../support/service.js';
import { signInAtProvider, TestIdentityProvider } from '../support/identity-provider.js';
import { ManualClock } from '../support/manual-clock.js';
import { type Fields, PASSWORD, Visitor } from './support/visitor.js';

const ADA = 'ada@example.com';
/** Longer than a session lasts without a request, in milliseconds. */
const IDLE_MS = 61 * 60_000;
const COOKIE = 'operator_form';
const BACK = 'You were signed out before this was sent: nothing was saved.';
const KEPT = 'Sign in, and the form comes back as you filled it in.';
const NOT_KEPT = 'nothing was saved. Sign in to come back to the form.';

let service: Service;
let company: Company;

const origin = () => `http://127.0.0.1:${service.port}`;
const unitPath = async () => `/dashboard/units/${(await company.unit('A-1')).unit_id}`;

/** Fills in a form of a page and sends it after the session has ended. */
async function sendLate(
  visitor: Visitor,
  { page, form, fields }: { page: string; form: string; fields: Fields },
  headers: Record<string, string> = {},
): Promise<void> {
  await visitor.visit(page);
  const { action, values } = visitor.form(form);
  service.manualClock.advance(IDLE_MS);
  await visitor.post(action, { ...values, ...fields }, { Referer: `${origin()}${page}`, ...headers });
}

const signIn = (visitor: Visitor, email = ADA) => visitor.submit('sign-in', { email, password: PASSWORD });

const newCompany = (name: string) => ({ page: '/dashboard/companies', form: 'company', fields: { name } });

async function companyNames(): Promise<readonly string[]> {
  const { companies } = demand(200, await service.operator('get', '/companies'));
  return (companies as { name: string }[]).map(({ name }) => name);
}

describe('a form that is sent after the session has ended', () => {
  beforeAll(async () => {
    service = await Service.start();
    company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
    const rented = { occupied: true, move_in_date: '2025-06-01', pms_tenant_id: 'T-1' };
    demand(200, await company.sync([{ ...rented, crm_unit_id: 'A-1' }]));
  });
  afterAll(() => service.close());

  it('comes back filled in after a sign-in by password, and nothing was saved', async () => {
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('Typed "<b>" once'));
    expect(visitor.text).toContain(KEPT);
    await signIn(visitor);
    expect(visitor.shown.path).toBe('/dashboard/companies');
    expect(visitor.text).toContain(BACK);
    expect(visitor.form('company').values).toMatchObject({ name: 'Typed "<b>" once' });
    expect(visitor.html).not.toContain('Typed "<b>"');
    expect(await companyNames()).not.toContain('Typed "<b>" once');
  });

  it('is sent by its own button, once', async () => {
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('Sent again'));
    await signIn(visitor);
    await visitor.submit('company');
    expect(visitor.text).toContain('The company is added.');
    expect((await companyNames()).filter((name) => name === 'Sent again')).toHaveLength(1);
  });

  it('comes back after a wrong password, too', async () => {
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('Patient'));
    await visitor.submit('sign-in', { email: ADA, password: 'wrong one entirely' });
    await signIn(visitor);
    expect(visitor.form('company').values).toMatchObject({ name: 'Patient' });
  });

  it('comes back once: the page is empty when it is loaded again', async () => {
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('Once'));
    await signIn(visitor);
    await visitor.visit('/dashboard/companies');
    expect(visitor.text).not.toContain(BACK);
    expect(visitor.form('company').values).toMatchObject({ name: '' });
  });

  it('comes back in its open drawer', async () => {
    const visitor = await Visitor.signedIn(service);
    const fields = { email: 'new@example.com', role: 'manager' };
    await sendLate(visitor, { page: '/dashboard/operators', form: 'operator', fields });
    await signIn(visitor);
    expect(visitor.html).toMatch(/class="drawer[^"]* open"/);
    expect(visitor.form('operator').values).toMatchObject(fields);
  });

  it('comes back as the one of two that send to the same address', async () => {
    const visitor = await Visitor.signedIn(service);
    const fields = { reason: 'Lost the key' };
    await sendLate(visitor, { page: await unitPath(), form: 'lock-out', fields });
    await signIn(visitor);
    expect(visitor.form('lock-out').values).toMatchObject(fields);
    expect(visitor.form('let-in').values).toMatchObject({ reason: '' });
  });

  it('of a part of a page leads the whole page to the sign-in', async () => {
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('By htmx'), { 'HX-Request': 'true' });
    expect(visitor.shown.status).toBe(200);
    const path = visitor.shown.headers['hx-redirect'] as string;
    expect(path).toBe('/dashboard/sign-in?next=%2Fdashboard%2Fcompanies&done=form_kept');
    await visitor.visit(path);
    await signIn(visitor);
    expect(visitor.form('company').values).toMatchObject({ name: 'By htmx' });
  });

  it('whose page has nothing to fill in says that nothing was done', async () => {
    const visitor = await Visitor.signedIn(service);
    await visitor.visit('/dashboard/account');
    service.manualClock.advance(IDLE_MS);
    const Referer = `${origin()}/dashboard/account`;
    await visitor.post('/dashboard/companies', { name: 'Elsewhere' }, { Referer });
    await signIn(visitor);
    expect(visitor.text).toContain('You were signed out before it was sent: nothing was done.');
  });

  it('is shown to nobody else who signs in, and not to its sender after that', async () => {
    const other = `other-${Date.now()}@example.com`;
    await service.addOperator({ email: other, password: PASSWORD, role: 'admin' });
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('Between us'));
    await signIn(visitor, other);
    expect(visitor.shown.path).toBe('/dashboard/companies');
    expect(visitor.html).not.toContain('Between us');
    expect(visitor.cookies).not.toContain(COOKIE);
  });

  it('is nowhere in clear text while nobody is signed in', async () => {
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('Behind the counter'));
    expect(visitor.html).not.toContain('Behind the counter');
    const sealed = /operator_form=([^;]+)/.exec(visitor.cookies)![1]!;
    const bytes = Buffer.from(sealed.split('.')[1]!, 'base64url').toString('latin1');
    expect(bytes).not.toContain('Behind');
  });

  it('is forgotten after half an hour', async () => {
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('Too late'));
    service.manualClock.advance(31 * 60_000);
    await signIn(visitor);
    expect(visitor.html).not.toContain('Too late');
  });

  it('keeps no password', async () => {
    const visitor = await Visitor.signedIn(service);
    const fields = { current: 'my old password', next: 'my new password' };
    await sendLate(visitor, { page: '/dashboard/account', form: 'password', fields });
    await signIn(visitor);
    expect(visitor.text).toContain(BACK);
    expect(visitor.html).not.toMatch(/my (old|new) password/);
  });

  it('that is large is not kept, and the sign-in says so', async () => {
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('x'.repeat(9_000)));
    expect(visitor.text).toContain(NOT_KEPT);
    expect(visitor.cookies).not.toContain(COOKIE);
  });

  it('that hardly shrinks is not kept beyond what a cookie holds', async () => {
    const visitor = await Visitor.signedIn(service);
    const hashes = Array.from({ length: 100 }, (_, at) => createHash('sha256').update(`${at}`).digest('hex'));
    await sendLate(visitor, newCompany(hashes.join('')));
    expect(visitor.text).toContain(NOT_KEPT);
    expect(visitor.cookies).not.toContain(COOKIE);
  });

  it.each<Record<string, string>>([
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'http://sub.127.0.0.1', 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
  ])('from elsewhere is not kept: %j', async (headers) => {
    const visitor = await Visitor.signedIn(service);
    await sendLate(visitor, newCompany('Planted'), headers);
    expect(visitor.cookies).not.toContain(COOKIE);
    await visitor.visit('/dashboard/sign-in?next=/dashboard/companies');
    await signIn(visitor);
    expect(visitor.html).not.toContain('Planted');
  });

  it('of somebody who never signed in here is not kept', async () => {
    const visitor = new Visitor(service);
    await visitor.post('/dashboard/companies', { name: 'Stranger' });
    expect(visitor.cookies).not.toContain(COOKIE);
  });

  it.each(['', 'x', '1.', '1.AAAA', `1.${'A'.repeat(3_000)}`])(
    'that somebody made up is ignored: %j',
    async (value) => {
      const visitor = await Visitor.signedIn(service);
      const shown = await visitor.visit('/dashboard/companies', {
        Cookie: `${visitor.cookies}; ${COOKIE}=${value}`,
      });
      expect(shown.status).toBe(200);
      expect(visitor.text).not.toContain(BACK);
    },
  );

  it('that another operator had kept fills in nothing in the browser of a victim', async () => {
    const attacker = await Visitor.of(service, 'admin');
    await sendLate(attacker, newCompany('Attack'));
    const planted = /operator_form=[^;]+/.exec(attacker.cookies)![0];
    const victim = await Visitor.signedIn(service);
    await victim.visit('/dashboard/companies', { Cookie: `${victim.cookies}; ${planted}` });
    expect(victim.shown.status).toBe(200);
    expect(victim.html).not.toContain('Attack');
  });

  it('comes back after the code of a second factor', async () => {
    const email = `factor-${Date.now()}@example.com`;
    await service.addOperator({ email, password: PASSWORD, role: 'manager' });
    const visitor = await Visitor.signedIn(service, email);
    await visitor.visit('/dashboard/account/second-factor');
    await visitor.submit('begin', { current: PASSWORD });
    const secret = /id="factor-secret">([A-Z2-7]+)</.exec(visitor.html)![1]!;
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: service.clock.now() });
    await visitor.submit('set', { code: code() });
    await sendLate(visitor, newCompany('With a code'));
    await signIn(visitor, email);
    await visitor.submit('code', { code: code() });
    expect(visitor.form('company').values).toMatchObject({ name: 'With a code' });
  });
});

describe('a form that is sent after a session by single sign-on has ended', () => {
  it('comes back after the next sign-on', async () => {
    const provider = await TestIdentityProvider.start();
    service = await Service.start({
      clock: new ManualClock(new Date().valueOf()),
      environment: { ...provider.environment, OIDC_LABEL: 'Evergreen ID' },
    });
    try {
      await provider.trust(origin());
      const email = 'person@example.com';
      const operator_id = await service.addOperator({ email, password: PASSWORD, role: 'manager' });
      const { sub: subject } = provider.person;
      demand(200, await service.operator('put', `/operators/${operator_id}/sign-on`, { subject }));
      const visitor = await Visitor.signedIn(service, email);
      await visitor.visit('/dashboard/companies');
      await visitor.post('/dashboard/sign-out', {});
      const Referer = `${origin()}/dashboard/companies`;
      await visitor.post('/dashboard/companies', { name: 'By sign-on' }, { Referer });
      await visitor.visit(visitor.links.find((href) => href.startsWith('/dashboard/sign-on'))!);
      const { headers } = visitor.shown;
      const callback = await signInAtProvider(provider, headers['location'] as string);
      await visitor.visit(`${callback.pathname}${callback.search}`);
      await visitor.follow();
      expect(visitor.form('company').values).toMatchObject({ name: 'By sign-on' });
    } finally {
      await service.close();
      await provider.close();
    }
  });
});
