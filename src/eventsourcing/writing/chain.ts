import { toTimestamp } from '#kernel/timestamp.js';
import type { Ids } from '#kernel/ids.js';
import type { EventTypes } from '#eventsourcing/log/codec.js';
import type { DomainEvent, EventMetadata, StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import { hashEvent } from '#eventsourcing/log/hash-chain.js';
import type { Snapshot } from './aggregate.js';
import { lastEventOf } from './stored-stream.js';
import type { WriteContext } from './write-context.js';

/** The events of an append without their metadata. */
interface AppendDraft<Event extends DomainEvent> {
  readonly stream: string;
  readonly snapshot: Snapshot<unknown> | undefined;
  readonly events: readonly Event[];
  readonly types: EventTypes;
  /** In milliseconds. */
  readonly now: number;
  /** The real time in milliseconds, if `now` comes from a sandbox's clock that is ahead. */
  readonly real_time?: number | undefined;
  readonly bulk?: boolean | undefined;
  /** In milliseconds. */
  readonly stated_at?: number | undefined;
}

/** Adds id, revision and metadata to each event of an append, and links it to the event before it. */
export function chain<Event extends DomainEvent>(
  { stream, snapshot, events, types, now, real_time, bulk, stated_at }: AppendDraft<Event>,
  { command_id, request_id, actor }: WriteContext,
  ids: Ids,
): StoredDomainEvent<Event>[] {
  if (events.length === 0) return [];
  let { revision, last_hash } = lastEventOf(snapshot);
  const occurred_at = toTimestamp(now);
  const real = real_time === undefined ? undefined : { real_time: toTimestamp(real_time) };
  const stated = stated_at === undefined ? undefined : { stated_at: toTimestamp(stated_at) };
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
      ...stated,
    };
    const id = ids.uuid();
    last_hash = hashEvent({ id, stream, revision, type, data, metadata: linked });
    const metadata: EventMetadata = { hash: last_hash, ...linked };
    return { id, stream, revision, type, data, metadata } as unknown as StoredDomainEvent<Event>;
  });
}
