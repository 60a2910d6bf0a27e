import { decodeCursor, encodeCursor, InvalidCursorError } from '../../base/cursor.js';
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
  Page,
} from '../document-store.js';
import { countedWindow, MemoryCounters, type CountedWindow } from '../counted-window.js';
import { CollectionCatalogue } from './collection-catalogue.js';
import {
  demandSoundDeclaration,
  wholeIndexKeys,
  type CollectionState,
  type IndexState,
  type StoredJson,
} from './collection-state.js';
import { DocumentWriter, prepareWrite } from './document-writer.js';
import type { EmbeddedDatabase, JsonObject } from '../../storage/embedded-database.js';
import {
  utf8Bytes,
  afterAll,
  afterNull,
  cutBound,
  fittingKey,
  indexValueBytes,
  maximumKeyBytes,
  type ByteString,
} from '../../storage/key-encoding.js';
import { Housekeeping } from './housekeeping.js';
import { Leases } from './leases.js';
import type { KeyRange, Table } from '../../storage/table.js';

/** The part of an index that a find walks: keys from `lower` to below `upper`. */
interface Section {
  readonly lower: ByteString;
  readonly upper: ByteString;
}

/** How a find walks its section. */
interface Way {
  /** The entry before the first. */
  readonly after?: ByteString | undefined;
  readonly descending?: boolean | undefined;
  readonly isPassing?: boolean;
}

/** A page of so many documents is part of a walk through thousands. */
const LONG_PAGE = 500;

/** Reads of one collection. Each answers from one commit, without awaiting in between. */
class EmbeddedCollection<D extends StoredDocument> implements Collection<D> {
  private readonly documents: Table<JsonObject>;
  private readonly indexes: Table;

  constructor(
    database: EmbeddedDatabase,
    private readonly clock: Clock,
    /** Absent for a reader beside a running writer, and once the store is closed: `ask` is called then. */
    private state: CollectionState | undefined,
    /** undefined where a reader came before the writer created the collection. @throws when the store is closed */
    private readonly ask: () => CollectionState | undefined,
  ) {
    this.documents = database.table('documents');
    this.indexes = database.table('indexes');
  }

  /** The store is closed. */
  close(): void {
    this.state = undefined;
  }

  // The methods are async so that a throw is a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  async get(id: string): Promise<D | undefined> {
    const state = this.state ?? this.ask();
    return state === undefined ? undefined : this.read(state, id, this.clock.now());
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async getMany(ids: readonly string[]): Promise<(D | undefined)[]> {
    const state = this.state ?? this.ask();
    const now = this.clock.now();
    return ids.map((id) => (state === undefined ? undefined : this.read(state, id, now)));
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async find(indexName: string, options: FindOptions): Promise<Page<D>> {
    const state = this.state ?? this.ask();
    if (state === undefined) return { documents: [], next_cursor: null };
    const index = state.index(indexName);
    const section = sectionOf(index, options);
    const after =
      options.cursor === undefined ? undefined : this.cursorKey(state, index, section, options.cursor);
    const documents: D[] = [];
    let lastKey = '';
    for (const { key, document } of this.walk(state, index, section, {
      after,
      descending: options.descending,
      isPassing: options.limit >= LONG_PAGE,
    })) {
      if (documents.length >= options.limit) {
        // It names no collection number, so that it outlives a rebuild.
        const place = lastKey.slice(index.prefix.length);
        const list = [state.name, index.name];
        return { documents, next_cursor: documents.length === 0 ? null : encodeCursor(place, list) };
      }
      documents.push(document);
      lastKey = key;
    }
    return { documents, next_cursor: null };
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async findAny(indexName: string, values: readonly IndexValue[]): Promise<D[]> {
    const state = this.state ?? this.ask();
    if (state === undefined) return [];
    const index = state.index(indexName);
    const found = new Map<string, D>();
    for (const value of new Set(values)) {
      const section = sectionOf(index, { equals: [value], limit: 1 });
      for (const { document } of this.walk(state, index, section, {})) found.set(document._id, document);
    }
    return [...found.values()];
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async page(after: string | undefined, limit: number): Promise<D[]> {
    const state = this.state ?? this.ask();
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

  private read(state: CollectionState, id: string, now: number, isPassing?: boolean): D | undefined {
    const key = fittingKey(state.prefix + utf8Bytes(id));
    const document = this.documents.get(key, isPassing) as StoredJson | undefined;
    return document === undefined || state.isExpired(document, now) ? undefined : (document as unknown as D);
  }

  private *walk(
    state: CollectionState,
    index: IndexState,
    section: Section,
    { after, descending, isPassing }: Way,
  ): Generator<{ key: ByteString; document: D }> {
    const now = this.clock.now();
    for (const { key, value: id } of this.indexes.entries(rangeOf(section, after, descending === true))) {
      if (key === after) continue;
      const document = this.read(state, id, now, isPassing);
      if (document === undefined) continue;
      if (!isFirstEntry(index, document as unknown as StoredJson, { key, section, descending })) continue;
      yield { key, document };
    }
  }

  private cursorKey(state: CollectionState, index: IndexState, section: Section, cursor: string): ByteString {
    const place = decodeCursor(cursor, [state.name, index.name]);
    const key = index.prefix + String(place);
    // A cursor of another find on the same index would skip or repeat.
    if (key < fittingKey(section.lower) || key >= fittingKey(section.upper)) throw new InvalidCursorError();
    return key;
  }
}

function sectionOf(index: IndexState, { equals, from, to }: FindOptions): Section {
  const isBounded = from !== undefined || to !== undefined;
  if (equals.length + (isBounded ? 1 : 0) > index.fields.length) {
    throw new TypeError(`Index ${index.name} has no field left for what the find asks.`);
  }
  const prefix = index.prefix + equals.map((value) => indexValueBytes(value)).join('');
  const lower = isBounded
    ? prefix + (from === undefined || from === null ? afterNull : indexValueBytes(from))
    : prefix;
  const upper = to === undefined ? prefix + afterAll : prefix + indexValueBytes(to) + afterAll;
  return { lower, upper };
}

function rangeOf(section: Section, after: ByteString | undefined, descending: boolean): KeyRange {
  const lower = cutBound(section.lower);
  const upper = section.upper.length > maximumKeyBytes ? cutBound(section.upper) + afterAll : section.upper;
  if (descending) return { start: after ?? upper, end: lower, reverse: true };
  return { start: after ?? lower, end: upper };
}

/**
 * A document with an array has several entries and is to be found once: by the first on the way. A bound that was cut
 * lets too much through, which is told by the whole keys as well.
 */
function isFirstEntry(
  index: IndexState,
  document: StoredJson,
  place: { key: ByteString; section: Section; descending?: boolean | undefined },
): boolean {
  const { key, section, descending } = place;
  const isSimple =
    section.upper.length <= maximumKeyBytes && !index.fields.some((field) => Array.isArray(document[field]));
  if (isSimple) return true;
  const within = wholeIndexKeys(index, document, utf8Bytes(document._id))
    .filter((whole) => whole >= section.lower && whole < section.upper)
    .map((whole) => fittingKey(whole))
    .sort();
  return (descending === true ? within.at(-1) : within[0]) === key;
}

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
