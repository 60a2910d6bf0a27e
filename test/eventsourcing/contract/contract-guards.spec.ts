import type { Collection, DocumentStore, StoredDocument } from '#eventsourcing/documents/document-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import type { ContractCase, ContractFixture } from './contract-case.js';
import { documentStoreCases, type DocumentStoreFixture } from './document-store.contract.js';
import { eventStoreCases, type EventStoreFixture } from './event-store.contract.js';

jest.mock('../../support/wait-until.js', () => ({
  // A store that does nothing keeps every wait waiting: one look is enough.
  waitUntil: async (look: () => unknown, isDone: (value: unknown) => boolean = Boolean) => {
    const value = await look();
    if (!isDone(value)) throw new Error('Waited in vain.');
    return value;
  },
}));

const nothing = (): Promise<void> => Promise.resolve();

/** Says yes to everything and does none of it. */
function idleEventStore(): EventStore {
  return {
    append: (appends) =>
      Promise.resolve(
        appends.map(({ stream, events }) => ({
          kind: 'appended',
          stream,
          revision: events.length - 1,
          position: 0n,
        })),
      ),
    readStream: () => Promise.resolve([]),
    readAll: () => Promise.resolve([]),
    head: () => Promise.resolve(undefined),
    subscribe: () => ({ stop: nothing }),
    ping: nothing,
    close: nothing,
  };
}

function idleCollection<D extends StoredDocument>(): Collection<D> {
  return {
    get: () => Promise.resolve(undefined),
    getMany: (ids) => Promise.resolve(ids.map(() => undefined)),
    find: () => Promise.resolve({ documents: [], next_cursor: null }),
    findAny: () => Promise.resolve([]),
    page: () => Promise.resolve([]),
  };
}

function idleDocumentStore(): DocumentStore {
  return {
    collection: () => Promise.resolve(idleCollection()),
    write: (writes) => Promise.resolve(writes.map(() => ({ kind: 'written' }))),
    count: (_name, count, milliseconds) => Promise.resolve({ count, ends_at: milliseconds }),
    takeLease: (name, owner) => Promise.resolve({ name, owner, fence: 0 }),
    renewLease: () => Promise.resolve(true),
    releaseLease: nothing,
    ping: nothing,
    close: nothing,
  };
}

/** Refuses instead: no answer at all must not pass for a right one either. */
function emptyStore<S extends object>(store: S): S {
  return new Proxy(store, { get: () => () => Promise.resolve(undefined) });
}

function guard<F extends ContractFixture>(
  name: string,
  cases: readonly ContractCase<F>[],
  fixture: () => F,
): void {
  test.each([...cases])(`${name} fails: $name`, async ({ run }) => {
    const outcome = await run(fixture()).then(
      () => 'passed',
      () => 'failed',
    );
    expect(outcome).toBe('failed');
  });
}

function eventStoreFixture(store: EventStore): EventStoreFixture {
  return { store, reopen: nothing, close: nothing };
}

function documentStoreFixture(store: DocumentStore): DocumentStoreFixture {
  return { store, reopen: nothing, advance: () => undefined, close: nothing };
}

describe('every case of a contract fails on a store that does nothing', () => {
  guard('an idle event store', eventStoreCases, () => eventStoreFixture(idleEventStore()));
  guard('an empty event store', eventStoreCases, () => eventStoreFixture(emptyStore(idleEventStore())));
  guard('an idle document store', documentStoreCases, () => documentStoreFixture(idleDocumentStore()));
  guard('an empty document store', documentStoreCases, () =>
    documentStoreFixture(emptyStore(idleDocumentStore())),
  );

  test('names of cases are unique, so that a report says which one failed', () => {
    for (const cases of [eventStoreCases, documentStoreCases]) {
      const names = cases.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
