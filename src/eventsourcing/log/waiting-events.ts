import type { EventStore, RecordedEvent } from './event-store.js';
import { PositionLostError } from './event-store.errors.js';

interface ReadLimits {
  /** Most events to return. */
  readonly limit: number;
  /** About how many events to scan, those of other applications included. */
  readonly atMost: number;
}

/** Events after a position. */
export interface WaitingEvents {
  readonly events: readonly RecordedEvent[];
  /** True if these are all events up to the end of the log; otherwise there may be more. */
  readonly isAll: boolean;
}

/** @throws StoreUnavailableError @throws PositionLostError if the log ends before `after`, as after an old backup */
export async function waitingEvents(
  store: Pick<EventStore, 'readAll' | 'head'>,
  after: bigint,
  { limit, atMost }: ReadLimits,
): Promise<WaitingEvents> {
  const head = (await store.head()) ?? 0n;
  if (head < after) throw new PositionLostError(after);
  if (head === after) return { events: [], isAll: true };
  let end = after;
  const scan = { atMost, upTo: (position: bigint) => void (end = position) };
  const events = await store.readAll({ after, limit, scan });
  return { events, isAll: end >= head };
}
