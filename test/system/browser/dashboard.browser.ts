import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { localText } from '#dashboard/parts/words.js';
import { WebhookDispatcher } from '#domain/webhooks/index.js';
import { OFFICE_HOURS } from '../../domain/locations/hours/support/office-hours.js';
import { answering, Receiver } from '../../domain/webhooks/support/receiver.js';
import { type Company, demand, Service } from '../../support/service.js';
import { newVisit, openChromium } from './chromium.js';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
const LET_IN = /^Let in/;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser | undefined;
let service: Service;
let paths: string[];
let company_id: string;
let unit_path: string;
let location_path: string;
let receiver: Receiver;

/** A webhook that is failing, with a delivery that waits. @returns its page */
async function failingWebhook(company: Company): Promise<string> {
  const path = `/companies/${company.id}/webhooks`;
  const types = ['TenantMovedIn', 'TenantMovedOut'];
  const description = 'Doors of the app';
  const added = { url: receiver.url, types, description };
  const { webhook_id } = demand(201, await service.operator('post', path, added));
  receiver.reply = answering(500, 'Out of order: '.repeat(70));
  demand(202, await service.operator('post', `${path}/${webhook_id}/test`));
  const dispatcher = service.part(WebhookDispatcher);
  await dispatcher.runRound();
  await dispatcher.waitUntilIdle();
  return `/dashboard${path}/${webhook_id}`;
}

beforeAll(async () => {
  browser = await openChromium();
  receiver = await Receiver.start();
  service = await Service.start({
    environment: {
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: 'smtp://127.0.0.1:9',
      SMTP_FROM: 'access@example.com',
      PUBLIC_URL: 'http://localhost:3000',
    },
  });
  const company = await service.company({
    pms_location_code: 'MAIN',
    name: 'Lake Street',
    timezone: 'America/Chicago',
  });
  const tenant = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  const unit = { crm_unit_id: 'A-101', occupied: true, move_in_date: '2025-10-01', tenant };
  demand(200, await company.sync([unit, { crm_unit_id: 'A-102', occupied: false }]));
  company_id = company.id;
  const source = { name: 'PMS', url: 'https://pms.example/units', interval_seconds: 3600 };
  const added = await service.operator('post', `/companies/${company.id}/pull-sources`, source);
  const pulled = `/dashboard/pull-sources/${demand(201, added).pull_source_id}`;
  await company.patch('A-101', { balance_due: 189, paid_through_date: '2025-11-01' });
  const { unit_id } = await company.unit('A-101');
  const location = `/dashboard/locations/${company.locations.get('MAIN')}`;
  location_path = location;
  const epiphany = { date: '2026-01-06', name: 'Epiphany', hours: 'closed' };
  const access_hours = { ...OFFICE_HOURS, exceptions: [epiphany] };
  demand(
    200,
    await service.operator('patch', `/locations/${company.locations.get('MAIN')}`, { access_hours }),
  );
  unit_path = `/dashboard/units/${unit_id}`;
  service.manualClock.advance(10 * 60_000);
  const gate = { name: 'North gate', kind: 'gate', zone_ids: [] };
  const place = `/locations/${company.locations.get('MAIN')}/entry-points`;
  const { entry_point_id } = demand(201, await service.operator('post', place, gate));
  const { zone_id, lock_id } = await equip(company, unit_id);
  const { tenant_id } = demand(200, await service.operator('get', `/units/${unit_id}`)).tenant;
  const at = new Date(service.clock.now()).toISOString();
  const ofCompany = `/dashboard/companies/${company.id}`;
  demand(200, await service.operator('put', `/session/summaries/${company.id}`));
  const own = ['/dashboard/account', '/dashboard/account/summaries'];
  const home = ['/dashboard', '/dashboard/companies', ...own, ofCompany];
  const lists = ['units', 'tenants', 'gates', 'changes', 'pull-sources', 'api-tokens'].map(
    (part) => `${ofCompany}/${part}`,
  );
  const units = [
    `/dashboard/entry-points/${entry_point_id}`,
    `/dashboard/entry-points/${entry_point_id}/setup`,
    `/dashboard/zones/${zone_id}`,
    `/dashboard/locks/${lock_id}`,
    ...['/hours', '/log', '/people', `/as-of?at=${at}`].map(
      (part) => `/dashboard/entry-points/${entry_point_id}${part}`,
    ),
    ...['', '/activity', '/history', '/setup', '/share?q=a', '/move-in?q=a'].map((part) => unit_path + part),
    `${unit_path}?at=${at}`,
  ];
  const rest = [`/dashboard/tenants/${tenant_id}`, '/dashboard/find?q=a', '/dashboard/nowhere'];
  const parts = [
    '',
    '/tenants',
    '/equipment',
    '/equipment?free=true',
    `/equipment?peek=${lock_id}`,
    '/equipment?of=zones',
    '/equipment?of=gates',
    '/setup',
    '/table',
    '/policy',
    '/hours',
    '/contact',
    '/texts',
    '/sharing',
    '/passes',
  ];
  const places = parts.map((part) => location + part);
  const webhooks = [`${ofCompany}/webhooks/new`, await failingWebhook(company)];
  const proof = [
    '/dashboard/audit',
    '/dashboard/rebuild',
    '/dashboard/operators',
    `/dashboard/units/${unit_id}/report`,
  ];
  paths = [
    ...home,
    ...lists,
    ...webhooks,
    pulled,
    ...proof,
    `${location}/forecast`,
    ...places,
    ...units,
    ...rest,
  ];
});
afterAll(async () => {
  await browser?.close();
  await service.close();
  await receiver.close();
});

