import { decodeEvent, type EventTypes } from '../log/codec.js';
import type { DomainEvent } from '../log/domain-event.js';
import type { RecordedEvent } from '../log/event-store.js';
import type { Logged } from './core/unit-record.js';

/** An event of the log, decoded, with its place in time. @throws UnknownEventError */
export function logged<Event extends DomainEvent>(types: EventTypes, recorded: RecordedEvent): Logged<Event> {
  return {
    ...decodeEvent<Event>(types, recorded),
    instant: instantOf(recorded),
    position: recorded.position,
  };
}

/** When an event was recorded, in milliseconds. */
export function instantOf({ metadata }: RecordedEvent): number {
  return Date.parse(metadata['occurred_at'] as string);
}
