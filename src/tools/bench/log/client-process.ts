import { randomUUID } from 'node:crypto';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  type JSONType,
  NO_STREAM,
} from '@eventstore/db-client';

/** What a stream was given, by one append. */
type Append = readonly { readonly type: string; readonly data: unknown; readonly metadata: unknown }[];

/** Asks the client's process for one measurement, or to learn what is to be appended. */
export type ClientJob =
  | { readonly learn: string; readonly streams: number }
  | { readonly append: string; readonly atOnce: number; readonly seconds: number };

/** What it answers; `turns` are appends to all the streams of what was learnt. */
export type ClientReport =
  | { readonly turns: number; readonly seconds: number; readonly cpuMicroseconds: number }
  | { readonly error: string };

/** Of events, read backwards: beyond so many the streams that are looked for are not there. */
const FURTHEST = 10_000;

const client = EventStoreDBClient.connectionString(process.argv[2]!);
const learnt = new Map<string, readonly Append[]>();

/** The appends that came last, of so many streams of the service's units. */
async function lastAppends(streams: number): Promise<readonly Append[]> {
  const found = new Map<string, { type: string; data: unknown; metadata: unknown }[]>();
  for await (const { event } of client.readAll({
    direction: BACKWARDS,
    fromPosition: END,
    maxCount: FURTHEST,
  })) {
    if (event === undefined || !/(^|\.)unit-/.test(event.streamId)) continue;
    const { streamId, type, data, metadata } = event;
    if (!found.has(streamId) && found.size === streams) break;
    const events = found.get(streamId) ?? [];
    found.set(streamId, events);
    events.unshift({ type, data, metadata });
  }
  if (found.size < streams) throw new Error(`Only ${found.size} of ${streams} units stand in the log.`);
  return [...found.values()];
}

function append(events: Append): Promise<unknown> {
  const copies = events.map(({ type, data, metadata }) =>
    jsonEvent({ type, data: data as JSONType, metadata: metadata as Record<string, JSONType> }),
  );
  return client.appendToStream(`bench.${randomUUID()}`, copies, { expectedRevision: NO_STREAM });
}

async function measure(what: string, atOnce: number, seconds: number): Promise<ClientReport> {
  const appends = learnt.get(what)!;
  const before = process.cpuUsage();
  const began = performance.now();
  let turns = 0;
  const goOn = async () => {
    while (performance.now() - began < seconds * 1_000) {
      await Promise.all(appends.map(append));
      turns += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, goOn));
  const { user, system } = process.cpuUsage(before);
  return { turns, seconds: (performance.now() - began) / 1_000, cpuMicroseconds: (user + system) / turns };
}

async function work(job: ClientJob): Promise<ClientReport> {
  try {
    if ('append' in job) return await measure(job.append, job.atOnce, job.seconds);
    learnt.set(job.learn, await lastAppends(job.streams));
    return { turns: 0, seconds: 0, cpuMicroseconds: 0 };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (job: ClientJob) => void work(job).then((report) => process.send?.(report)));
process.once('disconnect', () => process.exit(0));