/** A zone and a lock of a unit. */
async function equip(company: Company, unit_id: string) {
  const place = `/locations/${company.locations.get('MAIN')}`;
  const zone = demand(201, await service.operator('post', `${place}/zones`, { name: 'Building A' }));
  const latch = { name: 'A101 door', serial: 'NK-1' };
  const lock = demand(201, await service.operator('post', `${place}/locks`, latch));
  demand(200, await service.operator('put', `/zones/${zone.zone_id}/units/${unit_id}`));
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock.lock_id}`));
  return { zone_id: zone.zone_id as string, lock_id: lock.lock_id as string };
}

const address = (path: string) => `http://127.0.0.1:${service.port}${path}`;

async function signIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address('/'));
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(address('/dashboard'));
  return page;
}

/** Types into the palette, which a button opens without a script, too. */
async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Find or do' }).click();
  await page.locator('#find').fill(text);
}

/** Waits for an expression. Playwright's own waiting is `eval` in the page, which its Content-Security-Policy forbids. */
async function until(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate<boolean>(expression)));
}

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

const LANDMARKS = ['region', 'landmark-unique'];

/** What axe finds that is serious or critical, or about landmarks; of contrast alone where all else was looked at. */
async function findings(page: Page, options: object): Promise<string[]> {
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const found = await page.evaluate<Finding[]>(run);
  const grave = found.filter(
    ({ id, impact }) => impact === 'serious' || impact === 'critical' || LANDMARKS.includes(id),
  );
  return grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** What is made by chance is as wide as it can be: a page fitted, and one of another run did not. */
const WIDEN_IDENTIFIERS = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode());) text.data = text.data.replace(/\\b01[0-9A-Z]{24}\\b/g, 'W'.repeat(26));
})()`;

/** Marks that end outside of what they stand in, and words and names that break in two. */
const CUT_OR_BROKEN = `(() => {
  const found = [];
  for (const mark of document.querySelectorAll('.mark, .state')) {
    const { right, width } = mark.getBoundingClientRect();
    const box = mark.closest('.scroll, main').getBoundingClientRect();
    if (width > 0 && right > box.right + 1) found.push('cut: ' + mark.textContent);
  }
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text; (text = texts.nextNode());) {
    for (const { 0: word, index } of text.data.matchAll(/(?<!\\S)(?:\\p{L}{2,24}|[^\\s-]{0,8}-[^\\s-]{1,8})(?!\\S)/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      const { parentElement } = text;
      const isSeen = parentElement.checkVisibility() && !parentElement.closest('code, thead, .tip');
      if (lines.size > 1 && isSeen) found.push('broken: ' + word);
    }
  }
  return found;
})()`;

/** Light and dark differ in colours alone. */
const LOOKS = [
  ['light', {}],
  ['dark', { runOnly: ['color-contrast'] }],
] as const;

it('every page reads well at 390 and 1280 px, light and dark, and breaks no policy', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('404')) complaints.push(message.text());
  });
  const faults: string[] = [];
  for (const path of paths) {
    await page.goto(address(path));
    // Over the protocol, which the page's Content-Security-Policy does not concern.
    await page.evaluate(AXE);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [colorScheme, rules] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        const found = await findings(page, rules);
        faults.push(...found.map((one) => `${path} at ${width} px, ${colorScheme}: ${one}`));
      }
      const odd = await page.evaluate<string[]>(CUT_OR_BROKEN);
      faults.push(...odd.map((one) => `${path} at ${width} px, ${one}`));
      await page.evaluate(WIDEN_IDENTIFIERS);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (overflow !== 0) faults.push(`${path} is too wide at ${width} px`);
    }
  }
  expect(faults).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Whether somebody at the keyboard is inside of an open drawer or dialog. A menu keeps the focus at its button. */
const takesFocus = (id: string) => `(() => {
  const open = document.querySelector('#${id}');
  return !open.matches('.drawer, .dialog') || open.contains(document.activeElement);
})()`;

async function findingsWhileOpen(page: Page, id: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [colorScheme, rules] of LOOKS) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(`document.querySelector('#${id}').showPopover()`);
      const found = await findings(page, rules);
      faults.push(...found.map((one) => `#${id} at ${width} px, ${colorScheme}: ${one}`));
      const hasFocus = await page.evaluate<boolean>(takesFocus(id));
      if (!hasFocus) faults.push(`#${id} does not take the focus`);
      await page.evaluate(`document.querySelector('#${id}').hidePopover()`);
    }
  }
  return faults;
}

