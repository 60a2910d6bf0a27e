import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { AppServer } from '../../../tools/demo/app-server.js';
import { sentCode } from '../../client/support/sent-code.js';
import { type Company, demand, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { newVisit, openChromium } from './chromium.js';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = '+13125550100';
const DAY = 86_400_000;

let browser: Browser | undefined;
let app: AppServer;
let service: Service;
let company: Company;
let hall: string;
let gate: string;

beforeAll(async () => {
  browser = await openChromium();
  app = await AppServer.listen();
  service = await Service.start({ environment: { CORS_ORIGINS: app.origin } });
  await app.serve(address());
  company = await service.company({
    pms_location_code: 'MAIN',
    name: 'Lake Street',
    timezone: 'America/Chicago',
  });
  const lease = { occupied: true, move_in_date: '2025-06-01' };
  const ada = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park', phone: PHONE };
  const firm = { pms_tenant_id: 'T-2', first_name: 'Park', last_name: 'and Sons', phone: PHONE };
  const bob = { pms_tenant_id: 'T-3', first_name: 'Bob', last_name: 'Lee' };
  const owed = { balance_due: 189, paid_through_date: '2025-08-31' };
  const units = [
    { crm_unit_id: 'A-101', ...lease, tenant: ada },
    { crm_unit_id: 'A-102', ...lease, tenant: firm },
    { crm_unit_id: 'A-103', ...lease, ...owed, tenant: bob },
  ];
  demand(200, await company.sync(units));
  const operate = async (status: number, ...call: Parameters<Service['operator']>) =>
    demand(status, await service.operator(...call));
  const place = `/locations/${company.locations.get('MAIN')}`;
  const { lock_id } = await operate(201, 'post', `${place}/locks`, { name: 'A-101 door' });
  const { unit_id } = await company.unit('A-101');
  await operate(200, 'put', `/units/${unit_id}/locks/${lock_id}`);
  const { tenant } = await operate(200, 'get', `/units/${unit_id}`);
  const { unit_id: owing } = await company.unit('A-103');
  await operate(200, 'put', `/units/${owing}/shares/${tenant.tenant_id}`);
  const { zone_id } = await operate(201, 'post', `${place}/zones`, { name: 'Hall' });
  await operate(200, 'put', `/zones/${zone_id}/units/${unit_id}`);
  const entry = { name: 'Gate', kind: 'gate', zone_ids: [zone_id] };
  const { entry_point_id } = await operate(201, 'post', `${place}/entry-points`, entry);
  [hall, gate] = [zone_id, entry_point_id];
});
afterAll(async () => {
  await browser?.close();
  app.close();
  await service.close();
});

const address = () => `http://127.0.0.1:${service.port}`;

/** Faults of a screen: what axe finds, in light and dark, and what is wider than the phone. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate<{ id: string }[]>('axe.run().then(({ violations }) => violations)');
    faults.push(...found.map(({ id }) => `${id}, ${colorScheme}`));
  }
  if ((await page.evaluate('document.documentElement.scrollWidth - innerWidth')) !== 0)
    faults.push('too wide');
  return faults;
}

async function reported(): Promise<string[]> {
  const { entries } = demand(200, await company.push('get', '/units/A-101/activity'));
  return entries.map(({ result, failure_code }: Record<string, string>) => failure_code ?? result);
}

/** What a request with reports is answered, in the service's place. */
async function reportsMeet(
  context: BrowserContext,
  page: Page,
  status: number,
  data?: object,
): Promise<void> {
  const headers = { 'Access-Control-Allow-Origin': new URL(page.url()).origin };
  const json = { message: 'Said by the test.', code: 'request_timeout', data };
  await context.route('**/logs', (route) => route.fulfill({ status, headers, json }));
}

/** A phone that begins at the service's time. */
async function phone(
  opened: Browser,
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await newVisit(opened, { viewport: { width: 390, height: 800 } });
  const page = await context.newPage();
  await page.clock.install({ time: service.clock.now() });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/ERR_FAILED|40[189]|422|429/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(app.origin);
  return { context, page, complaints };
}

it('a tenant signs in, sees what opens and why not, and opens a door with and without a network', async () => {
  if (browser === undefined) return;
  const { context, page, complaints } = await phone(browser);
  const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const ask = async (number: string) => {
    await page.getByLabel('Phone number', { exact: true }).fill(number);
    await page.getByRole('button', { name: 'Send me a code' }).click();
  };
  await ask('12');
  await said(/^The phone number has 7 to 15 digits\.$/);
  await ask('+44 20 7946 0018');
  await said('The facility does not know this number.');
  await ask('+1 312 555 0100');
  await said('A code is on its way.');
  await page.getByRole('button', { name: 'Another number' }).click();
  await ask('(312) 555-0100');
  await said('You can ask again in 30 seconds. A code that you have is still good.');
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel('The six digits').fill(await sentCode(service));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await said('This phone number has several accounts.');
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Ada Park, Lake Street' }).click();

  const unit = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await unit('A-101').getByText('You may open it.').waitFor();
  await unit('A-103').getByText('Lake Street, shared with you').waitFor();
  await unit('A-103').getByText('Closed. A payment for this unit is due.').waitFor();
  await unit('A-103').getByText('To get in: ask the tenant who shares it with you.').waitFor();
  await unit('A-101').getByText('With it you pass Gate.').waitFor();
  await unit('Gate').getByText('It leads to A-101').waitFor();
  await unit('Gate').getByText('You may open it.').waitFor();
  expect(await page.getByText('A-102').count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
  const open = page.getByRole('button', { name: 'Open A-101 door' });
  await open.click();
  await said('A-101 door is open.');
  await waitUntil(reported, ({ length }) => length === 1);
  await company.patch('A-101', { pms_lockout: true });
  await page.getByRole('button', { name: 'Ask again' }).click();
  await unit('A-101').getByText('Closed. The facility has locked this unit.').waitFor();
  await unit('Gate').getByText('Closed. Your units behind it are closed.').waitFor();
  await unit('Gate').getByText('To get in: do what one of these units says above.').waitFor();
  expect(await page.getByRole('status').textContent()).toBe('');
  await company.patch('A-101', { pms_lockout: false });
  await page.getByRole('button', { name: 'Ask again' }).click();
  await open.waitFor();

  await context.route(`${address()}/**`, (route) => route.abort());
  await page.reload();
  await said('There is no network. You see what was known last.');
  await page.getByText('No network: as of less than a minute ago.').waitFor();
  await open.click();
  await page.getByText('1 not reported yet').waitFor();
  service.manualClock.advance(2 * DAY);
  await page.clock.fastForward(2 * DAY);
  await page.getByText('No network: as of 48 hours ago.').waitFor();
  await unit('A-101').getByText('Its key has ended.').waitFor();
  await open.click();
  await said('A-101 door refused: the key has ended.');
  await page.getByText('2 not reported yet').waitFor();
  expect(await faultsOf(page)).toEqual([]);

  await context.unroute(`${address()}/**`);
  await page.clock.fastForward(60_000);
  await said('The network is back.');
  await page.getByText('not reported yet').waitFor({ state: 'detached' });
  expect(await reported()).toEqual(['key_expired', 'success', 'success']);
  await unit('A-101').getByText('Key until').waitFor();

  await reportsMeet(context, page, 408);
  await open.click();
  await page.getByText('1 not reported yet').waitFor();
  await context.unroute('**/logs');
  await reportsMeet(context, page, 201, { entries: [{ error: { code: 'no_access_then', message: '' } }] });
  await page.getByRole('button', { name: 'Ask again' }).click();
  await said('A report of a tap was refused.');
  await page.getByText('not reported yet').waitFor({ state: 'detached' });
  await context.unroute('**/logs');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await said('You are signed out.');
  expect(await page.locator('body').textContent()).not.toContain('Ada Park');
  const left = await page.evaluate<string>('localStorage.getItem("tenant-app")');
  expect(JSON.parse(left)).toMatchObject({ token: null, reports: [] });
  expect(left).not.toContain('key');
  expect(complaints).toEqual([]);
  await context.close();
});

/** Signs in with a number of one account. */
async function signInAs(page: Page, number: string): Promise<void> {
  await page.getByLabel('Phone number', { exact: true }).fill(number);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByRole('status').filter({ hasText: 'A code is on its way.' }).waitFor();
  await page.getByLabel('The six digits').fill(await sentCode(service));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Ask again' }).waitFor();
}

const cardOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });

