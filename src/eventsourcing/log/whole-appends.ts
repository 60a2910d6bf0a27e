import type { EventPart } from './domain-event.js';
import type { RecordedEvent } from './event-store.js';

/** The event's part of its append. An event without this field was appended alone. */
export function partOf({ metadata }: Pick<RecordedEvent, 'metadata'>): EventPart {
  return (metadata['part'] as unknown as EventPart | undefined) ?? { n: 1, of: 1 };
}

/** Leaves out the last append if its other events are missing. @param events of one stream up to its end */
export function wholeAppends(events: RecordedEvent[]): RecordedEvent[] {
  const last = events.at(-1);
  if (last === undefined) return events;
  const { n, of } = partOf(last);
  return n === of ? events : events.slice(0, -n);
}