it('every menu and drawer of a page reads well while it is open, at both widths, light and dark', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    await page.goto(address(path));
    await page.evaluate(AXE);
    const ids = await page.evaluate<string[]>(
      '[...document.querySelectorAll("[popover]")].map(({ id }) => id)',
    );
    for (const id of ids.filter((one) => !seen.has(one))) {
      seen.add(id);
      faults.push(...(await findingsWhileOpen(page, id)).map((one) => `${path} ${one}`));
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(['side', 'palette', 'drawer-location', 'drawer-unit']));
  expect(faults).toEqual([]);
  await context.close();
});

/** Most bytes of a first page over the wire, with its styles, scripts, font and icons. */
const FIRST_PAGE_BYTES = 150_000;

it('a first page is at most 150 kB over the wire', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await context.newPage();
  const visit = await context.newCDPSession(page);
  await visit.send('Network.enable');
  let bytes = 0;
  visit.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(address('/dashboard/sign-in'), { waitUntil: 'networkidle' });
  const signIn = bytes;
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(address('/dashboard'), { waitUntil: 'networkidle' });
  expect(signIn).toBeGreaterThan(25_000);
  expect(bytes).toBeLessThan(FIRST_PAGE_BYTES);
  await context.close();
});

it('letters are Inter, and icons are drawn', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  expect(
    await page.evaluate('[...document.fonts].map(({ family, status }) => family + " " + status)'),
  ).toEqual(['Inter loaded']);
  const drawn = `fetch(document.querySelector('.side .icon use').href.baseVal.split('#')[0])
    .then((answer) => answer.text())
    .then((text) => new DOMParser().parseFromString(text, 'image/svg+xml'))
    .then((sprite) => [...document.querySelectorAll('.icon use')].filter(
      (use) => sprite.getElementById(use.href.baseVal.split('#')[1]) === null,
    ).length)`;
  expect(await page.evaluate(drawn)).toBe(0);
  await context.close();
});

