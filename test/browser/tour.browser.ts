import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { LogAudit } from '../../src/operator/index.js';
import { Service } from '../support/service.js';
import { newVisit, openChromium } from './chromium.js';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
/** Where docs/tour.md has its pictures; they are written anew with `WRITE_TOUR=1`. */
const PICTURES = join(__dirname, '../../docs/tour');

let browser: Browser | undefined;
let service: Service;

beforeAll(async () => {
  browser = await openChromium();
  service = await Service.start();
});
afterAll(async () => {
  await browser?.close();
  await service.close();
});

async function picture(page: Page, name: string): Promise<void> {
  if (process.env['WRITE_TOUR'] !== '1') return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Fills in a form by its labels and sends it. */
async function send(page: Page, form: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const found = page.locator(`#form-${form}`);
  for (const [name, value] of Object.entries(fields)) await found.locator(`[name="${name}"]`).fill(value);
  await found.locator('button').first().click();
  await page.locator('p.said').first().waitFor();
}

it('somebody opens a facility, mounts a lock, sees why a tenant is locked out, and hands over the proof', async () => {
  if (browser === undefined) return;
  const page = await (await newVisit(browser, { viewport: { width: 1000, height: 640 } })).newPage();
  await page.goto(`http://127.0.0.1:${service.port}/`);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('There is no company yet.').waitFor();
  await picture(page, '1-home');

  await send(page, 'company', { name: 'Lakeside Storage' });
  const place = { name: 'Lake Street', pms_location_code: 'LAKE-ST', timezone: 'America/Chicago' };
  await send(page, 'location', place);
  await page.getByRole('link', { name: 'Locks, zones and gates' }).click();
  await send(page, 'lock', { name: 'Latch 101' });
  await page.getByRole('link', { name: 'Units', exact: true }).click();
  await send(page, 'unit', { crm_unit_id: 'A-101' });
  await page.getByRole('link', { name: 'Set-up' }).click();
  await page.getByRole('button', { name: 'Assign lock' }).click();
  await send(page, 'lock', {});
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  await page.getByRole('button', { name: 'Move in' }).click();
  await send(page, 'move-in', { pms_tenant_id: 'T-17', move_in_date: '2025-06-01' });
  await page.getByText('Open.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Change balance and flags' }).click();
  await send(page, 'facts', { balance_due: '189', paid_through_date: '2025-10-31' });
  await page.getByText('Locked out: $189.00 due since Nov 1, 2025').first().waitFor();
  await picture(page, '2-locked-out');

  await page.getByRole('link', { name: 'Lake Street' }).click();
  await page.getByRole('link', { name: 'A-101' }).waitFor();
  await picture(page, '3-location');
  await page.getByRole('link', { name: 'A-101' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('link', { name: 'Report to print, with proof' }).click();
  await page.getByText('Verified: nothing altered.').waitFor();
  await picture(page, '4-report');

  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('link', { name: '1 unit: past due' }).waitFor();
  await picture(page, '6-today');

  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText(/Verifying:|Verified:/).waitFor();
  await service.part(LogAudit).settled();
  await page.goto(`http://127.0.0.1:${service.port}/dashboard/audit`);
  expect(await page.locator('#examined').textContent()).toMatch(
    /^Verified: nothing altered\. The log has \d+ events/,
  );
  await picture(page, '5-audit');
});
