import { parseArgs } from 'node:util';
import { runCommand, wholeNumber } from '../../support/command-line.js';
import { whyNoStandIn } from '../../support/mongo-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { crash } from './crash/crash.js';
import { embeddedUnderKills, serversUnderKills } from './crash/stores-under-kills.js';
import { fillDisk } from './full-disk.js';
import { checkHistory, hasGo } from './linearizability/check.js';
import { recordHistory } from './linearizability/history.js';

const OPTIONS = {
  kills: { type: 'string', default: '200' },
  seconds: { type: 'string', default: '1800' },
  writers: { type: 'string', default: '16' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  linearizability: { type: 'boolean', default: false },
  servers: { type: 'boolean', default: false },
  'full-disk': { type: 'string' },
} as const;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const USAGE = `Usage: npm run test:faults -- [options]; see docs/reliability.md
  --kills N            how often the service is killed (200)
  --seconds N          within which it must have been (1800)
  --writers N          clients at once (16)
  --seed N             what is drawn from (the time)
  --servers            on the double of EventStoreDB and the stand-in for MongoDB
  --linearizability    a history of reads and writes, held to Porcupine
  --full-disk FOLDER   fills the small file system that the folder is on, and makes space again`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const numbers: Numbers = {
    kills: wholeNumber('kills', values.kills),
    seconds: wholeNumber('seconds', values.seconds),
    seed: wholeNumber('seed', values.seed, 0),
  };
  const began = Date.now();
  const folder = values['full-disk'];
  if (folder !== undefined) return say(`full disk: ${JSON.stringify(await fillDisk(folder))}`);
  const name = values.linearizability ? 'linearizability' : 'crash';
  say(`${name}: ${JSON.stringify(numbers)}`);
  const result = values.linearizability
    ? await linearizability(numbers)
    : await kills({
        ...numbers,
        writers: wholeNumber('writers', values.writers),
        isOnServers: values.servers,
      });
  say(`${name}: ${JSON.stringify(result)} in ${((Date.now() - began) / 1_000).toFixed(0)} s`);
}

interface Numbers {
  readonly kills: number;
  readonly seconds: number;
  readonly seed: number;
}

async function kills({
  isOnServers,
  ...numbers
}: Numbers & { readonly writers: number; readonly isOnServers: boolean }): Promise<unknown> {
  const reason = isOnServers ? whyNoStandIn() : undefined;
  if (reason !== undefined) return `not run: ${reason}`;
  const openStores = isOnServers ? serversUnderKills : embeddedUnderKills;
  const done = await crash({ ...numbers, log: (line) => say(`  ${line}`) }, openStores);
  if (done.kills < numbers.kills) {
    say(`Only ${done.kills} of ${numbers.kills} kills in ${numbers.seconds} s: give it more --seconds.`);
    process.exitCode = 1;
  }
  return done;
}

async function linearizability(numbers: Numbers): Promise<unknown> {
  if (!hasGo()) return 'not run: there is no go to run the checker with';
  const folder = await temporaryFolder();
  try {
    const history = await recordHistory({ ...numbers, folder: folder.path, answers: 400 });
    return checkHistory(history);
  } finally {
    await folder.remove();
  }
}

runCommand(USAGE, main);
