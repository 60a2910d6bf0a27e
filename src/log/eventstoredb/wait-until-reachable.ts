import { systemClock, type Clock } from '../../config/clock.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { pause } from './waiting.js';

const BETWEEN_TRIES = 250;

export interface WaitUntilReachableOptions {
  /** In milliseconds; 30 s when absent. */
  readonly timeout?: number;
  readonly clock?: Clock;
}

/**
 * Waits at start until the server answers, so that the service does not take requests that it cannot serve.
 * Asking through the store itself is safe, with `esdb+discover` too: its connection string makes discovery go on for
 * as long as the client lives, and only the question, never the client, gives up.
 * @throws StoreUnavailableError with the line to print at start, naming the hosts and the last reason.
 */
export async function waitUntilReachable(
  store: Pick<EventStoreDbEventStore, 'ping' | 'hosts'>,
  { timeout = 30_000, clock = systemClock }: WaitUntilReachableOptions = {},
): Promise<void> {
  const giveUpAt = clock.now() + timeout;
  for (;;) {
    try {
      return await store.ping();
    } catch (error) {
      if (clock.now() + BETWEEN_TRIES >= giveUpAt) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new StoreUnavailableError(
          `Cannot start: the event store at ${store.hosts} (EVENTSTORE_URL) was not reachable within ${timeout} ms. ${reason}`,
          false,
        );
      }
    }
    await pause(clock, BETWEEN_TRIES);
  }
}