describe.each([true, false])('with JavaScript %s', (javaScriptEnabled) => {
  it('two clicks and two Enters lead from Today to a unit as it was', async () => {
    if (browser === undefined) return;
    const context = await newVisit(browser, { javaScriptEnabled });
    const page = await signIn(context);
    await find(page, 'A-101');
    await page.locator('#find').press('Enter');
    await page.getByRole('button', { name: 'As it was…' }).click();
    const then = page.getByLabel('See it as it was on (Chicago, Central Time)');
    await then.fill(localText(service.clock.now() - 5 * 60_000, 'America/Chicago'));
    await then.press('Enter');
    await page.getByText(/^As it was on/).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('A-101');
    await context.close();
  });

  it('an operator locks a unit out, sees why, and looks at it as it was', async () => {
    if (browser === undefined) return;
    const context = await newVisit(browser, { javaScriptEnabled });
    const page = await signIn(context);
    await page.goto(address('/dashboard/find'));
    await find(page, 'A-102');
    expect(await page.locator('#hits-keys').isVisible()).toBe(javaScriptEnabled);
    if (javaScriptEnabled) await page.getByRole('option', { name: /^A-102/ }).waitFor();
    await page.locator('#find').press('Enter');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Lock out…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Lock out/ });
    await dialog.getByLabel('Reason').fill('Broken latch');
    await dialog.getByRole('button', { name: 'Lock out' }).click();
    await page.getByText('Broken latch').first().waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('ol.entries a').last().click();
    await page.getByRole('link', { name: 'See it as it is now' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('A-102');
    if (javaScriptEnabled) {
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.id')).toBe('find');
    }
    await context.close();
  });
});

it('a dialog takes the focus, fits a phone, and comes back open with what was refused', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser, { viewport: { width: 390, height: 667 } });
  const page = await signIn(context);
  const focused = () =>
    page.evaluate<string>('document.activeElement.id || document.activeElement.className');
  const bottomOf = async (name: RegExp) => {
    const { y, height } = (await page.getByRole('dialog', { name }).boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    return y + height;
  };
  await page.goto(address(unit_path));
  await page.getByRole('button', { name: 'Share unit' }).click();
  expect(await focused()).toBe('share-q');
  await page.route('**/share/hits*', (route) => route.fulfill({ body: '<p>Somebody</p>'.repeat(60) }));
  await page.keyboard.type('somebody');
  await page.getByText('Somebody').last().waitFor();
  expect(await bottomOf(/^Share unit/)).toBeLessThanOrEqual(667);
  await page.route('**/share/hits*', (route) => route.fulfill({ body: '<p>At Enter</p>' }));
  await page.keyboard.press('Enter');
  await page.getByText('At Enter').waitFor();
  expect(page.url()).toBe(address(unit_path));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Let in…' }).click();
  expect(await focused()).toBe('let-in-reason');
  const dialog = page.getByRole('dialog', { name: LET_IN });
  await dialog.getByLabel('Reason').fill('Late');
  await dialog.getByText('Other…').click();
  await dialog.getByLabel('Date and time').fill('2020-01-01T18:00');
  await dialog.getByRole('button', { name: 'Let in' }).click();
  await page.waitForURL('**/override');
  expect(await focused()).toBe('refusal');
  expect(await bottomOf(LET_IN)).toBeLessThanOrEqual(667);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  await page.evaluate(AXE);
  expect(await findings(page, {})).toEqual([]);
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Date and time/ })
    .click();
  expect(await focused()).toBe('let-in-expires_at');
  expect(await page.evaluate(ESCAPE_IN_SEARCH)).toBe(0);
  await page.keyboard.press('Escape');
  await page.waitForURL(address(unit_path));
  await context.close();
});

