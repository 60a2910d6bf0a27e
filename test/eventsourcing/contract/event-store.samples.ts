import { randomUUID } from 'node:crypto';
import type {
  AppendOutcome,
  EventStore,
  ExpectedRevision,
  JsonObject,
  NewEvent,
  RecordedEvent,
  StreamAppend,
  Subscription,
} from '#eventsourcing/log/event-store.js';
import type { ContractCase } from './contract-case.js';
import type { EventStoreFixture } from './event-store.contract.js';

export type EventStoreCase = ContractCase<EventStoreFixture>;

export function sampleEvent(data: JsonObject = {}, metadata: JsonObject = {}): NewEvent {
  return { id: randomUUID(), type: 'SampleHappened', data, metadata };
}

export function sampleEvents(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, number) => sampleEvent({ number }));
}

/** An append of `count` events. */
export function appendOf(stream: string, expected: ExpectedRevision = 'no_stream', count = 1): StreamAppend {
  return { stream, expected, events: sampleEvents(count) };
}

/** Appends and demands that it was done, so that no later assertion rests on nothing. */
export async function appended(
  store: EventStore,
  ...appends: StreamAppend[]
): Promise<Extract<AppendOutcome, { kind: 'appended' }>[]> {
  const outcomes = await store.append(appends);
  expect(outcomes.map(({ kind }) => kind)).toEqual(appends.map(() => 'appended'));
  return outcomes as Extract<AppendOutcome, { kind: 'appended' }>[];
}

/** All events after a position, by pages. */
export async function everythingAfter(
  store: EventStore,
  position: bigint | undefined,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  let after = position;
  for (;;) {
    const page = await store.readAll(after === undefined ? { limit: 100 } : { after, limit: 100 });
    if (page.length === 0) return events;
    events.push(...page);
    after = page.at(-1)!.position;
  }
}

/** The position of an event of the case's own: what comes after it is all that the case cares for. */
export async function startingPoint(store: EventStore, stream: string): Promise<bigint> {
  const [outcome] = await appended(store, appendOf(`${stream}-start`, 'no_stream'));
  return outcome!.position;
}

export interface Recording {
  readonly subscription: Subscription;
  readonly events: RecordedEvent[];
  readonly batches: number[];
  readonly failures: unknown[];
  caughtUpAfter: number | undefined;
}

/** Subscribes and notes what comes; `handle` may be slow or fail. */
export function record(
  store: EventStore,
  after: bigint | undefined,
  handle: (events: readonly RecordedEvent[]) => Promise<void> = () => Promise.resolve(),
): Recording {
  const events: RecordedEvent[] = [];
  const batches: number[] = [];
  const failures: unknown[] = [];
  const recording: { caughtUpAfter: number | undefined } = { caughtUpAfter: undefined };
  const subscription = store.subscribe(after, {
    async handle(batch) {
      await handle(batch);
      events.push(...batch);
      batches.push(batch.length);
    },
    caughtUp: () => (recording.caughtUpAfter ??= events.length),
    failed: (error) => failures.push(error),
  });
  return Object.assign(recording, { subscription, events, batches, failures });
}
