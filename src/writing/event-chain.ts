import { toTimestamp } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { type EventTypes, schemaOf } from '../log/codec.js';
import type { DomainEvent, EventMetadata, StoredDomainEvent } from '../log/domain-event.js';
import { hashEvent } from '../log/hash-chain.js';
import type { Snapshot } from './aggregate.js';
import { headOf } from './stored-stream.js';
import type { WriteContext } from './write-context.js';

/** One append in the making. */
export interface AppendDraft<Event extends DomainEvent> {
  readonly stream: string;
  readonly snapshot: Snapshot<unknown> | undefined;
  readonly events: readonly Event[];
  readonly types: EventTypes;
  /** In milliseconds. */
  readonly now: number;
  /** In milliseconds: the world's time, where `now` is that of a clock ahead of it. */
  readonly real_time?: number | undefined;
}

/** Gives each event of an append what the log keeps beside its data, linked to the one before it. */
export function chain<Event extends DomainEvent>(
  { stream, snapshot, events, types, now, real_time }: AppendDraft<Event>,
  { command_id, request_id, actor }: WriteContext,
  ids: Ids,
): StoredDomainEvent<Event>[] {
  if (events.length === 0) return [];
  let { revision, last_hash } = headOf(snapshot);
  const occurred_at = toTimestamp(now);
  const real = real_time === undefined ? undefined : { real_time: toTimestamp(real_time) };
  return events.map(({ type, data }, place) => {
    revision += 1;
    // In the order of the canonical form, which then need not be sorted.
    const linked = {
      actor,
      command_id,
      occurred_at,
      part: { n: place + 1, of: events.length },
      previous_hash: last_hash,
      ...real,
      request_id,
      schema: schemaOf(types, type),
    };
    const id = ids.uuid();
    last_hash = hashEvent({ id, stream, revision, type, data, metadata: linked });
    const metadata: EventMetadata = { hash: last_hash, ...linked };
    return { id, stream, revision, type, data, metadata } as unknown as StoredDomainEvent<Event>;
  });
}
