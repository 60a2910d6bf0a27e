import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { describeContract, type Capability, type ContractFixture } from './contract-case.js';
import { countCases } from './document-store-count.cases.js';
import { findCases } from './document-store-find.cases.js';
import { leaseCases } from './document-store-lease.cases.js';
import { lifeCases } from './document-store-life.cases.js';
import { writeCases } from './document-store-write.cases.js';

export interface DocumentStoreFixture extends ContractFixture {
  /** A store of this fixture; after {@link reopen} the new one. */
  readonly store: DocumentStore;
  /** Capability `durable`: closes the store and opens it again upon the same data. */
  readonly reopen?: () => Promise<void>;
  /** Capability `clock`: moves the store's clock on. */
  readonly advance?: (milliseconds: number) => void;
}

export const documentStoreCases = [...writeCases, ...findCases, ...lifeCases, ...leaseCases, ...countCases];

/** Holds an adapter to the document store port. The store may hold collections of others: the cases do not mind. */
export function documentStoreContract(
  name: string,
  makeFixture: () => Promise<DocumentStoreFixture>,
  capabilities: readonly Capability[] = [],
): void {
  describeContract(`document store contract: ${name}`, documentStoreCases, makeFixture, capabilities);
}
