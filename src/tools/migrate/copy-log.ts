import type { EventStore, ExpectedRevision, RecordedEvent } from '../../log/event-store.js';
import { isStoreUnavailableError } from '../../storage/store.errors.js';
import { LogChain } from './log-chain.js';
import { eventsOf } from './log-reader.js';
import { MigrationError } from './migration-error.js';

/** Data of one append, below the 1 MiB that a store takes; an event that is larger by itself goes alone. */
const MOST_CHARACTERS = 200_000;
const MOST_EVENTS = 200;
const ATTEMPTS = 3;

/** How many events there are, and how many of them had to be copied now. */
export interface CopiedLog {
  readonly events: number;
  readonly streams: number;
  readonly copied: number;
}

/**
 * Copies a log, one append after another, so that the events stand in the same order. What an earlier run copied is
 * passed over; an append of unknown outcome is sent again with the same ids and the same expected revision.
 * @throws MigrationError where the target holds something else @throws StoreUnavailableError
 */
export async function copyLog(
  source: EventStore,
  target: EventStore,
  progress: (line: string) => void,
): Promise<CopiedLog> {
  const chain = new LogChain();
  const heads = new Heads(target);
  let [events, copied] = [0, 0];
  for await (const page of eventsOf(source)) {
    for (const run of runsOf(page)) {
      for (const event of run) chain.take(event);
      copied += await copyRun(target, heads, run);
    }
    events += page.length;
    progress(`${events} events read, ${copied} of them copied now`);
  }
  return { events, streams: chain.streams, copied };
}

/** Where the target's streams stand, asked once for each. */
class Heads {
  readonly #revisions = new Map<string, number>();

  constructor(private readonly target: EventStore) {}

  async of(stream: string): Promise<number> {
    const known = this.#revisions.get(stream);
    if (known !== undefined) return known;
    const [last] = await this.target.readStream(stream, { backwards: true, limit: 1 });
    return last?.revision ?? -1;
  }

  moved(stream: string, revision: number): void {
    this.#revisions.set(stream, revision);
  }
}

async function copyRun(target: EventStore, heads: Heads, run: readonly RecordedEvent[]): Promise<number> {
  const { stream, revision: last } = run.at(-1)!;
  const head = await heads.of(stream);
  const missing = run.filter(({ revision }) => revision > head);
  // A stream that the target has further than this is told by the comparison afterwards.
  heads.moved(stream, Math.max(head, last));
  if (missing.length === 0) return 0;
  await append(target, missing);
  return missing.length;
}

async function append(target: EventStore, events: readonly RecordedEvent[]): Promise<void> {
  const { stream, revision } = events[0]!;
  const expected: ExpectedRevision = revision === 0 ? 'no_stream' : revision - 1;
  const fresh = events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [outcome] = await target.append([{ stream, expected, events: fresh }]);
      if (outcome!.kind === 'appended') return;
      throw new MigrationError(
        `${stream} stands at ${outcome!.actual} in the target, where ${expected} was expected: something else writes there.`,
      );
    } catch (error) {
      if (!isStoreUnavailableError(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Neighbours of one stream that may go in one append. */
function* runsOf(events: readonly RecordedEvent[]): Generator<RecordedEvent[]> {
  let run: RecordedEvent[] = [];
  let characters = 0;
  for (const event of events) {
    const size = JSON.stringify(event.data).length + JSON.stringify(event.metadata).length;
    const isFull = run.length === MOST_EVENTS || characters + size > MOST_CHARACTERS;
    if (run.length > 0 && (isFull || run[0]!.stream !== event.stream)) {
      yield run;
      run = [];
      characters = 0;
    }
    run.push(event);
    characters += size;
  }
  if (run.length > 0) yield run;
}
