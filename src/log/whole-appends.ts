import type { EventPart } from './domain-event.js';
import type { RecordedEvent } from './event-store.js';

/** Which of how many events of its append an event is. One that does not say is an append of its own. */
export function partOf({ metadata }: Pick<RecordedEvent, 'metadata'>): EventPart {
  return (metadata['part'] as unknown as EventPart | undefined) ?? { n: 1, of: 1 };
}

/**
 * A stream's events up to its end as they were read, without the beginning of an append whose other events had not
 * arrived yet.
 */
export function wholeAppends(events: RecordedEvent[]): RecordedEvent[] {
  const last = events.at(-1);
  if (last === undefined) return events;
  const { n, of } = partOf(last);
  return n === of ? events : events.slice(0, -n);
}
