import { decodeEvent } from '#eventsourcing/log/codec.js';
import type { DomainEvent, StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { NO_PREVIOUS_HASH } from '#eventsourcing/log/hash-chain.js';
import { wholeAppends } from '#eventsourcing/log/whole-appends.js';
import type { Fold, Snapshot } from './aggregate.js';

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
  fold: Pick<Fold<State, Event>, 'evolve' | 'evolveList'>,
  snapshot: Snapshot<State> | undefined,
  events: readonly StoredDomainEvent<Event>[],
): Snapshot<State> | undefined {
  const last = events.at(-1);
  if (last === undefined) return snapshot;
  let state = snapshot?.state;
  const evolve = fold.evolveList?.() ?? fold.evolve;
  for (const event of events) {
    try {
      state = evolve(state, event, event.revision);
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
