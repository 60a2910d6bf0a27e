import { decodeEvent } from '../log/codec.js';
import type { DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { EventStore } from '../log/event-store.js';
import { NO_PREVIOUS_HASH } from '../log/hash-chain.js';
import { wholeAppends } from '../log/whole-appends.js';
import type { Fold, Snapshot } from './aggregate.js';

/**
 * A stream's events from a revision to its end, without the beginning of an append that has not arrived whole.
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

/** An event of a type that is known does not follow what its stream holds before it: the log was edited, or shared. */
class UnfittingEventError extends Error {
  readonly code = 'unfitting_event';

  constructor({ stream, revision, type }: StoredDomainEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Event ${revision} of ${stream} (${type}) does not fit what is before it: ${reason}`, { cause });
    this.name = 'UnfittingEventError';
  }
}

/**
 * Folds events onto a snapshot (undefined: the stream's beginning). The events follow it without a gap.
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

/** The fold whose last event this is. */
export function snapshotAt<State>(state: State, { revision, metadata }: StoredDomainEvent): Snapshot<State> {
  return { state, revision, last_hash: metadata.hash, last_at: Date.parse(metadata.occurred_at) };
}

/** What the next event of a stream links to and may not precede. */
export function headOf(snapshot: Snapshot<unknown> | undefined): {
  revision: number;
  last_hash: string;
  last_at: number;
} {
  return snapshot ?? { revision: -1, last_hash: NO_PREVIOUS_HASH, last_at: 0 };
}
