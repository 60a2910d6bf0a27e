import type { Collection as DriverCollection, Document, Filter } from 'mongodb';
import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import {
  type Collection,
  type FindOptions,
  type IndexValue,
  type DocumentPage,
  type StoredDocument,
  isIndexValue,
} from '#eventsourcing/documents/document-store.js';
import { type CallBatcher, companyIn, isLargeCall, type BatchedKind } from './call-batcher.js';
import type { CollectionPlan, IndexPlan, StoredRecord } from './collection-plan.js';
import { type Branch, branchesOf, freeFields, type PageEnd, sortOf, sortValue } from './key-range.js';
import type { CallDeadline } from './call-deadline.js';

/** How a collection sends its reads. */
export interface Reads {
  /** Runs a read. Refuses it after `close`, which waits for running reads. */
  run<T>(read: (deadline: CallDeadline) => Promise<T>): Promise<T>;
  readonly batcher: CallBatcher;
  /** True if the connection asks for linearizable reads. MongoDB gives them only to reads of one document. */
  readonly isLinearizable: boolean;
}

type FindLane<D> = BatchedKind<readonly IndexValue[], D[]>;

/** Keeps a command far below the server's limit of 48 MB. */
const largestList = 5_000;

/** Reads of one collection. */
export class MongoDbCollection<D extends StoredDocument> implements Collection<D> {
  readonly #byId = this.#laneOf({ fields: ['_id'], sparse: false });
  readonly #byIndex = new Map<string, FindLane<D>>();

  constructor(
    private readonly collection: DriverCollection<StoredRecord>,
    private readonly plan: CollectionPlan,
    private readonly now: () => number,
    private readonly reads: Reads,
  ) {}

  async get(id: string): Promise<D | undefined> {
    const [document] = await this.getMany([id]);
    return document;
  }

  async getMany(ids: readonly string[]): Promise<(D | undefined)[]> {
    const found = await this.#matching(this.#byId, ids);
    const byId = new Map(found.map((document) => [document._id, document]));
    return ids.map((id) => byId.get(id));
  }

