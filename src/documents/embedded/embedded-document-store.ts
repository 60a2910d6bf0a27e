import { encodeCursor } from '../../base/cursor.js';
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
  FindOptions,
  IndexValue,
  DocumentPage,
} from '../document-store.js';
import { countedWindow, MemoryCounters, type CountedWindow } from '../counted-window.js';
import { CollectionCatalogue } from './collection-catalogue.js';
import {
  boundsOf,
  cursorKey,
  demandSoundDeclaration,
  isFirstEntry,
  rangeOf,
  type CollectionState,
  type IndexBounds,
  type IndexState,
  type StoredJson,
} from './collection-state.js';
import { DocumentWriter, prepareWrite } from './document-writer.js';
import type { EmbeddedDatabase, FrozenObject } from '../../storage/embedded-database.js';
import { utf8Bytes, afterAll, fittingKey, type ByteString } from '../../storage/key-encoding.js';
import { Housekeeping } from './housekeeping.js';
import { EmbeddedLeases } from './leases.js';
import type { StoreTable } from '../../storage/table.js';

interface ScanOptions {
  /** The scan begins after this key. */
  readonly after?: ByteString | undefined;
  readonly descending?: boolean | undefined;
  readonly bypassCache?: boolean;
}

/** Reads of this size would push useful documents out of the cache. */
const BYPASSES_CACHE_FROM = 500;

/** Reads of one collection. Each read sees one commit, because it does not await. */
class EmbeddedCollection<D extends StoredDocument> implements Collection<D> {
  private readonly documents: StoreTable<FrozenObject>;
  private readonly indexes: StoreTable;

  constructor(
    database: EmbeddedDatabase,
    private readonly clock: Clock,
    /** Undefined in a read-only process and after `close`: then `currentState` is called. */
    private state: CollectionState | undefined,
    /** Undefined if the writing process has not created the collection yet. @throws after the store is closed */
    private readonly currentState: () => CollectionState | undefined,
  ) {
    this.documents = database.table('documents');
    this.indexes = database.table('indexes');
  }

  close(): void {
    this.state = undefined;
  }

