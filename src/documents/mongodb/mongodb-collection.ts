import type { Collection as DriverCollection, Document, Filter } from 'mongodb';
import {
  type Collection,
  type FindOptions,
  type IndexValue,
  InvalidCursorError,
  type Page,
  type StoredDocument,
  isIndexValue,
} from '../document-store.js';
import { decodeCursor, encodeCursor } from '../page-cursor.js';
import { ReadsAhead } from '../reads-ahead.js';
import type { CollectionPlan, IndexPlan, StoredRecord } from './collection-plan.js';
import { type Branch, branchesOf, type CursorPlace, sortOf, sortValue } from './key-range.js';
import type { CallDeadline } from './call-deadline.js';

/** Runs a read as part of the store: refused when it is closed, waited for when it closes. */
export type Read = <T>(read: (deadline: CallDeadline) => Promise<T>) => Promise<T>;

/** Keeps a command far below the 48 MB that a server takes. */
const largestList = 5_000;

/** Reads of one collection. */
export class MongoDbCollection<D extends StoredDocument> implements Collection<D> {
  constructor(
    private readonly collection: DriverCollection<StoredRecord>,
    private readonly plan: CollectionPlan,
    private readonly now: () => number,
    private readonly read: Read,
  ) {}

  async get(id: string): Promise<D | undefined> {
    const [document] = await this.getMany([id]);
    return document;
  }

  async getMany(ids: readonly string[]): Promise<(D | undefined)[]> {
    return ReadsAhead.read(this.plan, JSON.stringify(ids), async () => {
      const found = new Map<string, D>();
      for (const document of await this.matching('_id', ids, {})) found.set(document._id, document);
      return ids.map((id) => found.get(id));
    });
  }

  async find(indexName: string, options: FindOptions): Promise<Page<D>> {
    const index = this.plan.index(indexName);
    const { cursor, limit } = options;
    const find = describeFind(this.plan.name, index, options);
    const place = cursor === undefined ? undefined : placeIn(decodeCursor(cursor, find));
    const branches = branchesOf(index, options, place);
    if (branches.length === 0 || limit <= 0) return { documents: [], next_cursor: null };
    return ReadsAhead.read(this.plan, JSON.stringify([find, limit, cursor]), async () => {
      const records = await this.records(this.filterOf(branches), {
        sort: sortOf(index, options),
        limit: limit + 1,
      });
      const page = records.slice(0, limit);
      const hasMore = records.length > limit;
      return {
        documents: page.map((record) => this.plan.decode<D>(record)),
        next_cursor: hasMore ? encodeCursor(placeOf(index, options, page.at(-1)!), find) : null,
      };
    });
  }

  async findAny(indexName: string, values: readonly IndexValue[]): Promise<D[]> {
    const what = JSON.stringify([indexName, values]);
    return ReadsAhead.read(this.plan, what, () => this.anyOf(indexName, values));
  }

  private async anyOf(indexName: string, values: readonly IndexValue[]): Promise<D[]> {
    const index = this.plan.index(indexName);
    const [leading, ...others] = index.fields as [string, ...string[]];
    const conditions: Branch = index.unique
      ? Object.fromEntries(others.map((field) => [field, { $ne: null }]))
      : {};
    const wanted = index.unique ? values.filter((value) => value !== null) : values;
    const found = new Map<string, D>();
    for (const document of await this.matching(leading, wanted, conditions)) {
      found.set(document._id, document);
    }
    return [...found.values()];
  }

  private async matching(field: string, values: readonly IndexValue[], conditions: Branch): Promise<D[]> {
    const wanted = [...new Set(values)];
    const documents: D[] = [];
    for (let start = 0; start < wanted.length; start += largestList) {
      const list = wanted.slice(start, start + largestList);
      const records = await this.records(this.filterOf([{ ...conditions, [field]: { $in: list } }]), {});
      documents.push(...records.map((record) => this.plan.decode<D>(record)));
    }
    return documents;
  }

  /** The expiry stands in a list of its own, as its field may be one of the index too. */
  private filterOf(branches: readonly Branch[]): Filter<StoredRecord> {
    const alive = this.plan.alive(this.now());
    const complete =
      alive === undefined ? branches : branches.map((branch) => ({ ...branch, $and: [alive] }));
    return (complete.length === 1 ? complete[0] : { $or: complete }) as Filter<StoredRecord>;
  }

  private records(filter: Filter<StoredRecord>, options: Document): Promise<StoredRecord[]> {
    // The driver's first batch is 101 documents: one round trip serves up to 16 MB.
    const batch = { ...options, batchSize: largestList };
    return this.read((deadline) =>
      deadline.call('read', () => this.collection.find<StoredRecord>(filter, batch).toArray()),
    );
  }
}

/** What a cursor belongs to. @throws TypeError where the index has no field for a bound */
function describeFind(collection: string, index: IndexPlan, options: FindOptions): unknown {
  const { equals, from, to, descending = false } = options;
  const bounds = from === undefined && to === undefined ? [] : [[from, to]];
  if (equals.length + bounds.length > index.fields.length) {
    throw new TypeError(`Index ${index.name} has no field left for what the find asks.`);
  }
  return [collection, index.name, equals, descending, bounds];
}

/** @throws InvalidCursorError for what could be no place, or would be read as operators of a filter */
function placeIn(place: unknown): CursorPlace {
  const { values, id } = (place ?? {}) as { readonly values?: unknown; readonly id?: unknown };
  const isPlace = typeof id === 'string' && Array.isArray(values) && values.every(isIndexValue);
  if (!isPlace) throw new InvalidCursorError();
  return { values, id };
}

function placeOf(
  index: IndexPlan,
  { equals, descending = false }: FindOptions,
  record: StoredRecord,
): CursorPlace {
  const values = index.fields.slice(equals.length).map((field) => sortValue(record[field], descending));
  return { values, id: record._id };
}
