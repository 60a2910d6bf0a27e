import type { Clock } from '../../config/clock.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  Lease,
  StoredDocument,
  WriteOptions,
  WriteOutcome,
} from '../document-store.js';
import { countedWindow, type CountedWindow, MemoryCounters } from '../counted-window.js';
import { CollectionCatalogue } from './collection-catalogue.js';
import { type CollectionState, demandSoundDeclaration } from './collection-state.js';
import { DocumentWriter, prepareWrite } from './document-writer.js';
import { EmbeddedCollection } from './embedded-collection.js';
import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import { utf8Bytes } from '../../storage/key-encoding.js';
import { Housekeeping } from './housekeeping.js';
import { Leases } from './leases.js';

const hour = 60 * 60_000;

/** Longer windows outlive the process. */
const COUNTERS: CollectionDeclaration<StoredDocument & CountedWindow> = {
  name: 'counters',
  indexes: {},
  expiry: 'ends_at',
};

interface Opened {
  readonly declaration: CollectionDeclaration;
  readonly collection: EmbeddedCollection<StoredDocument>;
  /** Absent for a reader that came before the writer created the collection. */
  readonly state: CollectionState | undefined;
}

/** The document store port on an embedded database, which closes when the last store upon it does. */
export class EmbeddedDocumentStore implements DocumentStore {
  private readonly writer: DocumentWriter;
  private readonly catalogue: CollectionCatalogue;
  private readonly leases: Leases;
  private readonly housekeeping: Housekeeping;
  private readonly brief: MemoryCounters;
  /** By name: the declaration that stands, and what was opened by it. */
  private readonly opened = new Map<string, Opened>();
  /** Declarations follow one another: two at once for one collection would both create it. */
  private declaring: Promise<unknown> = Promise.resolve();
  private closed: Promise<void> | undefined;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly clock: Clock,
  ) {
    database.retain();
    this.writer = new DocumentWriter(database);
    this.catalogue = new CollectionCatalogue(database, this.writer);
    this.brief = new MemoryCounters(clock);
    this.leases = new Leases(database, () => clock.now());
    this.housekeeping = new Housekeeping(database, this.catalogue, this.writer, clock);
    if (!database.readOnly) this.housekeeping.start();
  }

  async collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    const opened = this.opened.get(declaration.name);
    // Every request asks, with the same object each time, and waits for nothing.
    if (opened?.declaration === declaration) return opened.collection as unknown as Collection<D>;
    this.demandOpen();
    demandSoundDeclaration(declaration);
    if (!this.database.readOnly) {
      const declared = this.declaring.then(() => this.catalogue.declare(declaration));
      this.declaring = declared.catch(() => undefined);
      await declared;
    }
    const ask = (): CollectionState | undefined => {
      this.demandOpen();
      return this.catalogue.state(declaration.name);
    };
    const state = ask();
    const kept = this.database.readOnly ? undefined : state;
    const collection = new EmbeddedCollection<StoredDocument>(this.database, this.clock, kept, ask);
    this.opened.set(declaration.name, { declaration, collection, state });
    return collection as unknown as Collection<D>;
  }

  async write(writes: readonly DocumentWrite[], options?: WriteOptions): Promise<WriteOutcome[]> {
    this.demandOpen();
    if (writes.length === 0) return [];
    const prepared = writes.map((write) => prepareWrite(write, this.stateOf(write.collection)));
    return this.database.enqueue((group) => {
      const now = this.clock.now();
      return prepared.map((write) => this.writer.apply(group, write, now));
    }, options);
  }

  async takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    this.demandOpen();
    return this.leases.take(name, owner, milliseconds);
  }

  async renewLease(lease: Lease): Promise<boolean> {
    this.demandOpen();
    return this.leases.renew(lease);
  }

  async releaseLease(lease: Lease): Promise<void> {
    this.demandOpen();
    await this.leases.release(lease);
  }

  async count(name: string, by: number, milliseconds: number): Promise<CountedWindow> {
    this.demandOpen();
    if (milliseconds < hour) return this.brief.count(name, by, milliseconds);
    const counters = await this.collection(COUNTERS);
    if (by === 0) return countedWindow(await counters.get(name), 0, this.clock.now(), milliseconds);
    const state = this.stateOf(COUNTERS.name);
    return this.database.enqueue((group) => {
      const now = this.clock.now();
      const standing = this.writer.current(group, state, utf8Bytes(name), now) as CountedWindow | undefined;
      if (standing === undefined && by < 0) return countedWindow(undefined, 0, now, milliseconds);
      const window = countedWindow(standing, by, now, milliseconds);
      const write = { kind: 'put', collection: COUNTERS.name, document: { _id: name, ...window } } as const;
      this.writer.apply(group, prepareWrite(write, state), now);
      return { count: window.count, ends_at: window.ends_at };
    });
  }

  // Async so that a throw is a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  async ping(): Promise<void> {
    this.demandOpen();
    this.database.ping();
  }

  /** Resolves when the file holds whatever was written by now, lazy writes and those behind the commit included. @throws StoreUnavailableError */
  flush(): Promise<void> {
    return this.database.flush();
  }

  close(): Promise<void> {
    this.closed ??= this.closeOnce();
    return this.closed;
  }

  private async closeOnce(): Promise<void> {
    for (const { collection } of this.opened.values()) collection.close();
    this.opened.clear();
    await this.housekeeping.stop();
    await this.database.release();
  }

  private stateOf(name: string): CollectionState {
    const state = this.opened.get(name)?.state;
    if (state === undefined) throw new TypeError(`Collection ${name} was not declared.`);
    return state;
  }

  private demandOpen(): void {
    if (this.closed !== undefined)
      throw new StoreUnavailableError('The embedded document store is closed.', false);
  }
}
