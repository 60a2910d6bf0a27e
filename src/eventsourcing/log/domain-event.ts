/** The author of a write. Contains no name and no other personal detail (docs/decisions.md). */
export interface Actor {
  readonly kind: 'api_token' | 'operator' | 'pull' | 'tenant' | 'system';
  readonly id: string;
}

/** The event is the `n`th (from 1) of the `of` events that were appended to its stream together. */
export interface EventPart {
  readonly n: number;
  readonly of: number;
}

/** The fields of every event beside its data. */
export interface EventMetadata {
  readonly command_id: string;
  readonly request_id: string;
  readonly actor: Actor;
  /** True if a bulk stored the event. */
  readonly bulk?: true;
  /** By the company's clock. ISO 8601 UTC with milliseconds. It never decreases within a stream. */
  readonly occurred_at: string;
  /** The real instant, if a sandbox's clock was ahead of it; absent if it is `occurred_at`. */
  readonly real_time?: string;
  /** Number of the data's format for this type. Reads convert older formats. */
  readonly schema: number;
  /**
   * The instant of the source's state, by the company's clock. Only events of a bulk have it. Bulks of version 1.0.0-rc.1
   * left it out.
   */
  readonly stated_at?: string;
  /** A store may show the events of an append one by one. With this, readers ignore an append that is not complete. */
  readonly part: EventPart;
  /** SHA-256 (hex) of this event's canonical content, which contains `previous_hash` (64 zeros for the first event). */
  readonly hash: string;
  readonly previous_hash: string;
}

/** An event before it is stored: its type and its data. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** A union of events, made from `Data`, which gives the data of each type. */
export type EventOf<Data, Types extends keyof Data = keyof Data> = {
  readonly [Type in Types & string]: { readonly type: Type; readonly data: Data[Type] };
}[Types & string];

/** A domain event in the log. */
export type StoredDomainEvent<Event extends DomainEvent = DomainEvent> = Event & {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly metadata: EventMetadata;
};
