import type { EventStore, RecordedEvent } from './event-store.js';
import type { LogProgress } from './log-progress.js';

const PAGE = 1_000;

/**
 * All events of the log in order, a page at a time; those that are stored meanwhile up to where the reading overtakes the
 * writing.
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
  for (let after = from; ;) {
    const page = await store.readAll({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.position;
    events += page.length;
    progress?.(events, share!(after));
  }
}

/** Which share of the log as it is now, others' events in it too, stands up to a position; positions are not dense, but nearly even. */
export async function shareOfLog(store: EventStore): Promise<(position: bigint) => number> {
  const end = Number((await store.head()) ?? 0n);
  return (position) => (end === 0 ? 1 : Math.min(1, Number(position) / end));
}
