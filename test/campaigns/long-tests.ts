import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Campaign } from './campaign.js';

const ROOT = join(__dirname, '..', '..');

/** Suites of `npm test` that play more in a campaign (test/support/campaign.ts), and `*.campaign.spec.ts`, which are in none but these. */
export const longTests: readonly Campaign[] = [
  longTest('rebuild', 'views rebuilt under load, and cut off', [
    'test/eventsourcing/projecting/views-rebuild.campaign',
  ]),
  longTest('processes', 'processes killed amid writes', [
    'test/system/e2e/process',
    'test/stores/embedded/database/embedded-processes',
  ]),
  longTest('sizes', 'as many units, pages and ends of leaders as a large operator sees', [
    'test/pull/pull-sources',
    'test/system/abuse/many-units',
    'test/stores/eventstoredb/client-process',
  ]),
  longTest('hostile', 'good requests with one thing wrong', ['test/system/hostile/hostile.e2e']),
  longTest('properties', 'property tests, twenty times as long, and a disk that fills at every commit', [
    'property.spec',
    'test/domain/access/calendar',
    'list-units',
    'test/campaigns/simulation/simulation.spec',
    'test/system/e2e/disk-full',
  ]),
];

function longTest(name: string, about: string, patterns: readonly string[]): Campaign {
  return {
    name,
    about,
    async play({ seed }) {
      const jest = ['node_modules/jest/bin/jest.js', '--runInBand'];
      const child = spawn(process.execPath, [...jest, ...patterns], {
        cwd: ROOT,
        env: { ...process.env, CAMPAIGN_SEED: String(seed) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part) => (output += String(part)));
      const status = await new Promise((resolve) => child.once('close', resolve));
      if (status !== 0) throw new Error(output);
      return /^Tests: +(.*)$/m.exec(output)?.[1] ?? output;
    },
  };
}
