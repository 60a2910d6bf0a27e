import type { RecordedEvent } from './event-store.js';

/** When an event came to be in the world, in milliseconds: the log is in this order, whatever clock its company goes by. */
export function realTimeOf({ metadata }: Pick<RecordedEvent, 'metadata'>): number {
  return Date.parse((metadata['real_time'] ?? metadata['occurred_at']) as string);
}
