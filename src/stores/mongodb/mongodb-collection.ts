import type { Collection as DriverCollection, Document, Filter } from 'mongodb';
import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import { TURNS } from '#kernel/turns.js';
import {
  type Collection,
  type FindOptions,
  type GetOptions,
  type IndexValue,
  type DocumentPage,
  type StoredDocument,
  isIndexValue,
} from '#eventsourcing/documents/document-store.js';
import { type CallBatcher, companyIn, isLargeCall, type BatchedKind } from './call-batcher.js';
import { type CollectionPlan, type IndexPlan, type StoredRecord, writerField } from './collection-plan.js';
import { type Branch, branchesOf, freeFields, type PageEnd, sortOf, sortValue } from './key-range.js';
import type { CallDeadline } from './call-deadline.js';
import { readInTurns } from './read-in-turns.js';

/** How a collection sends its reads. */
export interface Reads {
  /** Runs a read. Refuses it after `close`, which waits for running reads. */
  run<T>(read: (deadline: CallDeadline) => Promise<T>): Promise<T>;
  readonly batcher: CallBatcher;
  /** True if the connection asks for linearizable reads. MongoDB gives them only to reads of one document. */
  readonly isLinearizable: boolean;
}

interface FindLane<Found> extends BatchedKind<readonly IndexValue[], Found[]> {
  readonly isById: boolean;
}

/** Finds by the first field of one index. */
interface FindLanes<D> {
  readonly documents: FindLane<D>;
  /** Finds documents, and remembers which write stored each. */
  readonly remembered: FindLane<D>;
  /** Finds which write stored each document, without the document. */
  readonly writers: FindLane<StoredRecord>;
}

type Known<D> = NonNullable<GetOptions<D>['known']>;

const BY_ID = { fields: ['_id'], sparse: false };

/** Keeps a command far below the server's limit of 48 MB. */
const largestList = 5_000;

/** Reads of one collection. */
export class MongoDbCollection<D extends StoredDocument> implements Collection<D> {
  readonly #byId = this.#lanesOf(BY_ID);
  readonly #byIndex = new Map<string, FindLanes<D>>();
  /** The id of the write that stored a document, by the document that was returned. */
  readonly #writerOf = new WeakMap<D, string>();

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

  async getMany(ids: readonly string[], { known }: GetOptions<D> = {}): Promise<(D | undefined)[]> {
    const unchanged = known === undefined ? [] : await this.#unchangedOf(ids, known);
    const byId = new Map(unchanged.map((document) => [document._id, document]));
    const lane = known === undefined ? this.#byId.documents : this.#byId.remembered;
    const unread = ids.filter((id) => !byId.has(id));
    for (const document of await this.#matching(lane, unread)) byId.set(document._id, document);
    return ids.map((id) => byId.get(id));
  }

  /** The known documents that are still what is stored. */
  async #unchangedOf(ids: readonly string[], known: Known<D>): Promise<D[]> {
    const comparable = ids.filter((id) => this.#writerOfKnown(id, known) !== undefined);
    const stored = await this.#matching(this.#byId.writers, comparable);
    return this.#unchangedIn(stored, known).filter((one) => one !== undefined);
  }

  /** For each record the known document; undefined if another write stored it, or there is none. */
  #unchangedIn(stored: readonly StoredRecord[], known: Known<D>): (D | undefined)[] {
    return stored.map((record) => {
      const writer = this.#writerOfKnown(record._id, known);
      return writer !== undefined && writer === record[writerField] ? known(record._id) : undefined;
    });
  }

