import type { EventStore } from '#eventsourcing/log/event-store.js';
import { describeContract, type Capability, type ContractFixture } from './contract-case.js';
import { appendCases } from './event-store-append.cases.js';
import { readCases } from './event-store-read.cases.js';
import { subscriptionCases } from './event-store-subscription.cases.js';

export interface EventStoreFixture extends ContractFixture {
  /** A store of this fixture; after {@link reopen} the new one. */
  readonly store: EventStore;
  /** Capability `durable`: closes the store and opens it again upon the same data. */
  readonly reopen?: () => Promise<void>;
}

export const eventStoreCases = [...appendCases, ...readCases, ...subscriptionCases];

/** Holds an adapter to the event store port. The store may hold events of others: the cases do not mind. */
export function eventStoreContract(
  name: string,
  makeFixture: () => Promise<EventStoreFixture>,
  capabilities: readonly Capability[] = [],
): void {
  describeContract(`event store contract: ${name}`, eventStoreCases, makeFixture, capabilities);
}
