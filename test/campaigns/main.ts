import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { UsageError } from '#cli/output.js';
import { runCommand, wholeNumber } from '../support/command-line.js';
import { type Campaign, NotPlayed } from './campaign.js';
import { kills, killsOnServers } from './faults/crash/crash.js';
import { fair, fairOnServers, fairOverTls } from './fair/fair-campaign.js';
import { diskFull } from './faults/full-disk.js';
import { generators } from './generators/generators-campaign.js';
import { linearizability, linearizabilityOnServers } from './faults/linearizability/linearizability.js';
import { load } from './load/load-campaign.js';
import { longTests } from './long-tests.js';
import { announcements } from './simulation/announcements-campaign.js';
import { mutants } from './simulation/mutants/hunt.js';
import { schema } from './schema/schema-campaign.js';
import { simulation } from './simulation/simulation-campaign.js';

const CAMPAIGNS: readonly Campaign[] = [
  simulation,
  announcements,
  kills,
  ...longTests,
  load,
  fair,
  fairOnServers,
  fairOverTls,
  diskFull,
  linearizability,
  linearizabilityOnServers,
  killsOnServers,
  mutants,
  schema,
  generators,
];

const USAGE = `Usage: npm run test:campaigns -- [options]; see docs/reliability.md
  --minutes N   how long they take together, about (5); with 0, one short round of each
  --seed N      what is drawn from (the time); each further round takes the next one
  --only NAME   one of them; may be given again
${CAMPAIGNS.map(({ name, about }) => `    ${name.padEnd(16)} ${about}`).join('\n')}`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function chosen(names: readonly string[]): readonly Campaign[] {
  if (names.length === 0) return CAMPAIGNS.filter(({ onlyByName }) => onlyByName !== true);
  return names.map((name) => {
    const campaign = CAMPAIGNS.find((one) => one.name === name);
    if (campaign === undefined) throw new UsageError(`There is no campaign "${name}".`);
    return campaign;
  });
}

/** Plays rounds until the time is over or one fails. @returns whether they held; undefined where none was played */
async function held(campaign: Campaign, first: number, seconds: number): Promise<boolean | undefined> {
  const until = Date.now() + seconds * 1_000;
  for (let seed = first; seed === first || Date.now() < until; seed += 1) {
    const begun = Date.now();
    say(`\n${campaign.name}, seed ${seed}`);
    try {
      const left = Math.max(0, until - begun) / 1_000;
      const played = await campaign.play({ seed, seconds: left, say: (line) => say(`  ${line}`) });
      say(
        `${campaign.name}, seed ${seed}: holds after ${Math.round((Date.now() - begun) / 1_000)} s: ${played}`,
      );
    } catch (error) {
      if (error instanceof NotPlayed) return void say(`${campaign.name}: NOT PLAYED: ${error.message}`);
      say(`${campaign.name}, seed ${seed}: FAILED: ${error instanceof Error ? error.stack : String(error)}`);
      say(`Again: npm run test:campaigns -- --only ${campaign.name} --seed ${seed} --minutes 0`);
      return false;
    }
  }
  return true;
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { minutes: text, seed: text, only: { ...text, multiple: true } } as const;
  const { values } = parseArgs({ options });
  const minutes = wholeNumber('minutes', values.minutes ?? '5', 0);
  const seed = wholeNumber('seed', values.seed ?? String(Date.now() % 1_000_000), 0);
  const campaigns = chosen(values.only ?? []);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const verdicts: (boolean | undefined)[] = [];
  for (const campaign of campaigns)
    verdicts.push(await held(campaign, seed, (minutes * 60) / campaigns.length));
  const passed = verdicts.filter((verdict) => verdict === true).length;
  const failed = verdicts.filter((verdict) => verdict === false).length;
  say(`\ncampaigns: ${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

runCommand(USAGE, main);
