import type { EventStore, RecordedEvent } from './event-store.js';
import { PositionLostError } from './event-store.errors.js';

/** How far is looked: at most so many events are told, and about so many looked at, whosoever they are. */
export interface Reach {
  readonly limit: number;
  readonly atMost: number;
}

/** The events behind a position. */
export interface WaitingEvents {
  readonly events: readonly RecordedEvent[];
  /** Nothing stood behind them when they were asked for; otherwise that is not known. */
  readonly isAll: boolean;
}

/** @throws StoreUnavailableError @throws PositionLostError where the log does not reach that far, as an older one that was put back */
export async function waitingEvents(
  store: Pick<EventStore, 'readAll' | 'head'>,
  after: bigint,
  { limit, atMost }: Reach,
): Promise<WaitingEvents> {
  const head = (await store.head()) ?? 0n;
  if (head < after) throw new PositionLostError(after);
  if (head === after) return { events: [], isAll: true };
  let end = after;
  const look = { atMost, upTo: (position: bigint) => void (end = position) };
  const events = await store.readAll({ after, limit, look });
  return { events, isAll: end >= head };
}
