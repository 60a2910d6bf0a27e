import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { hashEvent, NO_PREVIOUS_HASH } from '#eventsourcing/log/hash-chain.js';
import type { EventMetadata } from '#eventsourcing/log/domain-event.js';
import { evolve, type UnitEvent, type UnitState } from '#domain/units/index.js';

/** Groups a log by stream and throws where a stream has a gap, a broken chain or a clock that runs back. */
export function checkedStreams(log: readonly RecordedEvent[]): Map<string, RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of log) {
    const earlier = streams.get(event.stream) ?? [];
    const fault = faultOf(event, earlier);
    if (fault !== undefined) throw new Error(`${event.stream}@${event.revision}: ${fault}`);
    streams.set(event.stream, [...earlier, event]);
  }
  return streams;
}

function faultOf(event: RecordedEvent, earlier: readonly RecordedEvent[]): string | undefined {
  const { hash, ...metadata } = event.metadata as unknown as EventMetadata;
  const before = earlier.at(-1)?.metadata as unknown as EventMetadata | undefined;
  if (event.revision !== earlier.length) return `is the event number ${earlier.length} of its stream`;
  if (metadata.previous_hash !== (before?.hash ?? NO_PREVIOUS_HASH)) return 'does not link to the one before';
  const { id, stream, revision, type, data } = event;
  if (hash !== hashEvent({ id, stream, revision, type, data, metadata })) return 'is not what its hash is of';
  if (before !== undefined && metadata.occurred_at < before.occurred_at)
    return 'is older than the one before';
  return undefined;
}

/** The unit that a stream's events make. */
export function foldUnit(events: readonly RecordedEvent[]): UnitState {
  let state: UnitState | undefined;
  for (const event of events) state = evolve(state, event as unknown as UnitEvent, event.revision);
  return state!;
}
