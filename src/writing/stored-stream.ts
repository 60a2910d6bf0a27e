import { NO_PREVIOUS_HASH } from '../log/hash-chain.js';
import type { RecordedEvent } from '../log/event-store.js';
import type { DomainEvent, EventMetadata, StoredDomainEvent } from '../log/domain-event.js';
import type { Snapshot, StreamKind } from './stream-kind.js';

/** A stored event as its feature knows it, brought to the present schema. */
export function toDomainEvent<Event extends DomainEvent>(
  kind: Pick<StreamKind<never>, 'schema' | 'upcast'>,
  recorded: RecordedEvent,
): StoredDomainEvent<Event> {
  const metadata = recorded.metadata as unknown as EventMetadata;
  const data =
    metadata.schema === kind.schema || kind.upcast === undefined
      ? recorded.data
      : kind.upcast(recorded.type, metadata.schema, recorded.data);
  const { id, type, stream, revision } = recorded;
  return { id, type, data, stream, revision, metadata } as unknown as StoredDomainEvent<Event>;
}

/**
 * Folds events onto a snapshot (undefined: the stream's beginning). The events follow it without a gap.
 */
export function foldOnto<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  snapshot: Snapshot<State> | undefined,
  events: readonly StoredDomainEvent<Event>[],
): Snapshot<State> | undefined {
  const last = events.at(-1);
  if (last === undefined) return snapshot;
  let state = snapshot?.state;
  for (const event of events) state = kind.evolve(state, event, event.revision);
  return {
    state: state as State,
    revision: last.revision,
    last_hash: last.metadata.hash,
    last_at: Date.parse(last.metadata.occurred_at),
  };
}

/** What the next event of a stream links to and may not precede. */
export function headOf(snapshot: Snapshot<unknown> | undefined): {
  revision: number;
  last_hash: string;
  last_at: number;
} {
  return snapshot ?? { revision: -1, last_hash: NO_PREVIOUS_HASH, last_at: 0 };
}