/** How often Escape in the search box leaves a refused dialog. */
const ESCAPE_IN_SEARCH = `(() => {
  let left = 0;
  const cancel = document.querySelector('.dialog.open .cancel');
  const count = (event) => {
    event.preventDefault();
    left += 1;
  };
  cancel.addEventListener('click', count);
  document.querySelector('#find').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  cancel.removeEventListener('click', count);
  return left;
})()`;

/** Charts that are wider than their card, and words of a chart that are small or stand in others. */
const UNREADABLE_CHARTS = `[...document.querySelectorAll('main svg:has(> text, > g > text)')].flatMap((chart) => {
  const card = chart.closest('.card').getBoundingClientRect();
  const boxes = [...chart.querySelectorAll('text')].map((text) => ({ text, box: text.getBoundingClientRect() }));
  const words = boxes.filter(({ box }) => box.width > 0);
  const isIn = (one, other) => one.left < other.right + 6 && other.left < one.right + 6 && one.top < other.bottom && other.top < one.bottom;
  return [
    ...(chart.getBoundingClientRect().right > card.right ? ['wide: ' + chart.getAttribute('class')] : []),
    ...words.filter(({ box }) => box.height < 9 || box.right > card.right).map(({ text }) => 'small: ' + text.textContent),
    ...words.filter((one) => words.some((other) => one !== other && isIn(one.box, other.box))).map(({ text }) => 'covered: ' + text.textContent),
  ];
})`;

it('on a phone charts fit the width with words that can be read, and rows are a few lines', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser, { viewport: { width: 400, height: 900 } });
  const page = await signIn(context);
  const gate = paths.find((path) => path.includes('/entry-points/'))!;
  const charts: string[] = [];
  for (const path of [gate, `${unit_path}/history`]) {
    await page.goto(address(path));
    expect(await page.locator('main svg').count()).toBeGreaterThan(0);
    charts.push(...(await page.evaluate<string[]>(UNREADABLE_CHARTS)));
  }
  expect(charts).toEqual([]);
  await find(page, 'park');
  // Three lines with a state among them.
  expect((await page.getByRole('option', { name: /A-101 Ada Park/ }).boundingBox())!.height).toBeLessThan(
    100,
  );
  await page.goto(address(`/dashboard/companies/${company_id}/units`));
  const rows = `[...document.querySelectorAll('tbody tr')].map((row) => row.offsetHeight)`;
  // Four lines with a state among them.
  for (const height of await page.evaluate<number[]>(rows)) expect(height).toBeLessThan(130);
  await context.close();
});

it.each([
  ['America/Denver', 'America/Denver'],
  ['UTC', ''],
])('a new location begins with the zone of a browser in %s', async (timezoneId, shown) => {
  if (browser === undefined) return;
  const context = await newVisit(browser, { timezoneId });
  const page = await signIn(context);
  await page.goto(address(`/dashboard/companies/${company_id}`));
  expect(await page.getByLabel('Time zone').inputValue()).toBe(shown);
  await context.close();
});

it('a chosen file fills the rows of a set-up, and one box ticks all units', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  const location = paths.find((path) => path.endsWith('/setup') && path.includes('/locations/'))!;
  await page.goto(address(location));
  const buffer = Buffer.from('unit,zone\nA-101,North');
  await page.getByLabel('CSV file').setInputFiles({ name: 'site.csv', mimeType: 'text/csv', buffer });
  await until(page, 'document.querySelector("#setup-csv").value.includes("A-101")');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('1 row will be set up, with 1 new zone.').waitFor();
  await page.goto(address(location.replace(/setup$/, 'table')));
  expect(await page.getByLabel('Sort by').isVisible()).toBe(false);
  await page.setViewportSize({ width: 390, height: 800 });
  const [label, sort] = [page.getByText('Sort by'), page.getByLabel('Sort by')];
  expect((await label.boundingBox())!.x).toBe((await sort.boundingBox())!.x);
  await page.getByLabel('Select all on this page').check();
  expect(await page.getByLabel('Select A-101').isChecked()).toBe(true);
  await context.close();
});

