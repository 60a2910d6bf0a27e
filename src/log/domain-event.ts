/** The author of a write (history, decisions on `actor`: docs/decisions.md). Never a name or any personal detail. */
export interface Actor {
  readonly kind: 'api_token' | 'operator' | 'pull' | 'tenant' | 'system';
  readonly id: string;
}

/** The event is the `n`th (from 1) of the `of` events that were appended to its stream together. */
export interface EventPart {
  readonly n: number;
  readonly of: number;
}

/** The fields that every event of the service has beside its data. */
export interface EventMetadata {
  readonly command_id: string;
  readonly request_id: string;
  readonly actor: Actor;
  /** The event is of a full state that was sent for many streams at once; absent for a single write. */
  readonly bulk?: true;
  /** By the company's clock. ISO 8601 UTC with milliseconds; never before that of the event before it in the stream. */
  readonly occurred_at: string;
  /** The instant in the world, where the company's clock was ahead of it; absent where that is `occurred_at`. */
  readonly real_time?: string;
  /** Number of the data's format for this type; old ones are upcast on read. */
  readonly schema: number;
  /** Readers take an append whole or not yet: a store may show its events one by one. */
  readonly part: EventPart;
  /** SHA-256 (hex) of the event before it in the stream (64 zeros for the first) and this one's canonical content. */
  readonly hash: string;
  readonly previous_hash: string;
}

/** An event of a feature's core: its stored type name and its data. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** The events, or those of some types, whose data `Data` lists by their type. */
export type EventOf<Data, Types extends keyof Data = keyof Data> = {
  readonly [Type in Types & string]: { readonly type: Type; readonly data: Data[Type] };
}[Types & string];

/** A domain event as it stands in the log. */
export type StoredDomainEvent<Event extends DomainEvent = DomainEvent> = Event & {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly metadata: EventMetadata;
};
