import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * A Chromium of this machine; undefined where there is none, which is told on standard error.
 * @throws Error for that where `REQUIRE_BROWSER=1`
 */
export async function openChromium(): Promise<Browser | undefined> {
  const executablePath = PLACES.find((path) => path !== undefined && existsSync(path));
  if (executablePath !== undefined) {
    // As root there is no sandbox, and a container's shared memory may be too small for pages.
    return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  }
  const told = 'No Chromium was found (variable CHROMIUM): the dashboard was not tried in a browser.';
  if (process.env['REQUIRE_BROWSER'] === '1') throw new Error(told);
  process.stderr.write(`${told}\n`);
  return undefined;
}

/** How long anything is waited for, in milliseconds: it names what hung, and is no measure of speed. */
const PATIENCE = 60_000;

/** A browser of somebody's own: nothing is kept of another. */
export async function newVisit(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  context.setDefaultNavigationTimeout(PATIENCE);
  return context;
}