it('the search box finds as somebody types, by the keyboard alone, from any page', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  await page.goto(address('/dashboard/audit'));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('park');
  await page.getByRole('option', { name: /A-101.*Ada Park/ }).waitFor();
  await page.evaluate(AXE);
  expect(await findings(page, {})).toEqual([]);
  // Enter opens no hit that nobody chose.
  expect(await page.locator('#find').getAttribute('aria-activedescendant')).toBeNull();
  await page.keyboard.press('ArrowUp');
  expect(await page.locator('#find').getAttribute('aria-activedescendant')).toBe('hit-all');
  await page.keyboard.press('ArrowDown');
  expect(await page.locator('#find').getAttribute('aria-activedescendant')).toBe('hit-0');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'A-101' }).waitFor();
  await context.close();
});

it('a search that fails says so, and the next key asks again', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  const faults: Error[] = [];
  page.on('pageerror', (error) => faults.push(error));
  await page.route('**/find/hits*', (route) => route.abort());
  await page.keyboard.press('Control+k');
  await page.keyboard.type('park');
  await page.getByRole('option', { name: 'The search did not answer.' }).waitFor();
  await page.evaluate(AXE);
  expect([faults, await findings(page, {})]).toEqual([[], []]);
  await page.unroute('**/find/hits*');
  await page.keyboard.type(' ');
  await page.getByRole('option', { name: /A-101.*Ada Park/ }).waitFor();
  await context.close();
});

it('a policy without grace is previewed before it is saved', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  await page.goto(address(paths.find((path) => path.endsWith('/policy'))!));
  await page.getByLabel('Days of grace').fill('0');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page.getByRole('heading', { name: 'Preview: not saved yet' }).waitFor();
  expect(await page.getByRole('button', { name: /^Apply: / }).count()).toBe(1);
  expect(await page.getByLabel('Days of grace').inputValue()).toBe('0');
  await context.close();
});

it('a pull source is tested in its form, which keeps the credential', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  await page.goto(address(`/dashboard/companies/${company_id}/pull-sources`));
  await page.getByRole('button', { name: 'Add source' }).click();
  await page.getByLabel('Address').fill('https://127.0.0.1/units');
  await page.getByLabel('Authorization').fill('Bearer secret');
  let answer!: () => void;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/pull-sources/test', async (route) => {
    await held;
    await route.continue();
  });
  expect(await page.getByText('Testing…').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('Testing…').waitFor();
  answer();
  await page.getByRole('alert').getByText('must not lead to a loopback').waitFor();
  expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Authorization').inputValue()).toBe('Bearer secret');
  await context.close();
});

it('a policy that is tried out shows progress until its page is there', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  let answer!: () => void;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/policy/try', async (route) => {
    await held;
    await route.continue();
  });
  // Playwright looks at no page that is about to be left, so the page tells it.
  await page.addInitScript(`new MutationObserver(() => {
    if (document.querySelector('[role=progressbar]')) console.log('progress');
  }).observe(document, { childList: true, subtree: true })`);
  await page.goto(address(paths.find((path) => path.endsWith('/policy'))!));
  const shown = page.waitForEvent('console', (message) => message.text() === 'progress');
  await page.getByRole('button', { name: /^Preview against the last/ }).click({ noWaitAfter: true });
  await shown;
  answer();
  await page.waitForURL('**/policy/try');
  expect(await page.getByRole('heading', { name: 'What this policy would have done' }).count()).toBe(1);
  await context.close();
});

it('a drag or a click on the picture of a unit opens its page of that instant', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  await page.goto(address(`${unit_path}/history`));
  const picture = page.locator('svg.unit-chart');
  await picture.scrollIntoViewIfNeeded();
  const box = (await picture.boundingBox())!;
  await page.mouse.move(box.x + box.width - 2, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 60, { steps: 4 });
  expect(await page.locator('#form-slider output').textContent()).toMatch(/202\d.*: \w/);
  await page.mouse.up();
  await page.waitForURL(/\?at=/);
  await page.getByRole('link', { name: 'See it as it is now' }).waitFor();
  for (const [height, share] of [
    [60, 0.75],
    [10, 0.25],
  ] as const) {
    const dragged = page.url();
    await picture.scrollIntoViewIfNeeded();
    const { x, y, width } = (await picture.boundingBox())!;
    await page.mouse.click(x + width * share, y + height);
    await page.waitForURL((url) => url.href !== dragged && url.searchParams.has('at'));
  }
  await context.close();
});

