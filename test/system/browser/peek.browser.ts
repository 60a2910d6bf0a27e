import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Company, demand, Service } from '../../support/service.js';
import { newVisit, openChromium } from './chromium.js';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser | undefined;
let service: Service;
let company: Company;
let path: string;

beforeAll(async () => {
  browser = await openChromium();
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', name: 'Riverside' });
  path = `/dashboard/locations/${company.locations.get('MAIN')}`;
  const units = Array.from({ length: 60 }, (_, place) => {
    const crm_unit_id = `A${101 + place}`;
    if (place % 7 === 3) return { crm_unit_id, occupied: false };
    const late = place % 9 === 0 ? { balance_due: 90 + place, paid_through_date: '2025-11-01' } : {};
    const tenant = {
      pms_tenant_id: `T-${place}`,
      ...{ first_name: 'Katherine', last_name: 'Brooks', phone: `+1312555${1000 + place}` },
    };
    return { crm_unit_id, occupied: true, move_in_date: '2025-06-01', ...late, tenant };
  });
  demand(200, await company.sync(units));
  const rows = units.map(({ crm_unit_id }, place) => ({
    unit: crm_unit_id,
    zone: place < 30 ? 'Building A' : 'Building B',
  }));
  const setup = `/locations/${company.locations.get('MAIN')}/setup`;
  demand(200, await service.operator('post', setup, { rows }));
});
afterAll(async () => {
  await browser?.close();
  await service.close();
});

const address = (to: string) => `http://127.0.0.1:${service.port}${to}`;

async function signedIn(options: BrowserContextOptions = {}): Promise<Page | undefined> {
  if (browser === undefined) return undefined;
  const page = await (await newVisit(browser, options)).newPage();
  await page.goto(address('/'));
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(address('/dashboard'));
  return page;
}

/** The panel takes the focus once the page has settled: a moment after its content is there. */
const waitForFocus = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor();

