import type { Clock } from '#kernel/clock.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  Lease,
  StoredDocument,
  WriteOptions,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import {
  countedWindow,
  MemoryCounters,
  type CountedWindow,
} from '#eventsourcing/documents/counted-window.js';
import { CollectionCatalogue } from './collection-catalogue.js';
import { assertSoundDeclaration, type CollectionState } from './collection-state.js';
import { DocumentWriter, prepareWrite } from './document-writer.js';
import type { EmbeddedDatabase } from '../database/embedded-database.js';
import { utf8Bytes } from '../database/key-encoding.js';
import { Housekeeping } from './housekeeping.js';
import { EmbeddedLeases } from './leases.js';
import { EmbeddedCollection } from './embedded-collection.js';

const hour = 60 * 60_000;

/** Counters of windows of an hour or more. Shorter windows are in memory. */
const COUNTERS: CollectionDeclaration<StoredDocument & CountedWindow> = {
  name: 'counters',
  indexes: {},
  expiry: 'ends_at',
};

interface Opened {
  readonly declaration: CollectionDeclaration;
  readonly collection: EmbeddedCollection<StoredDocument>;
  /** Undefined in a read-only process if the writing process has not created the collection. */
  readonly state: CollectionState | undefined;
}

/** The document store port on an embedded database. The database closes together with its last store. */
export class EmbeddedDocumentStore implements DocumentStore {
  readonly #writer: DocumentWriter;
  readonly #catalogue: CollectionCatalogue;
  readonly #leases: EmbeddedLeases;
  readonly #housekeeping: Housekeeping;
  readonly #shortWindows: MemoryCounters;
  readonly #opened = new Map<string, Opened>();
  /** Declarations run one after another: two at once would create a collection twice. */
  #declaring: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly clock: Clock,
  ) {
    database.retain();
    this.#writer = new DocumentWriter(database);
    this.#catalogue = new CollectionCatalogue(database, this.#writer);
    this.#shortWindows = new MemoryCounters(clock);
    this.#leases = new EmbeddedLeases(clock);
    this.#housekeeping = new Housekeeping(database, this.#catalogue, this.#writer, clock);
    if (!database.readOnly) this.#housekeeping.start();
  }

  async collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    const opened = this.#opened.get(declaration.name);
    // Requests always pass the same object, so the usual case is this cheap comparison.
    if (opened?.declaration === declaration) return opened.collection as unknown as Collection<D>;
    this.#assertOpen();
    assertSoundDeclaration(declaration);
    if (!this.database.readOnly) {
      const declared = this.#declaring.then(() => this.#catalogue.declare(declaration));
      this.#declaring = declared.catch(() => undefined);
      await declared;
    }
    const currentState = (): CollectionState | undefined => {
      this.#assertOpen();
      return this.#catalogue.state(declaration.name);
    };
    const state = currentState();
    const kept = this.database.readOnly ? undefined : state;
    const collection = new EmbeddedCollection<StoredDocument>(this.database, this.clock, kept, currentState);
    this.#opened.set(declaration.name, { declaration, collection, state });
    return collection as unknown as Collection<D>;
  }

  async write(writes: readonly DocumentWrite[], options?: WriteOptions): Promise<WriteOutcome[]> {
    this.#assertOpen();
    if (writes.length === 0) return [];
    const prepared = writes.map((write) => prepareWrite(write, this.#stateOf(write.collection)));
    return this.database.enqueue((group) => {
      const now = this.clock.now();
      return prepared.map((write) => this.#writer.apply(group, write, now));
    }, options);
  }

  /* eslint-disable @typescript-eslint/require-await -- Async so that a throw becomes a rejection, as the port promises. */
  async takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    this.#assertOpen();
    return this.#leases.take(name, owner, milliseconds);
  }

  async renewLease(lease: Lease): Promise<boolean> {
    this.#assertOpen();
    return this.#leases.renew(lease);
  }

  async releaseLease(lease: Lease): Promise<void> {
    this.#assertOpen();
    this.#leases.release(lease);
  }
  /* eslint-enable @typescript-eslint/require-await */

  async count(name: string, by: number, milliseconds: number): Promise<CountedWindow> {
    this.#assertOpen();
    if (milliseconds < hour) return this.#shortWindows.count(name, by, milliseconds);
    const counters = await this.collection(COUNTERS);
    if (by === 0) return countedWindow(await counters.get(name), 0, this.clock.now(), milliseconds);
    const state = this.#stateOf(COUNTERS.name);
    return this.database.enqueue((group) => {
      const now = this.clock.now();
      const stored = this.#writer.current(group, state, utf8Bytes(name), now) as CountedWindow | undefined;
      if (stored === undefined && by < 0) return countedWindow(undefined, 0, now, milliseconds);
      const window = countedWindow(stored, by, now, milliseconds);
      const write = { kind: 'put', collection: COUNTERS.name, document: { _id: name, ...window } } as const;
      this.#writer.apply(group, prepareWrite(write, state), now);
      return { count: window.count, ends_at: window.ends_at };
    });
  }

  // Async so that a throw becomes a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  async ping(): Promise<void> {
    this.#assertOpen();
    this.database.ping();
  }

  /** Resolves when the file contains all earlier writes, lazy ones included. @throws StoreUnavailableError */
  flush(): Promise<void> {
    return this.database.flush();
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #closeOnce(): Promise<void> {
    for (const { collection } of this.#opened.values()) collection.close();
    this.#opened.clear();
    await this.#housekeeping.stop();
    await this.database.release();
  }

  #stateOf(name: string): CollectionState {
    const state = this.#opened.get(name)?.state;
    if (state === undefined) throw new TypeError(`Collection ${name} was not declared.`);
    return state;
  }

  #assertOpen(): void {
    if (this.#closed !== undefined)
      throw new StoreUnavailableError('The embedded document store is closed.', false);
  }
}
