import { randomUUID } from 'node:crypto';
import { systemIds } from '../../src/config/ids.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { EmbeddedDocumentStore } from '../../src/documents/embedded/embedded-document-store.js';
import { AppliedEvents } from '../../src/writing/applied-events.js';
import { EmbeddedEventStore } from '../../src/log/embedded/embedded-event-store.js';
import { ViewsGate } from '../../src/writing/views-gate.js';
import { LogStreamWriter } from '../../src/writing/log-stream-writer.js';
import type { Snapshot, StreamChange, StreamKind, WriteContext } from '../../src/writing/stream-kind.js';
import type { Decide } from '../../src/writing/stream-writer.js';
import { AppendFaults, withAppendFaults } from './faulty-event-store.js';
import { ManualClock } from './manual-clock.js';
import { temporaryFolder } from './temporary-folder.js';

/** The smallest feature there is: a number that grows. */
export interface Counter {
  readonly total: number;
}
export interface Counted {
  readonly type: 'Counted';
  readonly data: { readonly by: number };
}
export type CounterDecide = Decide<Counter, Counted, string, 'too_much'>;

/** Counters whose folds are kept in memory, with views that fail on demand. */
export class CounterKind implements StreamKind<Counter, Counted> {
  readonly schema = 1;
  /** The views: the newest fold of each stream. */
  readonly folds = new Map<string, Snapshot<Counter>>();
  /** Every change that was projected, as `stream from-to`. */
  readonly projected: string[] = [];
  /** How many of the next projections fail. */
  failures = 0;

  constructor(readonly category = 'counter') {}

  evolve(this: void, state: Counter | undefined, { data }: Counted): Counter {
    return { total: (state?.total ?? 0) + data.by };
  }

  load(streams: readonly string[]): Promise<(Snapshot<Counter> | undefined)[]> {
    return Promise.resolve(streams.map((stream) => this.folds.get(stream)));
  }

  project(changes: readonly StreamChange<Counter, Counted>[]): Promise<void> {
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new Error('The views are down, as the test wants it.'));
    }
    for (const { stream, events, after } of changes) {
      this.projected.push(`${stream} ${events[0]?.revision ?? '-'}-${events.at(-1)?.revision ?? '-'}`);
      if (after.revision > (this.folds.get(stream)?.revision ?? -1)) this.folds.set(stream, after);
    }
    return Promise.resolve();
  }

  totals(): Record<string, number> {
    return Object.fromEntries([...this.folds].map(([stream, { state }]) => [stream, state.total]));
  }
}

/** Adds to a counter, and says how it stood. */
export function count(by: number): CounterDecide {
  return (snapshot) => ({
    events: by === 0 ? [] : [{ type: 'Counted', data: { by } }],
    result: `was ${snapshot?.state.total ?? 'nothing'}`,
  });
}

export const refuse: CounterDecide = () => ({ rejected: 'too_much' });

/** The same decision for each stream. */
export function always(decide: CounterDecide) {
  return (_snapshots: unknown, streams: readonly string[]) => Promise.resolve(streams.map(() => decide));
}

export function command(command_id = randomUUID(), recovering = false): WriteContext {
  return { command_id, request_id: 'request', actor: { kind: 'system', id: 'test' }, recovering };
}

/** Writers of counters on an embedded event store whose appends fail on demand. */
export async function openCounterWorld() {
  const folders = [await temporaryFolder(), await temporaryFolder()] as const;
  const clock = new ManualClock();
  const open = (place: 0 | 1) => openEmbeddedDatabase({ folder: folders[place].path, durable: false, clock });
  const log = new EmbeddedEventStore(await open(0));
  const views = new EmbeddedDocumentStore(await open(1), clock);
  const faults = new AppendFaults();
  const kind = new CounterKind();
  const applied = new AppliedEvents();
  return {
    clock,
    /** Without faults. */
    log,
    views,
    faults,
    kind,
    applied,
    writer: new LogStreamWriter(withAppendFaults(log, faults), clock, systemIds, applied, new ViewsGate()),
    /** Another process on the same log, with views and memory of its own. */
    rival: () => {
      const rivals = new CounterKind();
      const writer = new LogStreamWriter(log, clock, systemIds, new AppliedEvents(), new ViewsGate());
      return (stream: string, by = 1) =>
        writer.write(rivals, [stream], always(count(by)), command(undefined, true));
    },
    async close() {
      await Promise.all([log.close(), views.close()]);
      for (const folder of folders) await folder.remove();
    },
  };
}

export type CounterWorld = Awaited<ReturnType<typeof openCounterWorld>>;

/** Lets work go on that waits for a clock which stands still. */
export async function withTimePassing<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let settled = false;
  const end = () => void (settled = true);
  work.then(end, end);
  while (!settled) {
    await new Promise(setImmediate);
    clock.advance(1);
  }
  return work;
}
