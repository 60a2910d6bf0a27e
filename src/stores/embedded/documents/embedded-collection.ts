import { encodeCursor } from '#kernel/cursor.js';
import type { Clock } from '#kernel/clock.js';
import { TURNS } from '#kernel/turns.js';
import type {
  Collection,
  StoredDocument,
  FindOptions,
  GetOptions,
  IndexValue,
  DocumentPage,
} from '#eventsourcing/documents/document-store.js';
import { boundsOf, cursorKey, isFirstEntry, rangeOf, type IndexBounds } from './index-scan.js';
import type { CollectionState, IndexState, StoredJson } from './collection-state.js';
import type { EmbeddedDatabase } from '../database/embedded-database.js';
import type { FrozenObject } from '../database/json-object.js';
import { utf8Bytes, afterAll, fittingKey, type ByteString } from '../database/key-encoding.js';
import type { StoreTable } from '../database/table.js';

interface ScanOptions {
  /** The scan begins after this key. */
  readonly after?: ByteString | undefined;
  readonly descending?: boolean | undefined;
  readonly bypassCache?: boolean;
}

/** Reads of this size would push useful documents out of the cache. */
const BYPASSES_CACHE_FROM = 500;

/** Reads of one collection. In a long turn a read waits for a later one. Each read sees one commit: once begun, it does not await. */
export class EmbeddedCollection<D extends StoredDocument> implements Collection<D> {
  readonly #documents: StoreTable<FrozenObject>;
  readonly #indexes: StoreTable;

  constructor(
    database: EmbeddedDatabase,
    private readonly clock: Clock,
    /** Undefined in a read-only process and after `close`: then `currentState` is called. */
    private state: CollectionState | undefined,
    /** Undefined if the writing process has not created the collection yet. @throws after the store is closed */
    private readonly currentState: () => CollectionState | undefined,
  ) {
    this.#documents = database.table('documents');
    this.#indexes = database.table('indexes');
  }

  close(): void {
    this.state = undefined;
  }

  async get(id: string): Promise<D | undefined> {
    const pause = TURNS.pauseBriefly();
    if (pause !== undefined) await pause;
    const state = this.state ?? this.currentState();
    return state === undefined ? undefined : this.#read(state, id, this.clock.now());
  }

  async getMany(ids: readonly string[], { isScan }: GetOptions<D> = {}): Promise<(D | undefined)[]> {
    const pause = TURNS.pauseToRead(ids.length);
    if (pause !== undefined) await pause;
    const state = this.state ?? this.currentState();
    const now = this.clock.now();
    return ids.map((id) => (state === undefined ? undefined : this.#read(state, id, now, isScan)));
  }

  async find(indexName: string, options: FindOptions): Promise<DocumentPage<D>> {
    const pause = TURNS.pauseToRead(options.limit);
    if (pause !== undefined) await pause;
    const state = this.state ?? this.currentState();
    if (state === undefined) return { documents: [], next_cursor: null };
    const index = state.index(indexName);
    const bounds = boundsOf(index, options);
    const after = options.cursor === undefined ? undefined : cursorKey(state, index, bounds, options.cursor);
    const documents: D[] = [];
    let lastKey = '';
    for (const { key, document } of this.#scan(state, index, bounds, {
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

  async findAny(indexName: string, values: readonly IndexValue[]): Promise<D[]> {
    const pause = TURNS.pauseToRead(values.length);
    if (pause !== undefined) await pause;
    const state = this.state ?? this.currentState();
    if (state === undefined) return [];
    const index = state.index(indexName);
    const found = new Map<string, D>();
    const bypassCache = values.length >= BYPASSES_CACHE_FROM;
    for (const value of new Set(values)) {
      const read = this.#scan(state, index, boundsOf(index, { equals: [value], limit: 1 }), { bypassCache });
      for (const { document } of read) found.set(document._id, document);
    }
    return [...found.values()];
  }

  async page(after: string | undefined, limit: number): Promise<D[]> {
    const pause = TURNS.pauseToRead(limit);
    if (pause !== undefined) await pause;
    const state = this.state ?? this.currentState();
    if (state === undefined) return [];
    const now = this.clock.now();
    const start = after === undefined ? state.prefix : fittingKey(state.prefix + utf8Bytes(after));
    const found: D[] = [];
    for (const { key, value } of this.#documents.entries({ start, end: state.prefix + afterAll })) {
      if (found.length === limit) break;
      const document = value as unknown as StoredJson;
      if ((after !== undefined && key === start) || state.isExpired(document, now)) continue;
      found.push(document as unknown as D);
    }
    return found;
  }

  #read(state: CollectionState, id: string, now: number, bypassCache?: boolean): D | undefined {
    const key = fittingKey(state.prefix + utf8Bytes(id));
    const document = this.#documents.get(key, bypassCache) as StoredJson | undefined;
    return document === undefined || state.isExpired(document, now) ? undefined : (document as unknown as D);
  }

  *#scan(
    state: CollectionState,
    index: IndexState,
    bounds: IndexBounds,
    { after, descending, bypassCache }: ScanOptions,
  ): Generator<{ key: ByteString; document: D }> {
    const now = this.clock.now();
    for (const { key, value: id } of this.#indexes.entries(rangeOf(bounds, after, descending === true))) {
      if (key === after) continue;
      const document = this.#read(state, id, now, bypassCache);
      if (document === undefined) continue;
      if (!isFirstEntry(index, document as unknown as StoredJson, { key, bounds, descending })) continue;
      yield { key, document };
    }
  }
}