/** Puts a picture of a screen where `PICTURES` says, for people who look at it. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

describe('a shut door', () => {
  it('says why, how much, where to pay, whom to call, and which gate the unit opens', async () => {
    if (browser === undefined) return;
    const contact = { phone: '+13125550199', payment_url: 'https://pay.example.com/{pms_tenant_id}' };
    const place = `/locations/${company.locations.get('MAIN')}`;
    const password = 'correct horse battery staple';
    demand(200, await service.operator('patch', place, { contact, proof: { current: password } }));
    const eve = { pms_tenant_id: 'T-9', first_name: 'Eve', last_name: 'Stone', phone: '+13125550109' };
    const owed = { balance_due: 342.75, paid_through_date: '2025-08-31' };
    const lease = { occupied: true, move_in_date: '2025-06-01' };
    demand(200, await company.sync([{ crm_unit_id: 'B-201', ...lease, ...owed, tenant: eve }]));
    const { unit_id } = await company.unit('B-201');
    demand(200, await service.operator('put', `/zones/${hall}/units/${unit_id}`));
    const { context, page, complaints } = await phone(browser);
    await signInAs(page, '(312) 555-0109');
    const unit = cardOf(page, 'B-201');
    await unit.getByText('Closed. A payment for this unit is due.').waitFor();
    await unit.getByText(/You owe \$342\.75\. It is paid through/).waitFor();
    const pay = unit.getByRole('link', { name: 'Pay online' });
    expect(await pay.getAttribute('href')).toBe('https://pay.example.com/T-9');
    const call = unit.getByRole('link', { name: /^Call/ });
    expect(await call.getAttribute('href')).toBe('tel:+13125550199');
    await unit.getByText('With it you pass Gate.').waitFor();
    await picture(page, 'shut');
    expect(await faultsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

it('a tenant invites somebody, who accepts with the code, and ends it again', async () => {
  if (browser === undefined) return;
  const place = `/locations/${company.locations.get('MAIN')}`;
  demand(200, await service.operator('patch', place, { tenant_sharing: true }));
  const kim = { pms_tenant_id: 'T-7', first_name: 'Kim', last_name: 'Reed', phone: '+13125550107' };
  const lease = { occupied: true, move_in_date: '2025-06-01' };
  demand(200, await company.sync([{ crm_unit_id: 'C-301', ...lease, tenant: kim }]));
  const host = await phone(browser);
  await signInAs(host.page, '(312) 555-0107');
  await host.page.getByRole('button', { name: 'Share C-301' }).click();
  expect(await faultsOf(host.page)).toEqual([]);
  await host.page.getByLabel('Name').fill('Max Ortiz');
  await host.page.getByLabel('Their phone number').fill('(312) 555-0108');
  const until = new Date(service.clock.now() + 7 * DAY).toISOString().slice(0, 16);
  await host.page.getByLabel(/^Until/).fill(until);
  await picture(host.page, 'share-form');
  await host.page.getByRole('button', { name: 'Invite' }).click();
  const told = await cardOf(host.page, 'C-301')
    .getByText(/Tell them this code yourself: \d{6}/)
    .textContent();
  const code = /\d{6}/.exec(told!)![0];
  await picture(host.page, 'share-invited');
  expect(await faultsOf(host.page)).toEqual([]);

  const guest = await phone(browser);
  await signInAs(guest.page, '(312) 555-0108');
  await guest.page.getByText(/^Somebody shares a unit at Lake Street with you, until/).waitFor();
  await picture(guest.page, 'share-offered');
  expect(await faultsOf(guest.page)).toEqual([]);
  const typed = guest.page.getByLabel('The six digits that they told you');
  await typed.fill(code === '000000' ? '000001' : '000000');
  await guest.page.getByRole('button', { name: 'Accept' }).click();
  await guest.page.getByRole('status').filter({ hasText: 'The code is wrong.' }).waitFor();
  await typed.fill(code);
  await guest.page.getByRole('button', { name: 'Accept' }).click();
  await cardOf(guest.page, 'C-301')
    .getByText(/Lake Street, shared with you until/)
    .waitFor();
  await cardOf(guest.page, 'C-301').getByText('You may open it.').waitFor();
  await picture(guest.page, 'share-accepted');
  expect(await faultsOf(guest.page)).toEqual([]);

  await host.page.getByRole('button', { name: 'Ask again' }).click();
  await host.page.getByRole('button', { name: 'End this share' }).click();
  await host.page.getByRole('status').filter({ hasText: 'It is ended.' }).waitFor();
  await guest.page.getByRole('button', { name: 'Ask again' }).click();
  await guest.page.getByText('Nothing is rented by you or shared with you at the moment.').waitFor();
  expect(await guest.page.getByText('C-301').count()).toBe(0);
  expect([...host.complaints, ...guest.complaints]).toEqual([]);
  await host.context.close();
  await guest.context.close();
});

it('a holder of a pass sees what it opens apart, with keys', async () => {
  if (browser === undefined) return;
  const place = `/locations/${company.locations.get('MAIN')}`;
  demand(200, await company.sync([{ crm_unit_id: 'D-401', occupied: false }]));
  const { unit_id } = await company.unit('D-401');
  const { lock_id } = demand(201, await service.operator('post', `${place}/locks`, { name: 'D-401 door' }));
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  const pass = {
    ...{ name: 'Nia Cole', phone: '+13125550110', reason: 'vendor' },
    ...{ entry_point_ids: [gate], unit_ids: [unit_id] },
    until: new Date(service.clock.now() + DAY).toISOString(),
  };
  demand(201, await service.operator('post', `${place}/passes`, pass));
  const { context, page, complaints } = await phone(browser);
  await signInAs(page, '(312) 555-0110');
  const held = page.getByRole('region', { name: 'Passes' });
  await held.getByText(/^Your pass, until/).waitFor();
  await held.getByRole('button', { name: 'Open Gate' }).waitFor();
  await held.getByRole('button', { name: 'Open D-401 door' }).click();
  await page.getByRole('status').filter({ hasText: 'D-401 door is open.' }).waitFor();
  await page.getByText('not reported yet').waitFor({ state: 'detached' });
  await picture(page, 'passes');
  expect(await faultsOf(page)).toEqual([]);
  expect(await page.getByRole('region', { name: 'Units' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

it('takes the colours, sizes and letters of the dashboard as they are', () => {
  const shared = ['tokens.css', 'inter.woff2', 'LICENSES.txt'];
  const root = join(__dirname, '..', '..', '..');
  const read = (folder: string) => shared.map((name) => readFileSync(join(root, folder, name), 'base64'));
  expect(read('examples/tenant-app')).toEqual(read('src/dashboard/assets/static'));
});

it('has words for every reason and state that denies', async () => {
  if (browser === undefined) return;
  const { context, page } = await phone(browser);
  const known = await page.evaluate<string[]>(
    'import("/words.js").then(({ REASONS, STATES }) => [...Object.keys(REASONS), ...Object.keys(STATES)])',
  );
  const { body } = await service.call('get', '/api/v2/openapi.json');
  const { AccessReason, AccessState } = body.components.schemas;
  const opening = ['active', 'pms_exempt', 'system_exempt', 'tenant_permitted', 'tenant_denied'];
  const denying = [...AccessReason.enum, ...AccessState.enum].filter((one: string) => !opening.includes(one));
  expect(known.sort()).toEqual(denying.sort());
  await context.close();
});
