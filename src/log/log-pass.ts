import type { EventStore, RecordedEvent } from './event-store.js';
import type { LogProgress } from './log-progress.js';

const PAGE = 1_000;

/** What one reading found, and up to where nothing more is. */
interface Page {
  readonly events: RecordedEvent[];
  readonly reached: bigint | undefined;
}

/**
 * All events of the log in order, a page at a time, the next being read while one is worked on; those that are stored
 * meanwhile up to where the reading overtakes the writing. Whoever stops early leaves one read under way. The
 * embedded store reads within the turn in which it is asked, so that the first turn reads two pages.
 * @param progress told after each page
 * @param from a position, after which the reading begins
 * @throws StoreUnavailableError
 */
export async function* pagesOf(
  store: EventStore,
  progress?: LogProgress,
  from?: bigint,
): AsyncGenerator<RecordedEvent[]> {
  const share = progress && (await shareOfLog(store));
  let events = 0;
  let after = from;
  let next = pageAfter(store, after);
  for (;;) {
    const page = await next;
    if (page.reached === after) return;
    after = page.reached;
    next = pageAfter(store, after);
    // Whoever has seen enough asks for nothing more.
    next.catch(() => undefined);
    if (page.events.length > 0) yield page.events;
    events += page.events.length;
    progress?.(events, share!(after!));
  }
}

/** As many as the store finds by one look, few where others' events stand between. */
async function pageAfter(store: EventStore, after: bigint | undefined): Promise<Page> {
  let reached = after;
  const look = { atMost: PAGE, upTo: (position: bigint) => void (reached = position) };
  const events = await store.readAll({ limit: PAGE, look, ...(after === undefined ? {} : { after }) });
  return { events, reached };
}

/** Which share of the log as it is now, others' events in it too, stands up to a position; positions are not dense, but nearly even. */
export async function shareOfLog(store: EventStore): Promise<(position: bigint) => number> {
  const end = Number((await store.head()) ?? 0n);
  return (position) => (end === 0 ? 1 : Math.min(1, Number(position) / end));
}
