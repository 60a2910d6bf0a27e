import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { LogExaminations } from '#api/operator/index.js';
import { demand, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { newVisit, openChromium } from './chromium.js';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
/** Where docs/tour.md has its pictures; they are written anew with `WRITE_TOUR=1`. */
const PICTURES = join(__dirname, '..', '..', '..', 'docs', 'tour');

const USUAL = { width: 1280, height: 800 };

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

const SURNAMES = ['Whitfield', 'Reed', 'Kim', 'Diaz', 'Natarajan', 'Hernández', 'Li', 'Castellanos'];

/** The PMS writes the other units of the place: most are paid, some are late, and some will be. */
async function syncOthers(): Promise<void> {
  const { companies } = demand(200, await service.operator('get', '/companies'));
  const { company_id } = companies[0];
  const { locations } = demand(200, await service.operator('get', `/companies/${company_id}`));
  const tokens = `/companies/${company_id}/api-tokens`;
  const { token } = demand(201, await service.operator('post', tokens, { name: 'PMS', scope: 'write' }));
  const units = Array.from({ length: 150 }, (_, place) => {
    const crm_unit_id = `${'ABC'[place % 3]}-${102 + Math.floor(place / 3)}`;
    if (place % 11 === 5) return { crm_unit_id, occupied: false };
    const late = place % 13 === 4 ? { balance_due: 90 + place, paid_through_date: '2025-11-30' } : {};
    const soon = place % 29 === 7 ? { balance_due: 75, paid_through_date: '2025-12-28' } : {};
    return {
      ...{ crm_unit_id, occupied: true, move_in_date: '2025-06-01', paid_through_date: '2026-01-31' },
      ...{ ...late, ...soon, pms_lockout: place % 41 === 9, pms_auction: place === 100 },
      tenant: {
        pms_tenant_id: `T-${100 + place}`,
        first_name: 'Denise',
        last_name: SURNAMES[place % SURNAMES.length],
        phone: `+1312555${String(1000 + place)}`,
      },
    };
  });
  demand(200, await service.call('patch', '/api/v2/units', { body: { units }, token }));
  const rows = units.map(({ crm_unit_id }) => ({ unit: crm_unit_id, zone: `Building ${crm_unit_id[0]}` }));
  demand(200, await service.operator('post', `/locations/${locations[0].location_id}/setup`, { rows }));
}

/** Lets minutes pass until the lockouts of the last days are counted. */
async function lockoutsCounted(): Promise<void> {
  const { companies } = demand(200, await service.operator('get', '/companies'));
  await waitUntil(
    async () => {
      service.manualClock.advance(60_000);
      return demand(200, await service.operator('get', `/companies/${companies[0].company_id}/today`));
    },
    ({ lost_access }) => lost_access.counted_at !== null,
  );
}

it('somebody opens a facility, mounts a lock, sees why a tenant is locked out, and hands over the proof', async () => {
  if (browser === undefined) return;
  const page = await (await newVisit(browser, { viewport: USUAL })).newPage();
  await page.goto(`http://127.0.0.1:${service.port}/`);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('There is no company yet.').waitFor();
  await picture(page, '1-home');

  await send(page, 'company', { name: 'Lakeside Storage' });
  const place = { name: 'Lake Street', pms_location_code: 'LAKE-ST', timezone: 'America/Chicago' };
  await page.getByRole('main').getByRole('button', { name: 'Add site' }).click();
  await send(page, 'location', place);
  await page
    .locator('.tabs')
    .getByRole('link', { name: /^Equipment/ })
    .click();
  await page.getByRole('button', { name: 'Add lock' }).click();
  await send(page, 'lock', { name: 'Latch 101' });
  await page
    .locator('.tabs')
    .getByRole('link', { name: /^Units/ })
    .click();
  await page.getByRole('button', { name: 'Add unit' }).click();
  await send(page, 'unit', { crm_unit_id: 'A-101' });
  await page.getByRole('link', { name: 'Set-up' }).click();
  await page.getByRole('button', { name: 'Assign lock' }).click();
  await send(page, 'lock', {});
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  await page.getByRole('button', { name: 'Move in' }).click();
  await send(page, 'move-in', { name: 'Ada', phone: '(312) 561-0100', move_in_date: '2025-06-01' });
  await page.locator('.unit-brief').getByText('Open', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Change balance and flags' }).click();
  await send(page, 'facts', { balance_due: '189', paid_through_date: '2025-10-31' });
  await page.getByText('Locked out: $189.00 due since Nov 1, 2025').first().waitFor();
  await picture(page, '2-locked-out');

  await syncOthers();
  await page.locator('.trail').getByRole('link', { name: 'Lake Street' }).click();
  await page.getByRole('link', { name: 'A-101' }).waitFor();
  await picture(page, '3-location');
  await page.getByRole('link', { name: 'Policy', exact: true }).click();
  await page.getByLabel('Days of grace').fill('0');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page.getByRole('button', { name: /^Apply: locks \d+ units/ }).waitFor();
  await picture(page, '7-policy');
  await page
    .locator('.tabs')
    .getByRole('link', { name: /^Units/ })
    .click();
  await page.getByRole('link', { name: 'A-101' }).click();
  await page.getByRole('link', { name: 'Open unit' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('link', { name: 'Report to print, with proof' }).click();
  await page.getByText('Verified: nothing altered.').waitFor();
  await picture(page, '4-report');

  await lockoutsCounted();
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('link', { name: 'Past due', exact: true }).waitFor();
  await picture(page, '6-today');
  await page.setViewportSize(USUAL);

  await page.getByText('Settings', { exact: true }).click();
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText(/Verifying:|Verified:/).waitFor();
  await service.part(LogExaminations).settled();
  await page.goto(`http://127.0.0.1:${service.port}/dashboard/audit`);
  expect(await page.locator('#examined').textContent()).toMatch(
    /^Verified: nothing altered\. The log has \d+ events/,
  );
  await picture(page, '5-audit');
});
