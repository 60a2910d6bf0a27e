import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Company, demand, Service } from '../../support/service.js';
import { newVisit, openChromium } from './chromium.js';

let browser: Browser | undefined;
let service: Service;
let company: Company;
let path: string;

beforeAll(async () => {
  browser = await openChromium();
  service = await Service.start();
});
afterAll(async () => {
  await browser?.close();
  await service.close();
});
beforeEach(async () => {
  company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street' });
  path = `/dashboard/locations/${company.locations.get('MAIN')}`;
});

const address = (to: string) => `http://127.0.0.1:${service.port}${to}`;

async function visit(to: string, options: BrowserContextOptions = {}): Promise<Page | undefined> {
  if (browser === undefined) return undefined;
  const page = await (await newVisit(browser, options)).newPage();
  await page.goto(address('/'));
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(address('/dashboard'));
  await page.goto(address(to));
  return page;
}

describe('times in the form of hours', () => {
  it('choose “Hours” as they are typed, and are copied to all days', async () => {
    const page = await visit(`${path}/hours`);
    if (page === undefined) return;
    await page.getByLabel('Monday, opens').fill('07:00');
    expect(await page.getByLabel('Monday, access').inputValue()).toBe('hours');
    await page.getByRole('button', { name: 'Copy to all days: Monday' }).click();
    expect(await page.getByLabel('Sunday, access').inputValue()).toBe('hours');
    expect(await page.getByLabel('Sunday, opens').inputValue()).toBe('07:00');
  });

  it('are set back where “Always” is chosen, there and on days that it is copied to', async () => {
    const page = await visit(`${path}/hours`);
    if (page === undefined) return;
    await page.getByLabel('Monday, opens').fill('07:00');
    await page.getByLabel('Monday, access').selectOption('always');
    expect(await page.getByLabel('Monday, opens').inputValue()).toBe('06:00');
    await page.getByLabel('Sunday, opens').fill('08:00');
    await page.getByRole('button', { name: 'Copy to all days: Monday' }).click();
    expect(await page.getByLabel('Sunday, access').inputValue()).toBe('always');
    expect(await page.getByLabel('Sunday, opens').inputValue()).toBe('06:00');
  });

  it('are there for a pass while “Its own days and times” is chosen, and set back otherwise', async () => {
    const page = await visit(`${path}/passes?add=pass`);
    if (page === undefined) return;
    expect(await page.getByLabel('Saturday').isVisible()).toBe(false);
    await page.getByLabel('Its own days and times').check();
    await page.getByLabel('Saturday').check();
    await page.getByLabel('Those of each gate').check();
    expect(await page.getByLabel('Saturday').isVisible()).toBe(false);
    await page.getByLabel('Its own days and times').check();
    expect(await page.getByLabel('Saturday').isChecked()).toBe(false);
  });
});

it('a menu shuts before the dialog that it opens, and Escape leads back to its button', async () => {
  demand(201, await company.moveIn('A-1'));
  const page = await visit(`/dashboard/units/${(await company.unit('A-1')).unit_id}`);
  if (page === undefined) return;
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Lock out…' }).click();
  await page.getByRole('dialog', { name: /^Lock out/ }).waitFor();
  expect(await page.evaluate('document.querySelector(".menu:popover-open")')).toBeNull();
  await page.keyboard.press('Escape');
  expect(await page.evaluate('document.querySelector(":popover-open")')).toBeNull();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('More');
});

describe('on a telephone', () => {
  const phone = { viewport: { width: 390, height: 844 } };
  const topOf = async (page: Page, label: string) => (await page.getByLabel(label).boundingBox())!.y;

  it('the times of a day stand side by side', async () => {
    const page = await visit(`${path}/hours`, phone);
    if (page === undefined) return;
    expect(await topOf(page, 'Monday, opens')).toBe(await topOf(page, 'Monday, closes'));
  });

  it('the box of a row stands beside the name of its unit', async () => {
    demand(201, await company.moveIn('A-1'));
    const page = await visit(`${path}/table`, phone);
    if (page === undefined) return;
    const name = (await page.getByRole('link', { name: 'A-1', exact: true }).boundingBox())!;
    expect(Math.abs((await topOf(page, 'Select A-1')) - name.y)).toBeLessThan(name.height);
  });
});
