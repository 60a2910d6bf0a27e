import type { RecordedEvent } from './event-store.js';

/** The real instant of an event in milliseconds, also if a sandbox's clock was ahead. The log is in this order. */
export function realTimeOf({ metadata }: Pick<RecordedEvent, 'metadata'>): number {
  return Date.parse((metadata['real_time'] ?? metadata['occurred_at']) as string);
}