  #writerOfKnown(id: string, known: Known<D>): string | undefined {
    const document = known(id);
    return document === undefined ? undefined : this.#writerOf.get(document);
  }

  #remember(record: StoredRecord): D {
    const document = this.plan.decode<D>(record);
    const writer = record[writerField];
    if (typeof writer === 'string') this.#writerOf.set(document, writer);
    return document;
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

  async findAny(
    indexName: string,
    values: readonly IndexValue[],
    { known }: Pick<GetOptions<D>, 'known'> = {},
  ): Promise<D[]> {
    const index = this.plan.index(indexName);
    let lanes = this.#byIndex.get(indexName);
    if (lanes === undefined) this.#byIndex.set(indexName, (lanes = this.#lanesOf(index)));
    const asked = index.sparse ? values.filter((value) => value !== null) : values;
    if (known === undefined) return this.#matching(lanes.documents, asked);
    const unchanged = this.#unchangedIn(await this.#matching(lanes.writers, asked), known);
    // The second read is by the index too: a document may have got another value since the first.
    return unchanged.every((one) => one !== undefined) ? unchanged : this.#matching(lanes.remembered, asked);
  }

  async page(after: string | undefined, limit: number): Promise<D[]> {
    const branch: Branch = after === undefined ? {} : { _id: { $gt: after } };
    const order = { sort: { _id: 1 }, limit };
    const found = await this.reads.run((deadline) =>
      this.#records(deadline, this.#filterOf([branch]), order),
    );
    return found.map((record) => this.plan.decode<D>(record));
  }

  async #matching<Found>(lane: FindLane<Found>, values: readonly IndexValue[]): Promise<Found[]> {
    const call = [...new Set(values)];
    if (call.length === 0) return [];
    const found = await this.reads.run((deadline) =>
      this.reads.batcher.run(
        {
          lane,
          call,
          company: companyIn(String(call[0])),
          count: call.length,
          // A batch holds few values, so their size does not matter.
          bytes: 0,
          writes: [],
          isAlone:
            isLargeCall(call.length) || (this.reads.isLinearizable && lane.isById && call.length === 1),
        },
        deadline,
      ),
    );
    // All callers of a batch get their answers in the same turn of the event loop.
    const pause = TURNS.pauseToRead(found.length);
    if (pause !== undefined) await pause;
    return found;
  }

  #lanesOf(index: Pick<IndexPlan, 'fields' | 'sparse'>): FindLanes<D> {
    return {
      documents: this.#laneOf(index),
      remembered: this.#laneOf(index, (record) => this.#remember(record)),
      writers: this.#laneOf<StoredRecord>(index, (record) => record, {
        [index.fields[0]!]: 1,
        [writerField]: 1,
      }),
    };
  }

  /** Finds by `_id` or the first field of an index. The finds of several callers are sent as one. */
  #laneOf<Found = D>(
    { fields, sparse }: Pick<IndexPlan, 'fields' | 'sparse'>,
    found = (record: StoredRecord) => this.plan.decode(record) as Found,
    projection?: Document,
  ): FindLane<Found> {
    const [leading, ...others] = fields as [string, ...string[]];
    const options = projection === undefined ? {} : { projection };
    const conditions = sparse ? Object.fromEntries(others.map((field) => [field, { $ne: null }])) : {};
    const send = async (calls: readonly (readonly IndexValue[])[], deadline: CallDeadline) => {
      const wanted = [...new Set(calls.flat())];
      const records = new Map<string, StoredRecord>();
      for (let start = 0; start < wanted.length; start += largestList) {
        const list = wanted.slice(start, start + largestList);
        const filter = this.#filterOf([{ ...conditions, [leading]: { $in: list } }]);
        for (const record of await this.#records(deadline, filter, options)) records.set(record._id, record);
      }
      const all = [...records.values()].map((record) => ({ value: record[leading], one: found(record) }));
      if (calls.length === 1) return [all.map(({ one }) => one)];
      return calls.map((values) => {
        const asked = new Set<unknown>(values);
        const isAsked = (value: unknown): boolean =>
          Array.isArray(value) ? value.some((element) => asked.has(element)) : asked.has(value ?? null);
        return all.filter(({ value }) => isAsked(value)).map(({ one }) => one);
      });
    };
    return { kind: 'read', send, isById: leading === '_id' };
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
    const batch = { ...options, batchSize: largestList, raw: true };
    return deadline.call('read', () =>
      readInTurns(this.collection.find<Uint8Array>(filter, batch), deadline),
    );
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
