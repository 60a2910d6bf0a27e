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

const MOST_UNSETTLED = 10_000;

/**
 * Keeps the answer "unchanged" true: it knows which streams may have events that the views do not show. These are streams
 * whose last write has an unknown outcome, and, if other processes write, all streams. For many streams, one read of the
 * log after the checkpoint tells which of them have newer events.
 */
export class LogTail {
  readonly #unsettled = new Set<string>();
  /** True after more than {@link MOST_UNSETTLED} streams. */
  #allUnsettled = false;
  #shownUpTo: bigint | undefined;
  #askedAt = -Infinity;

  /** @param checkpoint the position up to which the views show every event; absent if no other process writes */
  constructor(
    private readonly store: Pick<EventStore, 'readAll' | 'head'>,
    private readonly clock: Clock,
    private readonly checkpoint?: () => Promise<bigint | undefined>,
  ) {}

  /** True if the log may have events of the stream that the views do not show. */
  mayBeBehind(stream: string): boolean {
    return this.checkpoint !== undefined || this.#allUnsettled || this.#unsettled.has(stream);
  }

  /** Call it if the outcome of a write to these streams is unknown, or their views were not updated. */
  unsettle(streams: readonly string[]): void {
    for (const stream of streams) this.#unsettled.add(stream);
    if (this.#unsettled.size <= MOST_UNSETTLED) return;
    this.#allUnsettled = true;
    this.#unsettled.clear();
  }

  /** Call it when the views show all events of these streams. */
  settle(streams: readonly string[]): void {
    if (this.#unsettled.size > 0) for (const stream of streams) this.#unsettled.delete(stream);
  }

  /** Views that are read from now on show every event up to this position. Read it before the views. */
  get shownUpTo(): bigint | undefined {
    return this.#shownUpTo;
  }

  /** Reads the checkpoint at most once a second. Callers need not wait, because an older position is valid too. */
  refresh(): void {
    if (this.checkpoint === undefined || this.clock.now() - this.#askedAt < CHECKPOINT_EVERY_MS) return;
    this.#askedAt = this.clock.now();
    this.checkpoint().then(
      (position) => void (this.#shownUpTo = position ?? this.#shownUpTo),
      // The next call tries again.
      () => undefined,
    );
  }

  /**
   * The streams with newer events. It returns all of them if that is unknown: too many events wait, or another log
   * has replaced the former one.
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
