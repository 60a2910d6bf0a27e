import { toTimestamp } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { decodeEvent, type EventTypes } from '../log/codec.js';
import type { DomainEvent, EventMetadata, StoredDomainEvent } from '../log/domain-event.js';
import type { EventStore } from '../log/event-store.js';
import { hashEvent, NO_PREVIOUS_HASH } from '../log/hash-chain.js';
import { wholeAppends } from '../log/whole-appends.js';
import type { Fold, Snapshot } from './aggregate.js';
import type { WriteContext } from './write-context.js';

/**
 * A stream's events from a revision to its end, without an incomplete last append.
 * @throws UnknownEventError @throws StoreUnavailableError
 */
export async function readFrom<Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream'>,
  { types }: Pick<Fold<never>, 'types'>,
  stream: string,
  from: number,
): Promise<StoredDomainEvent<Event>[]> {
  const recorded = wholeAppends(await store.readStream(stream, { from }));
  return recorded.map((event) => decodeEvent<Event>(types, event));
}

/** An event contradicts the events before it in its stream: somebody edited the log. */
class UnfittingEventError extends Error {
  readonly code = 'unfitting_event';

  constructor({ stream, revision, type }: StoredDomainEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Event ${revision} of ${stream} (${type}) does not fit what is before it: ${reason}`, { cause });
  }
}

/**
 * The state after more events. They must follow the snapshot (undefined: the stream's beginning) without a gap.
 * @throws UnfittingEventError
 */
export function foldOnto<State, Event extends DomainEvent>(
  fold: Pick<Fold<State, Event>, 'evolve'>,
  snapshot: Snapshot<State> | undefined,
  events: readonly StoredDomainEvent<Event>[],
): Snapshot<State> | undefined {
  const last = events.at(-1);
  if (last === undefined) return snapshot;
  let state = snapshot?.state;
  for (const event of events) {
    try {
      state = fold.evolve(state, event, event.revision);
    } catch (error) {
      throw new UnfittingEventError(event, error);
    }
  }
  return snapshotAt(state as State, last);
}

/** @param state the state after this event */
export function snapshotAt<State>(state: State, { revision, metadata }: StoredDomainEvent): Snapshot<State> {
  return { state, revision, last_hash: metadata.hash, last_at: Date.parse(metadata.occurred_at) };
}

/** Revision, hash and time of the last event. The next event needs them. */
export function lastEventOf(snapshot: Snapshot<unknown> | undefined): {
  revision: number;
  last_hash: string;
  last_at: number;
} {
  return snapshot ?? { revision: -1, last_hash: NO_PREVIOUS_HASH, last_at: 0 };
}

/** The events of an append without their metadata. */
export interface AppendDraft<Event extends DomainEvent> {
  readonly stream: string;
  readonly snapshot: Snapshot<unknown> | undefined;
  readonly events: readonly Event[];
  readonly types: EventTypes;
  /** In milliseconds. */
  readonly now: number;
  /** The real time in milliseconds, if `now` comes from a sandbox's clock that is ahead. */
  readonly real_time?: number | undefined;
  readonly bulk?: boolean | undefined;
}

/** Adds id, revision and metadata to each event of an append, and links it to the event before it. */
export function chain<Event extends DomainEvent>(
  { stream, snapshot, events, types, now, real_time, bulk }: AppendDraft<Event>,
  { command_id, request_id, actor }: WriteContext,
  ids: Ids,
): StoredDomainEvent<Event>[] {
  if (events.length === 0) return [];
  let { revision, last_hash } = lastEventOf(snapshot);
  const occurred_at = toTimestamp(now);
  const real = real_time === undefined ? undefined : { real_time: toTimestamp(real_time) };
  return events.map(({ type, data }, index) => {
    const known = types[type];
    if (known === undefined) throw new TypeError(`No schema is declared for events of type ${type}.`);
    revision += 1;
    // Members in the order of the canonical form: then hashing sorts faster.
    const linked = {
      actor,
      ...(bulk === true ? { bulk } : undefined),
      command_id,
      occurred_at,
      part: { n: index + 1, of: events.length },
      previous_hash: last_hash,
      ...real,
      request_id,
      schema: known.schema,
    };
    const id = ids.uuid();
    last_hash = hashEvent({ id, stream, revision, type, data, metadata: linked });
    const metadata: EventMetadata = { hash: last_hash, ...linked };
    return { id, stream, revision, type, data, metadata } as unknown as StoredDomainEvent<Event>;
  });
}
