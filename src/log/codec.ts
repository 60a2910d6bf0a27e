import type { DomainEvent, EventMetadata, StoredDomainEvent } from './domain-event.js';
import type { JsonObject, RecordedEvent } from './event-store.js';

/** How the data of one stored type look, and how older data become so. */
export interface EventType {
  /** The format's number that is written now. */
  readonly schema: number;
  /** By schema, what makes data of the next one of them. Without a gap up to the present one. */
  readonly upcasts?: Readonly<Record<number, Upcast>>;
}

/** @param occurred_at of the event, in milliseconds: newer data may say when, and older do not */
export type Upcast = (data: JsonObject, occurred_at: number) => JsonObject;

/** Every stored type of a category of streams. */
export type EventTypes = Readonly<Record<string, EventType>>;

/**
 * The log holds what this program does not know: a newer one has written it. Whoever folded past it would lose facts, so
 * it is never passed over.
 */
class UnknownEventError extends Error {
  readonly code = 'unknown_event';

  constructor({ stream, revision, type, metadata }: RecordedEvent) {
    super(
      `Event ${revision} of ${stream} is a ${type} of schema ${JSON.stringify(metadata['schema'])}. This version of the program does not know it: use a later one.`,
    );
    this.name = 'UnknownEventError';
  }
}

/** A stored event as its feature knows it, brought to the present schema. @throws UnknownEventError */
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
