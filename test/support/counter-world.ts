import { randomUUID } from 'node:crypto';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import type { Aggregate, Decided, Kind, Snapshot } from '#eventsourcing/writing/aggregate.js';
import type { Projector, StateLoader, StreamChange } from '#eventsourcing/writing/projector.js';
import type { CommandRunnerPorts } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { AppendFaults, withAppendFaults } from './faulty-event-store.js';
import { ManualClock } from './manual-clock.js';
import { commandRunnerOn, type Part, runParts } from './command-runner.js';
import { temporaryFolder } from './temporary-folder.js';

/** The smallest feature there is: a number that grows. */
export interface Counter {
  readonly total: number;
}
export interface Counted {
  readonly type: 'Counted';
  readonly data: { readonly by: number };
}
/** A counter's command is the decision itself. */
export type CounterDecide = (state: Counter | undefined, now: number) => Decided<Counted, string, 'too_much'>;

export function counterAggregate(
  category = 'counter',
): Aggregate<Kind<Counter, Counted, CounterDecide, string, 'too_much'>> {
  return {
    category,
    types: { Counted: { schema: 1 } },
    evolve: (state, { data }) => ({ total: (state?.total ?? 0) + data.by }),
    decide: (state, decide, now) => decide(state, now),
  };
}

/** Counters whose folds are kept in memory, with views that fail on demand. */
export class CounterProjector implements Projector<Counter, Counted> {
  /** The views: the newest fold of each stream. */
  readonly folds = new Map<string, Snapshot<Counter>>();
  /** Every change that was projected, as `stream from-to`. */
  readonly projected: string[] = [];
  /** How many of the next projections fail. */
  failures = 0;

  readonly states: StateLoader<Counter> = {
    load: (streams) => Promise.resolve(streams.map((stream) => this.folds.get(stream))),
  };

  constructor(readonly fold = counterAggregate()) {}

  shown(streams: readonly string[]): Promise<number[]> {
    return Promise.resolve(streams.map((stream) => this.folds.get(stream)?.revision ?? -1));
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
  return (state) => ({
    events: by === 0 ? [] : [{ type: 'Counted', data: { by } }],
    result: `was ${state?.total ?? 'nothing'}`,
  });
}

export const refuse: CounterDecide = () => ({ rejected: 'too_much' });

/** The same decision for each stream. */
export function parts(streams: readonly string[], command: CounterDecide): Part<CounterDecide>[] {
  return streams.map((stream) => ({ stream, command }));
}

/** A kind of write with this projector. */
export function writing(projector: CounterProjector) {
  return { aggregate: projector.fold, states: projector.states, projector };
}

export function command(command_id = randomUUID(), recovering = false): WriteContext {
  return { command_id, request_id: 'request', actor: { kind: 'system', id: 'test' }, recovering };
}

/** Writers of counters on an embedded event store whose appends fail on demand. */
export async function openCounterWorld(more: Partial<CommandRunnerPorts> = {}) {
  const folders = [await temporaryFolder(), await temporaryFolder()] as const;
  const clock = new ManualClock();
  const open = (place: 0 | 1) => openEmbeddedDatabase({ folder: folders[place].path, durable: false, clock });
  const log = new EmbeddedEventStore(await open(0));
  const views = new EmbeddedDocumentStore(await open(1), clock);
  const faults = new AppendFaults();
  const counters = new CounterProjector();
  return {
    clock,
    /** Without faults. */
    log,
    views,
    faults,
    counters,
    writer: commandRunnerOn(withAppendFaults(log, faults), clock, more),
    /** Another process on the same log, with views and memory of its own. */
    rival: () => {
      const rivals = writing(new CounterProjector());
      const writer = commandRunnerOn(log, clock);
      return (stream: string, by = 1) =>
        runParts(writer, rivals, parts([stream], count(by)), command(undefined, true));
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
