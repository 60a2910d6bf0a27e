import type { Clock } from '../config/clock.js';
import type { EventStore } from '../log/event-store.js';
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

type Heads = ReadonlyMap<string, { readonly revision: number; readonly position: bigint }>;

/** What the log holds after a position, up to where it was looked through. */
interface Looked {
  readonly from: bigint;
  upTo: bigint;
  readonly heads: Map<string, { readonly revision: number; readonly position: bigint }>;
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

  /** @param checkpoint the position up to which the views show every event, whoever keeps them */
  constructor(
    private readonly store: Pick<EventStore, 'readAll'>,
    private readonly checkpoint: () => Promise<bigint | undefined>,
    private readonly clock: Clock,
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
      (position) => (this.#shownUpTo = position ?? this.#shownUpTo),
      // Who cannot be asked now is asked the next time.
      () => undefined,
    );
  }

  /** Those whose streams hold more, or may. @throws StoreUnavailableError */
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

  /** Where each stream stands that has events after a position, and maybe others; undefined where too many events wait. */
  async #headsAfter(after: bigint, longest: number): Promise<Heads | undefined> {
    const looked = this.#lookedFrom(after);
    let end = looked.upTo;
    const look = { atMost: Infinity, upTo: (position: bigint) => void (end = position) };
    const events = await this.store.readAll({ after: looked.upTo, limit: longest + 1, look });
    if (events.length > longest) return undefined;
    for (const { stream, revision, position } of events) {
      if ((looked.heads.get(stream)?.revision ?? -1) < revision)
        looked.heads.set(stream, { revision, position });
    }
    // Others may have looked further meanwhile, and have told what they found in the same place.
    if (end > looked.upTo) looked.upTo = end;
    this.#keep(looked);
    return looked.heads;
  }

  /** The look that begins furthest, as long as it is not too large: the next ones begin there or behind it. */
  #keep(looked: Looked): void {
    const { from = looked.from } = this.#looked ?? {};
    if (looked.from < from) return;
    this.#looked = looked.heads.size > MOST_REMEMBERED ? undefined : looked;
  }

  /**
   * What was found after a position, of which nothing is taken away: who still waits goes by it. What the views show by now
   * is left out of the next.
   */
  #lookedFrom(after: bigint): Looked {
    const known = this.#looked;
    if (known === undefined || after < known.from || after > known.upTo)
      return { from: after, upTo: after, heads: new Map() };
    if (after === known.from) return known;
    const waiting = [...known.heads].filter(([, { position }]) => position > after);
    return { from: after, upTo: known.upTo, heads: new Map(waiting) };
  }
}
