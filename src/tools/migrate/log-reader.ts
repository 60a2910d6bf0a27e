import type { EventStore, RecordedEvent } from '../../log/event-store.js';

const PAGE = 1_000;

/** All events of a log, a page at a time. @throws StoreUnavailableError */
export async function* eventsOf(store: EventStore): AsyncGenerator<RecordedEvent[]> {
  for (let after: bigint | undefined; ;) {
    const page = await store.readAll({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.position;
  }
}
