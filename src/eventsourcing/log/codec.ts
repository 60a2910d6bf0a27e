import type { DomainEvent, EventMetadata, StoredDomainEvent } from './domain-event.js';
import type { JsonObject, RecordedEvent } from './event-store.js';

/** The data formats of one event type. */
export interface EventType {
  /** The number of the format that is written now. */
  readonly schema: number;
  /** For each older schema the conversion to the next one, without a gap. */
  readonly upcasts?: Readonly<Record<number, Upcast>>;
}

/** @param occurred_at of the event in milliseconds, for newer formats that contain an instant */
export type Upcast = (data: JsonObject, occurred_at: number) => JsonObject;

/** The event types of a category of streams, by name. */
export type EventTypes = Readonly<Record<string, EventType>>;

/**
 * A later version of the program wrote this event. A state that left it out would be wrong, so reading stops here.
 */
class UnknownEventError extends Error {
  readonly code = 'unknown_event';

  constructor({ stream, revision, type, metadata }: RecordedEvent) {
    super(
      `Event ${revision} of ${stream} is a ${type} of schema ${JSON.stringify(metadata['schema'])}. This version of the program does not know it: use a later one.`,
    );
  }
}

/** A stored event with its data in the newest schema. @throws UnknownEventError */
export function decodeEvent<Event extends DomainEvent>(
  types: EventTypes,
  recorded: RecordedEvent,
): StoredDomainEvent<Event> {
  const { id, type, stream, revision } = recorded;
  const metadata = recorded.metadata as unknown as EventMetadata;
  const data = presentData(types, recorded, metadata);
  return { id, type, data, stream, revision, metadata } as unknown as StoredDomainEvent<Event>;
}

function presentData(types: EventTypes, recorded: RecordedEvent, metadata: EventMetadata): JsonObject {
  const known = Object.hasOwn(types, recorded.type) ? types[recorded.type] : undefined;
  if (known === undefined || !(metadata.schema <= known.schema)) throw new UnknownEventError(recorded);
  let { data } = recorded;
  for (let { schema } = metadata; schema < known.schema; schema += 1) {
    const upcast = known.upcasts?.[schema];
    if (upcast === undefined) throw new UnknownEventError(recorded);
    data = upcast(data, Date.parse(metadata.occurred_at));
  }
  return data;
}
