import type { EventStore, ExpectedRevision, RecordedEvent } from '../../log/event-store.js';
import { pagesOf } from '../../log/log-pass.js';
import type { LogProgress } from '../../log/log-progress.js';
import { ChainCheck } from '../../log/proof/chain-check.js';
import { headOf, type StreamHead, type StreamHeads } from '../../log/proof/stream-heads.js';
import { isStoreUnavailableError } from '../../storage/store.errors.js';
import { MigrationError } from './migration-error.js';

/** Data of one append, below the 1 MiB that a store takes; an event that is larger by itself goes alone. */
const MOST_CHARACTERS = 200_000;
const MOST_EVENTS = 200;
const ATTEMPTS = 3;
const STREAMS_AT_ONCE = 64;

/** Whoever follows the log must meet a company and its locations before what belongs to them. */
const BEFORE_OTHERS = /^(company|location)-/;

/** How many events there are, how many of them had to be copied now, and where the streams of the source stand. */
export interface CopiedLog {
  readonly events: number;
  readonly copied: number;
  readonly heads: StreamHeads;
}

/**
 * Copies a log, many streams at once: the events of each stand in their order, those of different streams nearly so. What
 * an earlier run copied is passed over; an append of unknown outcome is sent again with the same ids and the same expected
 * revision.
 * @throws MigrationError where the target holds something else @throws StoreUnavailableError
 */
export async function copyLog(
  source: EventStore,
  target: EventStore,
  progress: LogProgress,
): Promise<CopiedLog> {
  const chain = new ChainCheck();
  const heads = new Map<string, StreamHead>();
  const copying = new Copying(target, (await target.readAll({ limit: 1 })).length === 0);
  for await (const page of pagesOf(source, progress)) {
    for (const event of page) {
      await demandFits(chain, event);
      heads.set(event.stream, headOf(event));
    }
    for (const streams of turnsOf(page)) await copying.copy(streams);
  }
  return { events: chain.events, copied: copying.copied, heads };
}

/** @throws MigrationError where the event does not follow the one before it in its stream */
export async function demandFits(chain: ChainCheck, event: RecordedEvent): Promise<void> {
  if ((await chain.fault(event)) === null) return;
  throw new MigrationError(`The hash chain breaks at revision ${event.revision} of ${event.stream}.`);
}

class Copying {
  copied = 0;
  readonly #heads = new Map<string, number>();

  constructor(
    private readonly target: EventStore,
    private readonly isEmpty: boolean,
  ) {}

  /** @param streams the next events of each */
  async copy(streams: readonly (readonly RecordedEvent[])[]): Promise<void> {
    const waiting = streams.values();
    const work = async () => {
      for (const events of waiting) for (const run of runsOf(events)) await this.#copyRun(run);
    };
    await Promise.all(Array.from({ length: STREAMS_AT_ONCE }, work));
  }

  async #copyRun(run: readonly RecordedEvent[]): Promise<void> {
    const { stream, revision: last } = run.at(-1)!;
    const head = await this.#headOf(stream);
    const missing = run.filter(({ revision }) => revision > head);
    // A stream that the target has further than this is told by the comparison afterwards.
    this.#heads.set(stream, Math.max(head, last));
    if (missing.length > 0) await append(this.target, missing);
    this.copied += missing.length;
  }

  /** Where the target's stream stands, asked once for each. */
  async #headOf(stream: string): Promise<number> {
    const known = this.#heads.get(stream);
    if (known !== undefined || this.isEmpty) return known ?? -1;
    const [last] = await this.target.readStream(stream, { backwards: true, limit: 1 });
    return last?.revision ?? -1;
  }
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

/** Events of streams that may be copied side by side, the turns one after another. */
function* turnsOf(page: readonly RecordedEvent[]): Generator<RecordedEvent[][]> {
  let turn = new Map<string, RecordedEvent[]>();
  for (const event of page) {
    if (BEFORE_OTHERS.test(event.stream)) {
      yield [...turn.values()];
      yield [[event]];
      turn = new Map();
      continue;
    }
    const events = turn.get(event.stream);
    if (events === undefined) turn.set(event.stream, [event]);
    else events.push(event);
  }
  yield [...turn.values()];
}

/** Events of one stream that may go in one append. */
function* runsOf(events: readonly RecordedEvent[]): Generator<RecordedEvent[]> {
  let run: RecordedEvent[] = [];
  let characters = 0;
  for (const event of events) {
    const size = JSON.stringify(event.data).length + JSON.stringify(event.metadata).length;
    if (run.length > 0 && (run.length === MOST_EVENTS || characters + size > MOST_CHARACTERS)) {
      yield run;
      run = [];
      characters = 0;
    }
    run.push(event);
    characters += size;
  }
  if (run.length > 0) yield run;
}
