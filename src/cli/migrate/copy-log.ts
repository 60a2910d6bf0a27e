import type { EventStore, ExpectedRevision, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { pagesOf } from '#eventsourcing/log/log-pass.js';
import type { LogProgress } from '#eventsourcing/log/log-progress.js';
import { ChainCheck } from '#eventsourcing/proof/chain-check.js';
import { headOf, type StreamHead, type StreamHeads } from '#eventsourcing/proof/stream-heads.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { CommandError } from '../output.js';

/** Data of one append, below the 1 MiB that a store takes; an event that is larger by itself goes alone. */
const MOST_CHARACTERS = 200_000;
const MOST_EVENTS = 200;
const ATTEMPTS = 3;
/** Appends under way at once (decisions §7). */
const WINDOW = 64;
/** Events of one stream are joined within so many events of the log. */
const MOST_JOINED = 4_000;

/** A reader of the log must meet a company and its locations before what belongs to them. */
const BEFORE_OTHERS = /^(company|location)-/;

/** The number of events, the number that this run copied, and the last event of each stream of the source. */
export interface CopiedLog {
  readonly events: number;
  readonly copied: number;
  readonly heads: StreamHeads;
}

/**
 * Copies a log in order, with several appends at once. The order within a stream is exact, between streams it may differ
 * a little. Events that an earlier run copied are skipped. An append of unknown outcome is
 * sent again with the same ids and the same expected revision.
 * @param progress gets the number of events that this run has copied, and the share of the source that was read
 * @throws CommandError where the target holds something else @throws StoreUnavailableError
 */
export async function copyLog(
  source: EventStore,
  target: EventStore,
  progress: LogProgress,
): Promise<CopiedLog> {
  const chain = new ChainCheck();
  const heads = new Map<string, StreamHead>();
  const copying = new Copying(target, (await target.readAll({ limit: 1 })).length === 0);
  let block: RecordedEvent[] = [];
  for await (const page of pagesOf(source, (_, share) => progress(copying.copied, share))) {
    for (const event of page) {
      await assertFits(chain, event);
      heads.set(event.stream, headOf(event));
      block.push(event);
    }
    if (block.length < MOST_JOINED) continue;
    await copying.copy(block);
    block = [];
  }
  await copying.copy(block);
  await copying.settle();
  return { events: chain.events, copied: copying.copied, heads };
}

/** @throws CommandError where the event does not follow the one before it in its stream */
export async function assertFits(chain: ChainCheck, event: RecordedEvent): Promise<void> {
  if ((await chain.fault(event)) === null) return;
  throw new CommandError(`The hash chain breaks at revision ${event.revision} of ${event.stream}.`);
}

class Copying {
  copied = 0;
  readonly #heads = new Map<string, number>();
  /** The newest append of each stream that has one under way. */
  readonly #underWay = new Map<string, Promise<void>>();
  #appending = 0;
  #freed: () => void = () => undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    private readonly target: EventStore,
    private readonly isEmpty: boolean,
  ) {}

  /** Starts the appends of these events. Resolves while the last of them are under way. */
  async copy(block: readonly RecordedEvent[]): Promise<void> {
    for (const part of partsOf(block)) {
      const goesAlone = BEFORE_OTHERS.test(part[0]?.stream ?? '');
      if (goesAlone) await this.settle();
      for (const run of joinedRuns(part)) await this.#start(run);
      if (goesAlone) await this.settle();
    }
  }

  /** Waits for all appends under way. @throws the first failure of one */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay.values());
    this.#assertSound();
  }

  /** Waits until fewer appends than the window allows are under way. */
  async #start(run: readonly RecordedEvent[]): Promise<void> {
    if (this.#appending === WINDOW) await new Promise<void>((resolve) => (this.#freed = resolve));
    this.#assertSound();
    const { stream } = run[0]!;
    this.#appending += 1;
    const copied = (this.#underWay.get(stream) ?? Promise.resolve())
      .then(() => (this.#failure === undefined ? this.#copyRun(run) : undefined))
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .then(() => {
        this.#appending -= 1;
        this.#freed();
        if (this.#underWay.get(stream) === copied) this.#underWay.delete(stream);
      });
    this.#underWay.set(stream, copied);
  }

  #assertSound(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #copyRun(run: readonly RecordedEvent[]): Promise<void> {
    const { stream, revision: last } = run.at(-1)!;
    const head = await this.#headOf(stream);
    const missing = run.filter(({ revision }) => revision > head);
    // If the target's stream is longer, the comparison afterwards reports it.
    this.#heads.set(stream, Math.max(head, last));
    if (missing.length > 0) await append(this.target, missing);
    this.copied += missing.length;
  }

  /** The head of the target's stream, asked once for each. */
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
      throw new CommandError(
        `${stream} stands at ${outcome!.actual} in the target, where ${expected}. Another program writes there: stop it.`,
      );
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Events that may be joined. What others depend on is a part by itself. */
function* partsOf(block: readonly RecordedEvent[]): Generator<RecordedEvent[]> {
  let part: RecordedEvent[] = [];
  for (const event of block) {
    if (BEFORE_OTHERS.test(event.stream)) {
      yield part;
      yield [event];
      part = [];
    } else part.push(event);
  }
  yield part;
}

/** The appends of a part, in the order of their first events. */
function* joinedRuns(part: readonly RecordedEvent[]): Generator<RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of part) {
    const events = streams.get(event.stream);
    if (events === undefined) streams.set(event.stream, [event]);
    else events.push(event);
  }
  for (const events of streams.values()) yield* runsOf(events);
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