it('a tile fills the panel alone, and Escape leads back to the tile', async () => {
  const page = await signedIn({ viewport: { width: 1280, height: 900 } });
  if (page === undefined) return;
  await page.goto(address(path));
  await page.evaluate('window.isSamePage = true');
  await page.locator('.tile', { hasText: 'A110' }).first().click();
  await page.getByRole('heading', { name: 'A110' }).waitFor();
  await waitForFocus(page, '#peek-title');
  expect(page.url()).toBe(address(`${path}?peek=A110`));
  await page.getByRole('link', { name: 'A111, the next unit' }).click();
  await page.getByRole('heading', { name: 'A111' }).waitFor();
  await page.locator('.tile[aria-current][href$="peek=A111"]').waitFor();
  expect(await page.locator('.tile[aria-current]').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.locator('#peek[hidden]').waitFor({ state: 'attached' });
  await waitForFocus(page, `[href="${path}?peek=A110"]`);
  expect(page.url()).toBe(address(path));
  expect(await page.evaluate('window.isSamePage')).toBe(true);
  await page.context().close();
});

it('the panel copies the number of the tenant, though it came later, and the button keeps its icon', async () => {
  const page = await signedIn({
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (page === undefined) return;
  await page.goto(address(path));
  await page.locator('.tile', { hasText: 'A110' }).first().click();
  await page.getByRole('heading', { name: 'A110' }).waitFor();
  const button = page.getByRole('button', { name: 'Copy the number of Katherine Brooks' });
  const before = await button.boundingBox();
  await button.click();
  await page.getByRole('status').getByText('Copied').waitFor();
  expect(await button.locator('svg').count()).toBe(1);
  expect([await button.textContent(), await button.getAttribute('title')]).toEqual(['', 'Copied']);
  expect(await button.boundingBox()).toEqual(before);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('+1 312-555-1009');
  await page.context().close();
});

it('a menu does not stand over the dialog that it opened, without JavaScript', async () => {
  const page = await signedIn({ viewport: { width: 1280, height: 900 }, javaScriptEnabled: false });
  if (page === undefined) return;
  const { unit_id } = await company.unit('A101');
  await page.goto(address(`/dashboard/units/${unit_id}`));
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Lock out' }).click();
  await page.getByRole('dialog', { name: 'Lock out' }).waitFor();
  expect(await page.locator('#unit-menu').isVisible()).toBe(false);
  await page.context().close();
});

it('the map is one tab stop, and the arrows move among its tiles by what is seen', async () => {
  const page = await signedIn({ viewport: { width: 1280, height: 900 } });
  if (page === undefined) return;
  await page.goto(address(path));
  expect(await page.locator('.tile[tabindex="0"]').count()).toBe(1);
  await page.locator('.tile').first().focus();
  const name = () => page.evaluate<string>(`document.activeElement.querySelector('.tile-name').textContent`);
  await page.keyboard.press('ArrowRight');
  expect(await name()).toBe('A102');
  const perRow = await page.evaluate<number>(`(() => {
    const tiles = [...document.querySelector('.map').querySelectorAll('.tile')];
    return tiles.filter((one) => one.offsetParent && one.getBoundingClientRect().top === tiles[0].getBoundingClientRect().top).length;
  })()`);
  await page.keyboard.press('ArrowDown');
  expect(await name()).toBe(`A${102 + perRow}`);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  expect(await name()).toBe('A101');
  await page.keyboard.press('End');
  expect(await name()).toBe('A160');
  expect(await page.locator('.tile[tabindex="0"]').count()).toBe(1);
  await page.context().close();
});

it('the arrow of a tenant fills the panel alone, and Escape leads back to it', async () => {
  const page = await signedIn({ viewport: { width: 1280, height: 900 } });
  if (page === undefined) return;
  await page.goto(address(`${path}/tenants`));
  await page.evaluate('window.isSamePage = true');
  const look = page.getByRole('link', { name: 'Look at Katherine Brooks' });
  await look.first().focus();
  await page.keyboard.press('Enter');
  await waitForFocus(page, '#peek-title');
  await page.getByRole('link', { name: 'Open tenant' }).waitFor();
  expect(await page.locator('[data-peeks][aria-current]').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.locator('#peek[hidden]').waitFor({ state: 'attached' });
  await waitForFocus(page, '[data-peeks]');
  expect(page.url()).toBe(address(`${path}/tenants`));
  expect(await page.evaluate('window.isSamePage')).toBe(true);
  await page.context().close();
});

it.each([true, false])(
  'the menu of a tenant opens and shuts by the keyboard, and leads to the details, with JavaScript %s',
  async (javaScriptEnabled) => {
    const page = await signedIn({ javaScriptEnabled, viewport: { width: 1280, height: 900 } });
    if (page === undefined) return;
    await page.goto(address(`${path}/tenants`));
    const dots = page.getByRole('button', { name: 'More for Katherine Brooks' }).first();
    await dots.focus();
    await page.keyboard.press('Enter');
    const change = page.getByRole('link', { name: 'Change details…' });
    await change.waitFor();
    await page.keyboard.press('Escape');
    await change.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    for (const name of ['Call', 'Text', 'Change details…']) {
      await page.keyboard.press('Tab');
      await page.locator(':focus', { hasText: name }).waitFor();
    }
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Change details' }).waitFor();
    expect(new URL(page.url()).searchParams.get('add')).toBe('details');
    await page.context().close();
  },
);

it('the head of a long table stays in sight', async () => {
  const page = await signedIn({ viewport: { width: 1280, height: 700 } });
  if (page === undefined) return;
  await page.goto(address(`${path}/table`));
  await page.getByRole('link', { name: 'A160', exact: true }).scrollIntoViewIfNeeded();
  const top = await page.evaluate<number>('document.querySelector("thead th").getBoundingClientRect().top');
  expect(top).toBeGreaterThanOrEqual(0);
  await page.context().close();
});

it.each([
  ['with a script', true],
  ['without one', false],
])('the panel is a sheet on a phone, and reads well in light and dark, %s', async (_, javaScriptEnabled) => {
  for (const width of [390, 1100, 1280]) {
    const page = await signedIn({ javaScriptEnabled, viewport: { width, height: 844 } });
    if (page === undefined) return;
    for (const [part, link, heading] of [
      ['', 'a[href$="peek=A101"]', 'A101'],
      ['/table', 'a[href$="peek=A101"]', 'A101'],
      ['/tenants', 'a[data-peeks]', 'Katherine Brooks'],
    ] as const) {
      await page.goto(address(path + part));
      await page.locator(link).first().click();
      await page.getByRole('heading', { name: heading }).waitFor();
      await page.getByRole('link', { name: /^Let in/ }).waitFor();
      if (!javaScriptEnabled) continue;
      await page.evaluate(AXE);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await page.evaluate<string[]>(
          'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))',
        );
        expect([width, part, colorScheme, found]).toEqual([width, part, colorScheme, []]);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
    await page.context().close();
  }
});
