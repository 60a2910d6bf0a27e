import { systemIds } from '#kernel/ids.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { ownStreams } from './own-streams.js';
import { Service } from './service.js';

/** A service on a log that others use as well. */
export async function startOnSharedLog() {
  let log!: EventStore;
  const service = await Service.start({
    wrap: (stores) => {
      log = stores.eventStore;
      return { ...stores, eventStore: ownStreams(log) };
    },
  });
  return {
    service,
    /** As its server has it, with the streams of others. */
    log,
    /** Stores events that are another application's. */
    async storeForeign(count: number): Promise<void> {
      const event = () => ({ id: systemIds.uuid(), type: 'Foreign', data: {}, metadata: {} });
      for (let left = count; left > 0; left -= 1_000) {
        const events = Array.from({ length: Math.min(left, 1_000) }, event);
        await log.append([{ stream: `theirs-${systemIds.uuid()}`, expected: 'no_stream', events }]);
      }
    },
  };
}

export type OnSharedLog = Awaited<ReturnType<typeof startOnSharedLog>>;
