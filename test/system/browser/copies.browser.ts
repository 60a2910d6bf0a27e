import type { Browser } from 'playwright-core';
import { Service } from '../../support/service.js';
import { newVisit, openChromium } from './chromium.js';

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

const address = (to: string) => `http://127.0.0.1:${service.port}${to}`;

async function tokenPage(options: { javaScriptEnabled?: boolean } = {}) {
  if (browser === undefined) return undefined;
  const company = await service.company({ pms_location_code: 'MAIN' });
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await (await newVisit(browser, { permissions, ...options })).newPage();
  await page.goto(address('/dashboard/sign-in'));
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.goto(address(`/dashboard/companies/${company.id}/api-tokens?add=token`));
  await page.locator('#token-name').fill('PMS');
  await page.locator('#form-token button').last().click();
  await page.locator('#token-value').waitFor();
  return page;
}

it('a token that is shown once is copied by the keyboard, and a screen reader is told', async () => {
  const page = await tokenPage();
  if (page === undefined) return;
  const button = page.getByRole('button', { name: 'Copy', exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.locator('p[role=status]').getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
  const value = (await page.locator('#token-value').textContent())!.trim();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
});

it('a token that is shown once has no button to copy it where no script runs', async () => {
  const page = await tokenPage({ javaScriptEnabled: false });
  if (page === undefined) return;
  expect(await page.getByRole('button', { name: 'Copy', exact: true }).isVisible()).toBe(false);
});
