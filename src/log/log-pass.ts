import type { EventStore, RecordedEvent } from './event-store.js';
import type { LogProgress } from './log-progress.js';

const PAGE = 1_000;

/** The finds of one reading, and the position up to which there is nothing more. */
interface Page {
  readonly events: RecordedEvent[];
  readonly reached: bigint | undefined;
}

/**
 * All events of the log in order, by pages. The next page is read while one is worked on. Events that are stored meanwhile
 * belong to it, until the reading overtakes the writing. A caller that stops early leaves one read under way.
 * @param progress told after each page
 * @param from a position: the reading begins after it
 * @throws StoreUnavailableError
 */
export async function* pagesOf(
  store: EventStore,
  progress?: LogProgress,
  from?: bigint,
): AsyncGenerator<RecordedEvent[]> {
  const share = progress && (await shareOfOwnEvents(store));
  let events = 0;
  let after = from;
  let next = pageAfter(store, after);
  for (;;) {
    const page = await next;
    if (page.reached === after) return;
    after = page.reached;
    next = pageAfter(store, after);
    // A caller that stops early never awaits it.
    next.catch(() => undefined);
    if (page.events.length > 0) yield page.events;
    events += page.events.length;
    progress?.(events, share!(after!));
  }
}

/** One look at the log. Few events are our own where others' stand between. */
async function pageAfter(store: EventStore, after: bigint | undefined): Promise<Page> {
  let reached = after;
  const look = { atMost: PAGE, upTo: (position: bigint) => void (reached = position) };
  const events = await store.readAll({ limit: PAGE, look, ...(after === undefined ? {} : { after }) });
  return { events, reached };
}

/** The store looks at so many events, others' included, to find our first and our last one. */
const LOOK = 50_000;

/**
 * The share of our own events up to a position, 0 to 1, of the log as it is now. Others' events before our first and behind
 * our last one do not count. In between, positions are nearly even.
 */
async function shareOfOwnEvents(store: EventStore): Promise<(position: bigint) => number> {
  const [first, last] = await Promise.all([endOfOwn(store, false), endOfOwn(store, true)]);
  if (first === undefined || last === undefined || first === last) return () => 1;
  return (position) => Math.max(0, Math.min(1, Number(position - first) / Number(last - first)));
}

/** The position of our first or last event, or of the last one that was looked at. */
async function endOfOwn(store: EventStore, backwards: boolean): Promise<bigint | undefined> {
  let reached: bigint | undefined;
  const look = { atMost: LOOK, upTo: (position: bigint) => void (reached = position) };
  const [event] = await store.readAll({ limit: 1, backwards, look });
  return event?.position ?? reached;
}
