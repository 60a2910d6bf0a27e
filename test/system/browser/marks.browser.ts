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

/** Marks as pages put them beside each other, with and without a space between. */
const MARKS = ['', ' '].map(
  (between) =>
    `<p class="tried">${['Overdue', 'Last run failed', '3 of 300 rows rejected', 'Off']
      .map((text) => `<span class="mark warn">${text}</span>`)
      .join(between)}</p>`,
);

it.each([390, 1280])('marks that stand alone do not touch each other %i px wide', async (width) => {
  if (browser === undefined) return;
  const page = await (await newVisit(browser, { viewport: { width, height: 900 } })).newPage();
  await page.goto(`http://127.0.0.1:${service.port}/dashboard/sign-in`);
  const least = await page.evaluate((html) => {
    document.querySelector('main')!.innerHTML = html;
    return [...document.querySelectorAll('.tried')].flatMap((row) => {
      const boxes = [...row.children].map((mark) => mark.getBoundingClientRect());
      return boxes.flatMap((one, at) =>
        boxes.slice(at + 1).map((other) => Math.max(other.left - one.right, other.top - one.bottom)),
      );
    });
  }, MARKS.join(''));
  expect(Math.min(...least)).toBeGreaterThanOrEqual(3);
});