  // These methods are async so that a throw becomes a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  async get(id: string): Promise<D | undefined> {
    const state = this.state ?? this.currentState();
    return state === undefined ? undefined : this.read(state, id, this.clock.now());
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async getMany(ids: readonly string[], isScan?: boolean): Promise<(D | undefined)[]> {
    const state = this.state ?? this.currentState();
    const now = this.clock.now();
    return ids.map((id) => (state === undefined ? undefined : this.read(state, id, now, isScan)));
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async find(indexName: string, options: FindOptions): Promise<DocumentPage<D>> {
    const state = this.state ?? this.currentState();
    if (state === undefined) return { documents: [], next_cursor: null };
    const index = state.index(indexName);
    const bounds = boundsOf(index, options);
    const after = options.cursor === undefined ? undefined : cursorKey(state, index, bounds, options.cursor);
    const documents: D[] = [];
    let lastKey = '';
    for (const { key, document } of this.scan(state, index, bounds, {
      after,
      descending: options.descending,
      bypassCache: options.limit >= BYPASSES_CACHE_FROM,
    })) {
      if (documents.length >= options.limit) {
        // The cursor leaves out the collection's number, so that it is still valid after a rebuild.
        const position = lastKey.slice(index.prefix.length);
        const list = [state.name, index.name];
        return { documents, next_cursor: documents.length === 0 ? null : encodeCursor(position, list) };
      }
      documents.push(document);
      lastKey = key;
    }
    return { documents, next_cursor: null };
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async findAny(indexName: string, values: readonly IndexValue[]): Promise<D[]> {
    const state = this.state ?? this.currentState();
    if (state === undefined) return [];
    const index = state.index(indexName);
    const found = new Map<string, D>();
    const bypassCache = values.length >= BYPASSES_CACHE_FROM;
    for (const value of new Set(values)) {
      const read = this.scan(state, index, boundsOf(index, { equals: [value], limit: 1 }), { bypassCache });
      for (const { document } of read) found.set(document._id, document);
    }
    return [...found.values()];
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async page(after: string | undefined, limit: number): Promise<D[]> {
    const state = this.state ?? this.currentState();
    if (state === undefined) return [];
    const now = this.clock.now();
    const start = after === undefined ? state.prefix : fittingKey(state.prefix + utf8Bytes(after));
    const found: D[] = [];
    for (const { key, value } of this.documents.entries({ start, end: state.prefix + afterAll })) {
      if (found.length === limit) break;
      const document = value as unknown as StoredJson;
      if ((after !== undefined && key === start) || state.isExpired(document, now)) continue;
      found.push(document as unknown as D);
    }
    return found;
  }

  private read(state: CollectionState, id: string, now: number, bypassCache?: boolean): D | undefined {
    const key = fittingKey(state.prefix + utf8Bytes(id));
    const document = this.documents.get(key, bypassCache) as StoredJson | undefined;
    return document === undefined || state.isExpired(document, now) ? undefined : (document as unknown as D);
  }

  private *scan(
    state: CollectionState,
    index: IndexState,
    bounds: IndexBounds,
    { after, descending, bypassCache }: ScanOptions,
  ): Generator<{ key: ByteString; document: D }> {
    const now = this.clock.now();
    for (const { key, value: id } of this.indexes.entries(rangeOf(bounds, after, descending === true))) {
      if (key === after) continue;
      const document = this.read(state, id, now, bypassCache);
      if (document === undefined) continue;
      if (!isFirstEntry(index, document as unknown as StoredJson, { key, bounds, descending })) continue;
      yield { key, document };
    }
  }
}

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
  private readonly writer: DocumentWriter;
  private readonly catalogue: CollectionCatalogue;
  private readonly leases: EmbeddedLeases;
  private readonly housekeeping: Housekeeping;
  private readonly shortWindows: MemoryCounters;
  private readonly opened = new Map<string, Opened>();
  /** Declarations run one after another: two at once would create a collection twice. */
  private declaring: Promise<unknown> = Promise.resolve();
  private closed: Promise<void> | undefined;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly clock: Clock,
  ) {
    database.retain();
    this.writer = new DocumentWriter(database);
    this.catalogue = new CollectionCatalogue(database, this.writer);
    this.shortWindows = new MemoryCounters(clock);
    this.leases = new EmbeddedLeases(database, () => clock.now());
    this.housekeeping = new Housekeeping(database, this.catalogue, this.writer, clock);
    if (!database.readOnly) this.housekeeping.start();
  }

  async collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    const opened = this.opened.get(declaration.name);
    // Requests always pass the same object, so the usual case is this cheap comparison.
    if (opened?.declaration === declaration) return opened.collection as unknown as Collection<D>;
    this.demandOpen();
    demandSoundDeclaration(declaration);
    if (!this.database.readOnly) {
      const declared = this.declaring.then(() => this.catalogue.declare(declaration));
      this.declaring = declared.catch(() => undefined);
      await declared;
    }
    const currentState = (): CollectionState | undefined => {
      this.demandOpen();
      return this.catalogue.state(declaration.name);
    };
    const state = currentState();
    const kept = this.database.readOnly ? undefined : state;
    const collection = new EmbeddedCollection<StoredDocument>(this.database, this.clock, kept, currentState);
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
    if (milliseconds < hour) return this.shortWindows.count(name, by, milliseconds);
    const counters = await this.collection(COUNTERS);
    if (by === 0) return countedWindow(await counters.get(name), 0, this.clock.now(), milliseconds);
    const state = this.stateOf(COUNTERS.name);
    return this.database.enqueue((group) => {
      const now = this.clock.now();
      const stored = this.writer.current(group, state, utf8Bytes(name), now) as CountedWindow | undefined;
      if (stored === undefined && by < 0) return countedWindow(undefined, 0, now, milliseconds);
      const window = countedWindow(stored, by, now, milliseconds);
      const write = { kind: 'put', collection: COUNTERS.name, document: { _id: name, ...window } } as const;
      this.writer.apply(group, prepareWrite(write, state), now);
      return { count: window.count, ends_at: window.ends_at };
    });
  }

  // Async so that a throw becomes a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  async ping(): Promise<void> {
    this.demandOpen();
    this.database.ping();
  }

  /** Resolves when the file contains all earlier writes, lazy ones included. @throws StoreUnavailableError */
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
