import type { Clock } from '../config/clock.js';
import type { EventStore } from '../log/event-store.js';
import { isPositionLostError, PositionLostError } from '../log/event-store.errors.js';
import type { Snapshot } from './aggregate.js';
import { headOf } from './stored-stream.js';

/** Where more events wait than this, or than a read of each stream would cost, each stream is asked for by itself. */
const LONGEST = 1_000;
/** Events that are read in one page in the time of one stream's read. */
const EVENTS_FOR_A_STREAM = 20;
/** Milliseconds; as often as the checkpoint moves. */
const INTERVAL = 1_000;

/** Streams' heads that are kept from one look to the next; where there are more, the next begins anew. */
const MOST_REMEMBERED = 10_000;

/** The last event of a stream. */
interface Head {
  readonly revision: number;
  readonly position: bigint;
}

/** What the log holds after a position, up to where it was looked through. */
interface Looked {
  readonly from: bigint;
  readonly upTo: bigint;
  readonly heads: Map<string, Head>;
}

/** A stream's fold as the views had it. */
interface Shown {
  readonly stream: string;
  readonly snapshot: Snapshot<unknown> | undefined;
  /** {@link LogTail.shownUpTo} before the views were read. */
  readonly shownUpTo: bigint | undefined;
}

/**
 * Tells of many streams at once which have moved on since the views were read: one read of what the log holds beyond a
 * position up to which the views show everything. For processes that others write beside.
 */
export class LogTail {
  #shownUpTo: bigint | undefined;
  #askedAt = -Infinity;
  /** Others' events, of which there may be many, are looked through once. */
  #looked: Looked | undefined;
  /** How often it was forgotten: what was found before that may be of another log. */
  #forgotten = 0;

  /** @param checkpoint the position up to which the views show every event, whoever keeps them */
  constructor(
    private readonly store: Pick<EventStore, 'readAll' | 'head'>,
    private readonly checkpoint: () => Promise<bigint | undefined>,
    private readonly clock: Clock,
    private readonly mostRemembered = MOST_REMEMBERED,
  ) {}

  /**
   * Whatever is read of the views from now on shows every event up to here. A position that is learnt after they were read
   * may vouch for what they did not show yet.
   */
  get shownUpTo(): bigint | undefined {
    return this.#shownUpTo;
  }

  /** Learns how far the views have come, now and then; not waited for, as an older position is as good. */
  refresh(): void {
    if (this.clock.now() - this.#askedAt < INTERVAL) return;
    this.#askedAt = this.clock.now();
    this.checkpoint().then(
      (position) => this.#learn(position),
      // Who cannot be asked now is asked the next time.
      () => undefined,
    );
  }

  /**
   * Those whose streams hold more, or may: all of them where the log does not hold the place any more up to which it was
   * shown or looked through, as another was put in its place.
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
    return shown.filter(
      ({ stream, snapshot }) => (heads.get(stream)?.revision ?? -1) > headOf(snapshot).revision,
    );
  }

  #learn(position: bigint | undefined): void {
    if (position === undefined) return;
    // The views are shown anew, which may be of another log.
    if (this.#shownUpTo !== undefined && position < this.#shownUpTo) this.#forget();
    this.#shownUpTo = position;
  }

  /**
   * Where each stream stands that has events after a position, and maybe others; undefined where too many events wait, and
   * where the log is another one.
   */
  async #headsAfter(after: bigint, longest: number): Promise<ReadonlyMap<string, Head> | undefined> {
    try {
      return await this.#look(this.#lookedFrom(after), longest);
    } catch (error) {
      if (!isPositionLostError(error)) throw error;
      this.#forget();
      return undefined;
    }
  }

  async #look(
    { from, upTo, heads }: Looked,
    longest: number,
  ): Promise<ReadonlyMap<string, Head> | undefined> {
    const forgotten = this.#forgotten;
    let end = upTo;
    const look = { atMost: Infinity, upTo: (position: bigint) => void (end = position) };
    const events = await this.store.readAll({ after: upTo, limit: longest + 1, look });
    // An older log that was put back holds nothing there. Asked afterwards, lest it be put back in between.
    if (end === upTo && ((await this.store.head()) ?? 0n) < upTo) throw new PositionLostError(upTo);
    for (const { stream, revision, position } of events) heads.set(stream, { revision, position });
    if (forgotten === this.#forgotten) this.#keep({ from, upTo: end, heads });
    return events.length > longest ? undefined : heads;
  }

  /** The look that came furthest, as long as it is not too large. */
  #keep(looked: Looked): void {
    if (this.#looked !== undefined && looked.upTo < this.#looked.upTo) return;
    this.#looked = looked.heads.size > this.mostRemembered ? undefined : looked;
  }

  #forget(): void {
    this.#looked = undefined;
    this.#forgotten += 1;
  }

  /**
   * What was found after a position, to be added to: a copy, as others look on from there at the same time. What the views
   * show by now is left out.
   */
  #lookedFrom(after: bigint): Looked {
    const known = this.#looked;
    if (known === undefined || after < known.from || after > known.upTo)
      return { from: after, upTo: after, heads: new Map() };
    const waiting = [...known.heads].filter(([, { position }]) => position > after);
    return { from: after, upTo: known.upTo, heads: new Map(waiting) };
  }
}
