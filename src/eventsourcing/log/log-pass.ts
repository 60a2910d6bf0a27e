import type { EventStore, RecordedEvent } from './event-store.js';
import type { LogProgress } from './log-progress.js';

const PAGE = 1_000;

interface Page {
  readonly events: RecordedEvent[];
  /** The scanned position. */
  readonly reached: bigint | undefined;
}

/**
 * All events of the log in order, in pages. It reads the next page while the caller handles one. Events that are stored
 * meanwhile are included. If the caller stops early, one read still runs.
 * @param progress called after each page
 * @param from a position: reading begins after it
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
    // If the caller stops early, nobody awaits this read.
    next.catch(() => undefined);
    if (page.events.length > 0) yield page.events;
    events += page.events.length;
    progress?.(events, share!(after!));
  }
}

async function pageAfter(store: EventStore, after: bigint | undefined): Promise<Page> {
  let reached = after;
  const scan = { atMost: PAGE, upTo: (position: bigint) => void (reached = position) };
  const events = await store.readAll({ limit: PAGE, scan, ...(after === undefined ? {} : { after }) });
  return { events, reached };
}

/** Events that are scanned at most to find our first and our last event among those of other applications. */
const MOST_SCANNED = 50_000;

/**
 * Estimates the share (0 to 1) of our own events up to a position. It assumes that they are evenly spread between the first
 * and the last one.
 */
async function shareOfOwnEvents(store: EventStore): Promise<(position: bigint) => number> {
  const [first, last] = await Promise.all([endOfOwn(store, false), endOfOwn(store, true)]);
  if (first === undefined || last === undefined || first === last) return () => 1;
  return (position) => Math.max(0, Math.min(1, Number(position - first) / Number(last - first)));
}

/** The position of our first or last event, or of the last scanned event. */
async function endOfOwn(store: EventStore, backwards: boolean): Promise<bigint | undefined> {
  let reached: bigint | undefined;
  const scan = { atMost: MOST_SCANNED, upTo: (position: bigint) => void (reached = position) };
  const [event] = await store.readAll({ limit: 1, backwards, scan });
  return event?.position ?? reached;
}