it('the focus goes back to the button of a dialog, and to the message about its form', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  await page.goto(address(unit_path));
  await page.getByRole('button', { name: 'Let in…' }).focus();
  for (const close of ['Escape', 'Cancel', 'Close']) {
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: LET_IN }).waitFor();
    if (close === 'Escape') await page.keyboard.press(close);
    else await page.getByRole('button', { name: close, exact: true }).click();
    expect(await page.evaluate('document.activeElement.getAttribute("popovertarget")')).toBe('dialog-let-in');
  }
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: LET_IN });
  await dialog.getByLabel('Reason').fill('Focus');
  await dialog.getByRole('button', { name: 'Let in' }).click();
  await page.locator('.said:focus', { hasText: 'Saved.' }).waitFor();
  await context.close();
});

it('Tab stays in an open dialog, in both directions', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser);
  const page = await signIn(context);
  await page.goto(address(unit_path));
  await page.getByRole('button', { name: 'Let in…' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).focus();
  const focused = () =>
    page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Close');
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).toBe('Cancel');
  await context.close();
});

it('another company is two clicks away, and two Enters without JavaScript', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser, { javaScriptEnabled: false });
  const { company_id: other } = demand(201, await service.operator('post', '/companies', { name: 'Zenith' }));
  const page = await signIn(context);
  await page.getByRole('button', { name: /^Park Storage/ }).click();
  await page.getByRole('link', { name: 'Zenith' }).click();
  await page.waitForURL(`**/dashboard?company_id=${other}`);
  await page.getByRole('button', { name: /^Zenith/ }).press('Enter');
  await page.getByRole('link', { name: 'Park Storage' }).press('Enter');
  await page.waitForURL(`**/dashboard?company_id=${company_id}`);
  expect(await page.getByRole('button', { name: /^Park Storage/ }).count()).toBe(1);
  await context.close();
});

it('the hours of one day are copied to all, and saved', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser, { viewport: { width: 390, height: 844 } });
  const page = await signIn(context);
  await page.goto(address(`${location_path}/hours`));
  await page.getByLabel('Tuesday, opens').fill('07:30');
  await page.getByLabel('Tuesday, access').selectOption('Hours');
  await page.getByRole('button', { name: 'Copy to all days: Tuesday' }).click();
  expect(await page.getByLabel('Sunday, opens').inputValue()).toBe('07:30');
  await page.getByRole('button', { name: 'Save hours' }).click();
  await page.getByText('The hours are saved.').waitFor();
  expect(await page.getByLabel('Monday, opens').inputValue()).toBe('07:30');
  await context.close();
});

it('the zone for units comes into view once one is ticked, without JavaScript', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser, { javaScriptEnabled: false });
  const page = await signIn(context);
  await page.setViewportSize({ width: 1280, height: 320 });
  await page.goto(address(`${location_path}/table`));
  const button = page.getByRole('button', { name: 'Add selected units to zone' });
  const bottom = async () => {
    const { y, height } = (await button.boundingBox())!;
    return y + height;
  };
  expect(await bottom()).toBeGreaterThan(320);
  await page.getByLabel('Select A-101').check();
  expect(await bottom()).toBeLessThanOrEqual(320);
  await page.getByLabel('Zone: one that is there, or a new name').fill('North');
  await button.click();
  await page.getByText('1 unit added.').waitFor();
  await context.close();
});

