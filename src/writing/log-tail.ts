import type { Clock } from '../config/clock.js';
import type { EventStore } from '../log/event-store.js';
import { PositionLostError } from '../log/event-store.errors.js';
import { waitingEvents } from '../log/waiting-events.js';
import type { Snapshot } from './aggregate.js';
import { headOf } from './stored-stream.js';

/** With more events waiting than this, or than reads of the streams would cost, each stream is asked by itself. */
const LONGEST = 1_000;
/** Events that are read in one page in the time of one stream's read. */
const EVENTS_FOR_A_STREAM = 20;
/** Milliseconds; as often as the checkpoint moves. */
const INTERVAL = 1_000;

/** A stream's fold as the views had it. */
interface Shown {
  readonly stream: string;
  readonly snapshot: Snapshot<unknown> | undefined;
  /** {@link LogTail.shownUpTo} before the views were read. */
  readonly shownUpTo: bigint | undefined;
}

const MOST_UNSETTLED = 10_000;

/**
 * Keeps the answer "unchanged" true: it says which streams may hold more than the views show. Those are the streams of
 * which this process does not know how its last write ended, and, beside other processes, all streams. One read of the
 * log behind the checkpoint then tells which of many streams have moved on.
 */
export class LogTail {
  readonly #unsettled = new Set<string>();
  /** Too many to name. */
  #allUnsettled = false;
  #shownUpTo: bigint | undefined;
  #askedAt = -Infinity;

  /** @param checkpoint the position up to which the views show every event; absent where no other process writes */
  constructor(
    private readonly store: Pick<EventStore, 'readAll' | 'head'>,
    private readonly clock: Clock,
    private readonly checkpoint?: () => Promise<bigint | undefined>,
  ) {}

  /** Whether the log may hold more of a stream than the views. */
  mayBeBehind(stream: string): boolean {
    return this.checkpoint !== undefined || this.#allUnsettled || this.#unsettled.has(stream);
  }

  /** How a write to these streams ended is unknown, or the views could not be brought up to it. */
  unsettle(streams: readonly string[]): void {
    for (const stream of streams) this.#unsettled.add(stream);
    if (this.#unsettled.size <= MOST_UNSETTLED) return;
    this.#allUnsettled = true;
    this.#unsettled.clear();
  }

  /** The views show what the log holds of these streams. */
  settle(streams: readonly string[]): void {
    if (this.#unsettled.size > 0) for (const stream of streams) this.#unsettled.delete(stream);
  }

  /**
   * Whatever is read of the views from now on shows every event up to here. A position that is learnt after they were read
   * may vouch for what they did not show yet.
   */
  get shownUpTo(): bigint | undefined {
    return this.#shownUpTo;
  }

  /** Learns how far the views have come, now and then; not waited for, as an older position is as good. */
  refresh(): void {
    if (this.checkpoint === undefined || this.clock.now() - this.#askedAt < INTERVAL) return;
    this.#askedAt = this.clock.now();
    this.checkpoint().then(
      (position) => void (this.#shownUpTo = position ?? this.#shownUpTo),
      // A log that cannot be asked now is asked the next time.
      () => undefined,
    );
  }

  /**
   * Those whose streams hold more, or may: all of them where too much waits, whosoever it is, and where the log does not
   * reach as far any more as it was shown, as another was put in its place.
   * @throws StoreUnavailableError
   */
  async movedOn<One extends Shown>(shown: readonly One[]): Promise<readonly One[]> {
    const [first] = shown;
    if (shown.length < 2 || first?.shownUpTo === undefined) return shown;
    const after = shown.reduce(
      (least, { shownUpTo = 0n }) => (shownUpTo < least ? shownUpTo : least),
      first.shownUpTo,
    );
    const longest = Math.max(LONGEST, shown.length * EVENTS_FOR_A_STREAM);
    const heads = await this.#headsAfter(after, longest);
    if (heads === undefined) return shown;
    return shown.filter(({ stream, snapshot }) => (heads.get(stream) ?? -1) > headOf(snapshot).revision);
  }

  /** The last revision of each stream that has events after a position; undefined where that is not known. */
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
