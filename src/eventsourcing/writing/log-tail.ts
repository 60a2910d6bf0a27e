import type { Clock } from '#kernel/clock.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import { waitingEvents } from '#eventsourcing/log/waiting-events.js';
import type { Snapshot } from './aggregate.js';
import { lastEventOf } from './stored-stream.js';

/** Most events that one read of the log's end may return. If more wait, each stream is read by itself. */
const LONGEST = 1_000;
/** Reading one stream takes as long as reading so many events in one page. */
const EVENTS_FOR_A_STREAM = 20;
/** The checkpoint moves as often. */
const CHECKPOINT_EVERY_MS = 1_000;

/** A stream with its state from the views. */
interface LoadedStream {
  readonly stream: string;
  readonly snapshot: Snapshot<unknown> | undefined;
  /** {@link LogTail.shownUpTo} before the views were read. */
  readonly shownUpTo: bigint | undefined;
}

/**
 * Keeps the answer "unchanged" true: it knows which streams may have events that the views do not show. The log's end is
 * read for those before such an answer.
 */
export interface LogTail {
  /** True if the log may have events of the stream that the views do not show. */
  mayBeBehind(stream: string): boolean;
  /** Call it if the outcome of a write to these streams is unknown, or their views were not updated. */
  unsettle(streams: readonly string[]): void;
  /** Call it when the views show all events of these streams. */
  settle(streams: readonly string[]): void;
  /** Views that are read from now on show every event up to this position. Read it before the views. */
  readonly shownUpTo: bigint | undefined;
  /** Makes {@link shownUpTo} newer. Callers need not wait, because an older position is valid too. */
  refresh(): void;
  /** The streams with newer events; also those of which that is unknown. @throws StoreUnavailableError */
  movedOn<Loaded extends LoadedStream>(loaded: readonly Loaded[]): Promise<readonly Loaded[]>;
}

const MOST_UNSETTLED = 10_000;

/** Of a log that only this process writes: behind are the streams whose last write failed in between. */
export class OwnLogTail implements LogTail {
  readonly #unsettled = new Set<string>();
  /** True after more than {@link MOST_UNSETTLED} streams. */
  #allUnsettled = false;
  readonly shownUpTo = undefined;

  mayBeBehind(stream: string): boolean {
    return this.#allUnsettled || this.#unsettled.has(stream);
  }

  unsettle(streams: readonly string[]): void {
    for (const stream of streams) this.#unsettled.add(stream);
    if (this.#unsettled.size <= MOST_UNSETTLED) return;
    this.#allUnsettled = true;
    this.#unsettled.clear();
  }

  settle(streams: readonly string[]): void {
    for (const stream of streams) this.#unsettled.delete(stream);
  }

  refresh(): void {
    // No other process moves the views.
  }

  movedOn<Loaded extends LoadedStream>(loaded: readonly Loaded[]): Promise<readonly Loaded[]> {
    return Promise.resolve(loaded);
  }
}

/**
 * Of a log that other processes write too: any stream may be behind. For many streams, one read of the log after the
 * checkpoint tells which of them have newer events.
 */
export class SharedLogTail implements LogTail {
  #shownUpTo: bigint | undefined;
  #askedAt = -Infinity;

  /** @param checkpoint the position up to which the views show every event */
  constructor(
    private readonly store: Pick<EventStore, 'readAll' | 'head'>,
    private readonly clock: Clock,
    private readonly checkpoint: () => Promise<bigint | undefined>,
  ) {}

  mayBeBehind(): boolean {
    return true;
  }

  unsettle(): void {
    // Any stream may be behind already.
  }

  settle(): void {
    // Another process may have written again.
  }

  get shownUpTo(): bigint | undefined {
    return this.#shownUpTo;
  }

  /** Reads the checkpoint at most once a second. */
  refresh(): void {
    if (this.clock.now() - this.#askedAt < CHECKPOINT_EVERY_MS) return;
    this.#askedAt = this.clock.now();
    this.checkpoint().then(
      (position) => void (this.#shownUpTo = position ?? this.#shownUpTo),
      // The next call tries again.
      () => undefined,
    );
  }

  /**
   * Returns all streams if too many events wait, or another log has replaced the former one.
   * @throws StoreUnavailableError
   */
  async movedOn<Loaded extends LoadedStream>(loaded: readonly Loaded[]): Promise<readonly Loaded[]> {
    const [first] = loaded;
    if (loaded.length < 2 || first?.shownUpTo === undefined) return loaded;
    const after = loaded.reduce(
      (least, { shownUpTo = 0n }) => (shownUpTo < least ? shownUpTo : least),
      first.shownUpTo,
    );
    const longest = Math.max(LONGEST, loaded.length * EVENTS_FOR_A_STREAM);
    const heads = await this.#headsAfter(after, longest);
    if (heads === undefined) return loaded;
    return loaded.filter(
      ({ stream, snapshot }) => (heads.get(stream) ?? -1) > lastEventOf(snapshot).revision,
    );
  }

  /** The last revision of each stream that has events after a position; undefined if that is unknown. */
  async #headsAfter(after: bigint, longest: number): Promise<ReadonlyMap<string, number> | undefined> {
    try {
      const { events, isAll } = await waitingEvents(this.store, after, { limit: longest, atMost: longest });
      return isAll ? new Map(events.map(({ stream, revision }) => [stream, revision])) : undefined;
    } catch (error) {
      if (!(error instanceof PositionLostError)) throw error;
      return undefined;
    }
  }
}
