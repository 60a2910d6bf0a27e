import type { EventStore, RecordedEvent, Subscription, SubscriptionHandler } from './event-store.js';

/**
 * Subscribes to a part of a store's events. The handler hears of positions whose events were left out.
 * @param select the events of a batch that the handler gets, in their order
 */
export function subscribeToSome(
  store: Pick<EventStore, 'subscribe'>,
  after: bigint | undefined,
  handler: SubscriptionHandler,
  select: (events: readonly RecordedEvent[]) => readonly RecordedEvent[] | Promise<readonly RecordedEvent[]>,
): Subscription {
  return store.subscribe(after, {
    handle: async (events) => {
      const selected = await select(events);
      if (selected.length > 0) await handler.handle(selected);
      const { position } = events.at(-1)!;
      if (selected.at(-1)?.position !== position) await handler.passed?.(position);
    },
    passed: async (position) => handler.passed?.(position),
    caughtUp: () => handler.caughtUp?.(),
    failed: (error) => handler.failed?.(error),
  });
}
