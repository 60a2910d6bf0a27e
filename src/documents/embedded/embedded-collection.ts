import type { Clock } from '../../config/clock.js';
import { type Collection, type FindOptions, type IndexValue, InvalidCursorError } from '../document-store.js';
import type { Page, StoredDocument } from '../document-store.js';
import {
  type CollectionState,
  type IndexState,
  type StoredJson,
  wholeIndexKeys,
} from './collection-state.js';
import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import type { JsonObject } from '../../storage/json-object.js';
import {
  afterAll,
  afterNull,
  type ByteString,
  cutBound,
  fittingKey,
  indexValueBytes,
  maximumKeyBytes,
  utf8Bytes,
} from '../../storage/key-encoding.js';
import type { KeyRange, Table } from '../../storage/table.js';
import { decodeCursor, encodeCursor } from './page-cursor.js';

/** The part of an index that a find walks: keys from `lower` to below `upper`. */
interface Section {
  readonly lower: ByteString;
  readonly upper: ByteString;
}

/** Reads of one collection. Each answers from one commit, without awaiting in between. */
export class EmbeddedCollection<D extends StoredDocument> implements Collection<D> {
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
    })) {
      if (documents.length >= options.limit) {
        const place = { collection: state.name, index: index.name, key: lastKey.slice(index.prefix.length) };
        return { documents, next_cursor: documents.length === 0 ? null : encodeCursor(place) };
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

  private read(state: CollectionState, id: string, now: number): D | undefined {
    const document = this.documents.get(fittingKey(state.prefix + utf8Bytes(id))) as StoredJson | undefined;
    return document === undefined || state.isExpired(document, now) ? undefined : (document as unknown as D);
  }

  private *walk(
    state: CollectionState,
    index: IndexState,
    section: Section,
    { after, descending }: { after?: ByteString | undefined; descending?: boolean | undefined },
  ): Generator<{ key: ByteString; document: D }> {
    const now = this.clock.now();
    for (const { key, value: id } of this.indexes.entries(rangeOf(section, after, descending === true))) {
      if (key === after) continue;
      const document = this.read(state, id, now);
      if (document === undefined) continue;
      if (!isFirstEntry(index, document as unknown as StoredJson, { key, section, descending })) continue;
      yield { key, document };
    }
  }

  private cursorKey(state: CollectionState, index: IndexState, section: Section, cursor: string): ByteString {
    const key = index.prefix + decodeCursor(cursor, state.name, index.name);
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