it('the keys lead to no unit behind the zone for those that are ticked', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser, { viewport: { width: 1280, height: 320 } });
  const page = await signIn(context);
  await page.goto(address(`${location_path}/table`));
  await page.getByLabel('Select A-101').check();
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab');
    const isCovered = await page.evaluate<boolean>(`(() => {
      const bar = document.querySelector('.ticked');
      const focused = document.activeElement;
      return !bar.contains(focused) && focused.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
    })()`);
    const isInTable = await page.evaluate<boolean>(`document.activeElement.closest('table') !== null`);
    expect(isInTable && isCovered).toBe(false);
  }
  await context.close();
});

it.each([1280, 390])('the hours above the next 14 days do not run together at %i px', async (width) => {
  if (browser === undefined) return;
  const context = await newVisit(browser, { viewport: { width, height: 844 } });
  const page = await signIn(context);
  await page.goto(address(`${location_path}/hours`));
  const boxes = await page.evaluate<{ left: number; right: number }[]>(
    `[...document.querySelectorAll('.hours-days text')]
      .map((text) => text.getBoundingClientRect())
      .filter((box) => box.width > 0)
      .map(({ left, right }) => ({ left, right }))`,
  );
  expect(boxes.length).toBeGreaterThan(2);
  const gaps = boxes.slice(1).map(({ left }, index) => left - boxes[index]!.right);
  expect(Math.min(...gaps)).toBeGreaterThan(8);
  await context.close();
});

it('days are added without JavaScript, and the typed week stays', async () => {
  if (browser === undefined) return;
  const context = await newVisit(browser, { javaScriptEnabled: false });
  const page = await signIn(context);
  await page.goto(address(`${location_path}/hours`));
  await page.getByLabel('Friday, access').selectOption('Closed');
  await page.getByRole('button', { name: 'Paste many days' }).click();
  await page.getByLabel('Days to add').fill('2030-12-25, closed');
  await page.getByRole('button', { name: 'Add days' }).click();
  await page
    .getByText('1 day added: Wed, Dec 25, 2030 (Closed). Your other changes are not saved yet.')
    .waitFor();
  expect(await page.getByLabel('Friday, access').inputValue()).toBe('closed');
  await page.getByRole('button', { name: 'Remove Wed, Dec 25, 2030' }).click();
  await page.getByText('Wed, Dec 25, 2030 was removed.').waitFor();
  expect(await page.getByLabel('Friday, access').inputValue()).toBe('closed');
  await page.getByRole('button', { name: 'Put Wed, Dec 25, 2030 back (Closed)' }).click();
  await page.getByText('Wed, Dec 25, 2030 is back.').waitFor();
  expect(await page.getByLabel('Friday, access').inputValue()).toBe('closed');
  await page.getByRole('button', { name: 'Add a day' }).click();
  await page.getByLabel('Date').fill('2030-12-24');
  await page.getByLabel('Name', { exact: true }).fill('Christmas Eve');
  await page.getByRole('button', { name: 'Add day', exact: true }).click();
  await page.getByText('1 day added: Tue, Dec 24, 2030 (Closed).').waitFor();
  expect(await page.getByLabel('Friday, access').inputValue()).toBe('closed');
  await page.getByLabel('Monday, opens').press('Enter');
  await page.getByText('The hours are saved.').waitFor();
  await context.close();
});

it.each([true, false])(
  'a webhook is added with its secret shown once, JavaScript %s',
  async (javaScriptEnabled) => {
    if (browser === undefined) return;
    const context = await newVisit(browser, { javaScriptEnabled });
    const page = await signIn(context);
    await page.goto(address(`/dashboard/companies/${company_id}/api-tokens`));
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Address').fill(receiver.url);
    await drawer.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('whsec_').waitFor();
    await page.getByRole('link', { name: 'I have kept it' }).click();
    expect(await page.getByText('whsec_').count()).toBe(0);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test message is sent now.').waitFor();
    await page.getByRole('button', { name: /^More for / }).click();
    await page.getByText('Delete…', { exact: true }).click();
    await page.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByText('The webhook is deleted.').waitFor();
    await context.close();
  },
);