  async find(indexName: string, options: FindOptions): Promise<DocumentPage<D>> {
    const index = this.plan.index(indexName);
    const { cursor, limit } = options;
    const find = describeFind(this.plan.name, index, options);
    const pageEnd =
      cursor === undefined ? undefined : pageEndIn(decodeCursor(cursor, find), freeFields(index, options));
    const branches = branchesOf(index, options, pageEnd);
    if (branches.length === 0 || limit <= 0) return { documents: [], next_cursor: null };
    const filter = this.#filterOf(branches);
    const order = { sort: sortOf(index, options), limit: limit + 1 };
    const records = await this.reads.run((deadline) => this.#records(deadline, filter, order));
    const page = records.slice(0, limit);
    const hasMore = records.length > limit;
    return {
      documents: page.map((record) => this.plan.decode<D>(record)),
      next_cursor: hasMore ? encodeCursor(pageEndOf(index, options, page.at(-1)!), find) : null,
    };
  }

  async findAny(indexName: string, values: readonly IndexValue[]): Promise<D[]> {
    const index = this.plan.index(indexName);
    let lane = this.#byIndex.get(indexName);
    if (lane === undefined) this.#byIndex.set(indexName, (lane = this.#laneOf(index)));
    return this.#matching(lane, index.sparse ? values.filter((value) => value !== null) : values);
  }

  async page(after: string | undefined, limit: number): Promise<D[]> {
    const branch: Branch = after === undefined ? {} : { _id: { $gt: after } };
    const order = { sort: { _id: 1 }, limit };
    const found = await this.reads.run((deadline) =>
      this.#records(deadline, this.#filterOf([branch]), order),
    );
    return found.map((record) => this.plan.decode<D>(record));
  }

  #matching(lane: FindLane<D>, values: readonly IndexValue[]): Promise<D[]> {
    const call = [...new Set(values)];
    if (call.length === 0) return Promise.resolve([]);
    return this.reads.run((deadline) =>
      this.reads.batcher.run(
        {
          lane,
          call,
          company: companyIn(String(call[0])),
          count: call.length,
          // A batch holds few values, so their size does not matter.
          bytes: () => 0,
          writes: [],
          isAlone:
            isLargeCall(call.length) ||
            (this.reads.isLinearizable && lane === this.#byId && call.length === 1),
        },
        deadline,
      ),
    );
  }

  /** Finds by `_id` or the first field of an index. The finds of several callers are sent as one. */
  #laneOf({ fields, sparse }: Pick<IndexPlan, 'fields' | 'sparse'>): FindLane<D> {
    const [leading, ...others] = fields as [string, ...string[]];
    const conditions = sparse ? Object.fromEntries(others.map((field) => [field, { $ne: null }])) : {};
    const send = async (calls: readonly (readonly IndexValue[])[], deadline: CallDeadline) => {
      const wanted = [...new Set(calls.flat())];
      const records = new Map<string, StoredRecord>();
      for (let start = 0; start < wanted.length; start += largestList) {
        const list = wanted.slice(start, start + largestList);
        const filter = this.#filterOf([{ ...conditions, [leading]: { $in: list } }]);
        for (const record of await this.#records(deadline, filter, {})) records.set(record._id, record);
      }
      const found = [...records.values()].map((record) => ({
        value: record[leading],
        document: this.plan.decode<D>(record),
      }));
      if (calls.length === 1) return [found.map(({ document }) => document)];
      return calls.map((values) => {
        const asked = new Set<unknown>(values);
        const isAsked = (value: unknown): boolean =>
          Array.isArray(value) ? value.some((one) => asked.has(one)) : asked.has(value ?? null);
        return found.filter(({ value }) => isAsked(value)).map(({ document }) => document);
      });
    };
    return { kind: 'read', send };
  }

  /** The condition on the expiry is in an `$and`, because the branch may have one on the same field. */
  #filterOf(branches: readonly Branch[]): Filter<StoredRecord> {
    const alive = this.plan.alive(this.now());
    const complete =
      alive === undefined ? branches : branches.map((branch) => ({ ...branch, $and: [alive] }));
    return (complete.length === 1 ? complete[0] : { $or: complete }) as Filter<StoredRecord>;
  }

  #records(deadline: CallDeadline, filter: Filter<StoredRecord>, options: Document): Promise<StoredRecord[]> {
    // The driver's first batch is 101 documents: one round trip serves up to 16 MB.
    const batch = { ...options, batchSize: largestList };
    return deadline.call('read', () => this.collection.find<StoredRecord>(filter, batch).toArray());
  }
}

/** Identifies the find that a cursor belongs to. @throws TypeError if the index has no field for a bound */
function describeFind(collection: string, index: IndexPlan, options: FindOptions): unknown {
  const { equals, from, to, descending = false } = options;
  const bounds = from === undefined && to === undefined ? [] : [[from, to]];
  if (equals.length + bounds.length > index.fields.length) {
    throw new TypeError(`Index ${index.name} has no field left for what the find asks.`);
  }
  return [collection, index.name, equals, descending, bounds];
}

/** The check also keeps a forged cursor from adding operators to the filter. @throws InvalidCursorError */
function pageEndIn(decoded: unknown, fields: readonly string[]): PageEnd {
  const { values, id } = (decoded ?? {}) as { readonly values?: unknown; readonly id?: unknown };
  const isPageEnd = typeof id === 'string' && Array.isArray(values) && values.every(isIndexValue);
  if (!isPageEnd || values.length !== fields.length) throw new InvalidCursorError();
  return { values, id };
}

function pageEndOf(index: IndexPlan, options: FindOptions, record: StoredRecord): PageEnd {
  const fields = freeFields(index, options);
  const values = fields.map((field) => sortValue(record[field], options.descending === true));
  return { values, id: record._id };
}
