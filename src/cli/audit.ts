import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import type { Environment } from '../config/environment.js';
import { isUnreadableEventError } from '../log/event-store.errors.js';
import { type ChainFault, exportLog, UnitHistory, verifyAll, verifyStream } from '../history/index.js';
import { parseTimestamp } from '../http/index.js';
import { UnitDirectory, type UnitDocument, unitStream } from '../units/index.js';
import { CommandError, type Output, progressOn, UsageError } from './output.js';
import { commandPorts, openLog, openReaders } from './stores.js';

/** How a command names a unit: a company, and the integrator's identifier or `ulid:{unit_id}`. */
export interface UnitName {
  readonly company: string;
  readonly unit: string;
}

const PAGE = 500;
const CHUNK_CHARACTERS = 65_536;

/** Prints a unit's history, oldest first, each entry a line of JSON. */
export async function auditHistory(
  name: UnitName,
  environment: Environment,
  output: Output,
): Promise<number> {
  await withUnit(name, environment, async (unit, history) => {
    for (let cursor: string | undefined; ;) {
      const { entries, next_cursor } = await history.page(unit, { limit: PAGE, cursor });
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
      await print(output, lines);
      if (next_cursor === null) return;
      cursor = next_cursor;
    }
  });
  return 0;
}

/** Prints a unit as a read at an instant would have answered it, as JSON. */
export async function auditAsOf(
  name: UnitName,
  at: string,
  environment: Environment,
  output: Output,
): Promise<number> {
  const instant = parseTimestamp(at);
  if (instant === undefined) {
    throw new UsageError('--at must be a timestamp such as 2026-06-06T09:00:00Z.');
  }
  await withUnit(name, environment, async (unit, history) => {
    const found = await history.asOf(unit, instant);
    if (found === undefined) throw new CommandError('Unit not found: it did not exist at that instant.');
    await print(output, [`${JSON.stringify(found, null, 2)}\n`]);
  });
  return 0;
}

/** Recomputes the hash chain of one unit or of the whole log: 0 and a line with `ok`, or 1 and the first fault. */
export async function auditVerify(
  name: UnitName | undefined,
  environment: Environment,
  output: Output,
): Promise<number> {
  const stream = name === undefined ? undefined : await streamOf(name, environment);
  const store = await openLog(environment);
  try {
    const { ok, streams, events, fault } =
      stream === undefined
        ? await verifyAll(store, progressOn(output, 'verified'))
        : await verifyStream(store, stream);
    if (stream !== undefined && streams === 0 && ok) throw unitNotFound();
    await print(output, [ok ? `ok: ${events} events in ${streams} streams\n` : `${describe(fault!)}\n`]);
    return ok ? 0 : 1;
  } catch (error) {
    if (!isUnreadableEventError(error)) throw error;
    await print(output, [`FAULT: ${error.message}\n`]);
    return 1;
  } finally {
    await store.close();
  }
}

/** Prints the whole log as NDJSON, the manifest last. */
export async function auditExport(environment: Environment, output: Output): Promise<number> {
  const store = await openLog(environment);
  try {
    await print(output, chunksOf(exportLog(store, progressOn(output, 'exported'))));
    return 0;
  } finally {
    await store.close();
  }
}

function describe({ stream, revision, event_id, type, problem, expected, found }: ChainFault): string {
  const said = {
    revision: `events before it are missing (revision ${expected} was expected)`,
    previous_hash: `it does not link to the event before it (expected ${expected}, found ${found})`,
    hash: `it does not say what it said when it was written (hash computed ${expected}, stored ${found})`,
    stream: `where the stream is read, ${found} stands in its place`,
  }[problem];
  return `FAULT: stream ${stream}, revision ${revision}, event ${event_id} (${type}): ${said}.`;
}

/** The stream of a unit; only the service's own identifier needs the views to be found by. */
async function streamOf(name: UnitName, environment: Environment): Promise<string> {
  if (!name.unit.startsWith('ulid:')) return unitStream(name.company, name.unit);
  let stream = '';
  await withUnit(name, environment, (unit) => {
    stream = unit._id;
    return Promise.resolve();
  });
  return stream;
}

async function withUnit(
  { company, unit }: UnitName,
  environment: Environment,
  work: (unit: UnitDocument, history: UnitHistory) => Promise<void>,
): Promise<void> {
  const ports = commandPorts(environment, await openReaders(environment));
  const options = { logger: false, abortOnError: false } as const;
  const context = await NestFactory.createApplicationContext(AppModule.with(ports), options);
  try {
    const found = await context.get(UnitDirectory, { strict: false }).byPathKey(company, unit);
    if (found === undefined) throw unitNotFound();
    await work(found, context.get(UnitHistory, { strict: false }));
  } finally {
    await context.close();
  }
}

function unitNotFound(): CommandError {
  return new CommandError('Unit not found.');
}

function print({ stdout }: Output, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  return pipeline(Readable.from(chunks), stdout, { end: false });
}

/** A write for each line would cost more than reading it. */
async function* chunksOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
