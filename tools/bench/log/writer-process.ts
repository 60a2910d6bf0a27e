import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';

/** EventStoreDB's own client, or the service's adapter. */
export type Writer = 'client' | 'adapter';

/** One measurement: appends to `streams` streams in each step, or one read of the whole log. */
export type WriterJob =
  { readonly streams: number; readonly atOnce: number; readonly seconds: number } | { readonly read: true };

/** The result. `count` is the number of steps, or of events read. */
export type WriterReport =
  | { readonly count: number; readonly seconds: number; readonly cpuMicroseconds: number }
  | { readonly error: string };

interface Log {
  append(streams: readonly string[]): Promise<unknown>;
  /** @returns the number of events */
  read(): Promise<number>;
}

/** These are as large as the events of a move-in. */
const EVENTS = ['UnitRegistered', 'TenantMovedIn'].map((type) => ({
  type,
  data: { schema: 1, text: 'x'.repeat(300) },
  metadata: { command_id: randomUUID(), hash: 'y'.repeat(64), occurred_at: 1_780_000_000_000 },
}));

function clientLog(url: string): Log {
  const client = EventStoreDBClient.connectionString(url);
  const append = (stream: string) =>
    client.appendToStream(
      stream,
      EVENTS.map((event) => jsonEvent(event)),
      { expectedRevision: NO_STREAM },
    );
  return {
    append: (streams) => Promise.all(streams.map(append)),
    read: async () => {
      let events = 0;
      for await (const { event } of client.readAll()) if (event?.type.startsWith('$') === false) events += 1;
      return events;
    },
  };
}

function adapterLog(url: string): Log {
  const store = new EventStoreDbEventStore({ url, streamPrefix: 'bench.' });
  const events = () => EVENTS.map((event) => ({ id: randomUUID(), ...event }));
  let stop = (): Promise<void> => Promise.resolve();
  return {
    append: (streams) =>
      store.append(streams.map((stream) => ({ stream, expected: 'no_stream', events: events() }))),
    // The catch-up reads in the same way.
    read: async () => {
      let count = 0;
      await new Promise<void>((caughtUp, failed) => {
        const handle = (found: readonly unknown[]) => Promise.resolve(void (count += found.length));
        const subscription = store.subscribe(undefined, { handle, caughtUp, failed });
        stop = () => subscription.stop();
      });
      await stop();
      return count;
    },
  };
}

async function measure(log: Log, job: WriterJob): Promise<WriterReport> {
  const before = process.cpuUsage();
  const began = performance.now();
  const count = 'read' in job ? await log.read() : await appendFor(log, job);
  const { user, system } = process.cpuUsage(before);
  return { count, seconds: (performance.now() - began) / 1_000, cpuMicroseconds: user + system };
}

async function appendFor(
  log: Log,
  { streams, atOnce, seconds }: Exclude<WriterJob, { readonly read: true }>,
): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let steps = 0;
  const work = async () => {
    while (performance.now() < end) {
      await log.append(Array.from({ length: streams }, () => `bench.${randomUUID()}`));
      steps += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return steps;
}

const [, , url, writer] = process.argv as [string, string, string, Writer];
const log = writer === 'client' ? clientLog(url) : adapterLog(url);

process.on('message', (job: WriterJob) => {
  const failed = (error: unknown): WriterReport => ({
    error: error instanceof Error ? error.message : String(error),
  });
  void measure(log, job)
    .catch(failed)
    .then((report) => process.send?.(report));
});
process.once('disconnect', () => process.exit(0));
