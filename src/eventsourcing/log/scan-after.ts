import type { EventStore, RecordedEvent } from './event-store.js';

/** Events after a position. `end` is the last position that was scanned, also if the event there is of another application. */
export interface ScannedEvents {
  readonly events: readonly RecordedEvent[];
  /** The asked position itself if nothing follows. */
  readonly end: bigint | undefined;
}

/**
 * Scans so many events of the log after a position, those of other applications included. @param after undefined: from the first
 * @throws StoreUnavailableError, PositionLostError
 */
export async function scanAfter(
  log: Pick<EventStore, 'readAll'>,
  after: bigint | undefined,
  size: number,
): Promise<ScannedEvents> {
  let end = after;
  const scan = { atMost: size, upTo: (position: bigint) => void (end = position) };
  const events = await log.readAll({ limit: size, scan, ...(after !== undefined && { after }) });
  return { events, end };
}
