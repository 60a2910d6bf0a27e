import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnvironment } from '#kernel/environment/environment.js';
import type { Logger } from '#kernel/logger.js';
import { HourlyCheckpoints } from '#app/hourly-checkpoints.js';
import type { ReadAllOptions, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { rechained, soundLog, storeOf } from '../eventsourcing/proof/small-log.js';
import { ManualClock } from '../support/manual-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { waitUntil } from '../support/wait-until.js';

const HOUR = 3_600_000;

let folder: TemporaryFolder;
let file: string;
let log: RecordedEvent[];
let checkpoints: HourlyCheckpoints;
const clock = new ManualClock();
const errors: string[] = [];
let details: Record<string, unknown> = {};
let isStoreAway = false;
let beforeRead: () => void = () => undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'checkpoints');
  log = soundLog('unit-c.A', 'unit-c.B');
  errors.length = 0;
  isStoreAway = false;
  beforeRead = () => undefined;
  checkpoints = serviceOn({ AUDIT_CHECKPOINT_FILE: file });
});
afterEach(async () => {
  await checkpoints.stop();
  await folder.remove();
});

function serviceOn(variables: Readonly<Record<string, string>>): HourlyCheckpoints {
  const environment = readEnvironment({ DATA_DIR: folder.path, ...variables });
  const tell = (object: Record<string, unknown>, text: string) => {
    details = object;
    errors.push(text);
  };
  const store = storeOf(log);
  const readAll = (options: ReadAllOptions) => {
    beforeRead();
    return isStoreAway ? Promise.reject(new StoreUnavailableError('Away.', true)) : store.readAll(options);
  };
  return new HourlyCheckpoints(environment, { ...store, readAll }, clock, {
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

it('goes on an hour after the store was away, with no word of what was not read', async () => {
  checkpoints.start();
  clock.advance(0);
  await waitUntil(async () => (await eventsSigned()).length === 1);
  await waitUntil(() => clock.pending === 1);
  isStoreAway = true;
  clock.advance(HOUR);
  await waitUntil(() => errors.length === 1);
  expect(errors[0]).toMatch('The audit checkpoint was not signed');
  isStoreAway = false;
  await waitUntil(() => clock.pending === 1);
  clock.advance(HOUR);
  await waitUntil(async () => (await eventsSigned()).length === 2);
  expect(errors).toHaveLength(1);
});

it('tells how much is not as it was signed, and the first ten of it', async () => {
  log.splice(0, log.length, ...soundLog(...Array.from({ length: 12 }, (_, number) => `unit-c.${number}`)));
  checkpoints.start();
  clock.advance(0);
  await waitUntil(async () => (await eventsSigned()).length === 1);
  log.length = 1;
  await checkpoints.stop();
  checkpoints.start();
  clock.advance(HOUR);
  await waitUntil(() => errors.length === 1);
  expect(details).toMatchObject({ count: 11 });
  expect(details['differences']).toHaveLength(10);
});

it('tells of a file whose end was cut off, and goes on', async () => {
  await writeFile(file, '["unit-c.A",0,"');
  checkpoints.start();
  clock.advance(0);
  await waitUntil(() => errors.length === 1);
  expect(errors).toEqual([
    expect.stringMatching('^The last 15 bytes of the file of checkpoints do not count'),
  ]);
  expect(await eventsSigned()).toHaveLength(1);
});

it('signs nothing if it is stopped while it opens the key', async () => {
  checkpoints.start();
  clock.advance(0);
  await checkpoints.stop();
  expect(await eventsSigned()).toEqual([]);
});

it('signs nothing if it is stopped while it reads the end of the log', async () => {
  checkpoints.start();
  clock.advance(0);
  await waitUntil(async () => (await eventsSigned()).length === 1);
  await waitUntil(() => clock.pending === 1);
  let stopped: Promise<void> | undefined;
  beforeRead = () => {
    stopped ??= checkpoints.stop();
  };
  clock.advance(HOUR);
  await waitUntil(() => stopped !== undefined);
  await stopped;
  expect(await eventsSigned()).toEqual([2]);
});

it('does nothing without a file', async () => {
  const silent = serviceOn({});
  silent.start();
  clock.advance(HOUR);
  await silent.stop();
  expect(await eventsSigned()).toEqual([]);
});
