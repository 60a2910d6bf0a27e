import { decodeEvent, type EventTypes } from '#eventsourcing/log/codec.js';
import type { DomainEvent } from '#eventsourcing/log/domain-event.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { Logged } from './core/unit-record.js';

/** Decodes an event of the log. @throws UnknownEventError */
export function logged<Event extends DomainEvent>(types: EventTypes, recorded: RecordedEvent): Logged<Event> {
  // Assigned, because a spread of thousands costs milliseconds.
  return Object.assign(decodeEvent<Event>(types, recorded), {
    instant: instantOf(recorded),
    position: recorded.position,
  });
}

/** The instant at which an event occurred, in milliseconds. */
export function instantOf({ metadata }: RecordedEvent): number {
  return Date.parse(metadata['occurred_at'] as string);
}
