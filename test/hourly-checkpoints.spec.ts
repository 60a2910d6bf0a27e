import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnvironment } from '../src/config/environment.js';
import type { Logger } from '../src/config/logger.js';
import { HourlyCheckpoints } from '../src/hourly-checkpoints.js';
import type { RecordedEvent } from '../src/log/event-store.js';
import { rechained, soundLog, storeOf } from './log/proof/small-log.js';
import { ManualClock } from './support/manual-clock.js';
import { temporaryFolder, type TemporaryFolder } from './support/temporary-folder.js';
import { waitUntil } from './support/wait-until.js';

const HOUR = 3_600_000;

let folder: TemporaryFolder;
let file: string;
let log: RecordedEvent[];
let checkpoints: HourlyCheckpoints;
const clock = new ManualClock();
const errors: string[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'checkpoints');
  log = soundLog('unit-c.A', 'unit-c.B');
  errors.length = 0;
  checkpoints = serviceOn({ AUDIT_CHECKPOINT_FILE: file });
});
afterEach(async () => {
  await checkpoints.stop();
  await folder.remove();
});

function serviceOn(variables: Readonly<Record<string, string>>): HourlyCheckpoints {
  const environment = readEnvironment({ DATA_DIR: folder.path, ...variables });
  const tell = (_: object, text: string) => errors.push(text);
  return new HourlyCheckpoints(environment, storeOf(log), clock, {
    error: tell,
    warn: tell,
  } as unknown as Logger);
}

async function eventsSigned(): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => (JSON.parse(line) as { events: number }).events);
}

it('signs at once and then once an hour, also after it was stopped and started', async () => {
  checkpoints.start();
  clock.advance(0);
  await waitUntil(async () => (await eventsSigned()).length === 1);
  log.push(...soundLog('unit-c.A', 'unit-c.B', 'unit-c.A').slice(2));
  await checkpoints.stop();
  checkpoints.start();
  clock.advance(HOUR - 1);
  await checkpoints.stop();
  expect(await eventsSigned()).toEqual([2]);
  checkpoints.start();
  clock.advance(1);
  await waitUntil(async () => (await eventsSigned()).length === 2);
  expect(await eventsSigned()).toEqual([2, 3]);
  expect(errors).toEqual([]);
});

it('tells of a log that was changed, and signs nothing more of it', async () => {
  checkpoints.start();
  clock.advance(0);
  await waitUntil(async () => (await eventsSigned()).length === 1);
  log.splice(0, 2, ...rechained([{ ...log[0]!, data: {} }, log[1]!]));
  await checkpoints.stop();
  checkpoints.start();
  clock.advance(HOUR);
  await waitUntil(() => Promise.resolve(errors.length === 1));
  expect(errors[0]).toMatch('The log is not what was signed before. Stream unit-c.A was rewritten');
  expect(await eventsSigned()).toEqual([2]);
});

it('does nothing without a file', async () => {
  const silent = serviceOn({});
  silent.start();
  clock.advance(HOUR);
  await silent.stop();
  expect(await eventsSigned()).toEqual([]);
});
