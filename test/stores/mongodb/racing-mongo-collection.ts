import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AnyBulkWriteOperation,
  type BulkWriteResult,
  type FindOptions,
  MongoBulkWriteError,
  MongoNetworkError,
  type WriteError,
} from 'mongodb';
import type { WritableCollection } from '#stores/mongodb/bulk-writer.js';
import type { StoredRecord } from '#stores/mongodb/collection-plan.js';

type Operation = AnyBulkWriteOperation<StoredRecord>;
type Conditions = Readonly<Record<string, unknown>>;

/** How servers say that a key is taken. */
export type Wording = (index: string, key: string) => string;

export const wordings: Readonly<Record<string, Wording>> = {
  'MongoDB 5 to 8': (index, key) =>
    `E11000 duplicate key error collection: db.samples index: ${index} dup key: { x: "${key}" }`,
  'mongo-java-server': (index, key) =>
    `E11000 duplicate key error collection: db.samples index: ${index} dup key: { x: "${key}", y: null }`,
  DocumentDB: (index) => `Duplicate key violation on the requested collection: Index '${index}'`,
};

/** What a test lets happen to the next bulk: its connection is cut before or after the server did it. */
export type Fault = 'cut_before' | 'cut_after';

/**
 * A collection as a server with several writers at once has it: between finding that an upsert matches nothing and
 * inserting, others insert. The stand-in server serves one command after the other and never shows this.
 */
export class RacingMongoCollection {
  readonly records = new Map<string, StoredRecord>();
  /** Fields that are unique, each in an index of the name `by_<field>`. */
  uniqueFields: string[] = [];
  wording: Wording = wordings['MongoDB 5 to 8']!;
  readonly faults: Fault[] = [];
  /** Runs after each bulk that was done, before its answer arrives: what others do meanwhile. */
  meanwhile: () => void = () => undefined;
  bulks = 0;
  lostRaces = 0;
  /** Between the look of an upsert that finds nothing and its insert. */
  #beforeInsert: () => Promise<unknown> = () => nextTurn();
  /** Of all records that finds returned. */
  readonly fieldsRead: string[] = [];

  get asCollection(): WritableCollection {
    return this as unknown as WritableCollection;
  }

  /** Upserts wait until so many bulks have looked, so that all but one of them lose the race. */
  letAllLook(bulks: number): void {
    let open!: () => void;
    const haveLooked = new Promise<void>((resolve) => (open = resolve));
    this.#beforeInsert = () => {
      if (this.bulks >= bulks) open();
      return haveLooked;
    };
  }

  async bulkWrite(operations: readonly Operation[]): Promise<BulkWriteResult> {
    this.bulks += 1;
    const fault = this.faults.shift();
    if (fault === 'cut_before') throw cut();
    const totals = { matchedCount: 0, upsertedCount: 0, deletedCount: 0, insertedCount: 0 };
    const errors: WriteError[] = [];
    await Promise.all(
      operations.map(async (operation, index) => {
        const refusal = await this.apply(operation, totals);
        if (refusal === undefined) return;
        errors.push({ index, code: 11_000, errmsg: refusal } as WriteError);
      }),
    );
    this.meanwhile();
    if (fault === 'cut_after') throw cut();
    const result = resultOf(totals, errors);
    if (errors.length === 0) return result;
    throw new MongoBulkWriteError(
      { message: errors[0]!.errmsg ?? '', code: 11_000, writeErrors: errors },
      result,
    );
  }

  find(filter: Conditions, { projection }: FindOptions): { toArray(): Promise<StoredRecord[]> } {
    const found = [...this.records.values()].filter((record) => matches(record, filter));
    const read = found.map((record) => projected(record, projection));
    this.fieldsRead.push(...read.flatMap(Object.keys));
    return { toArray: () => Promise.resolve(read) };
  }

  deleteMany(filter: Conditions): Promise<{ deletedCount: number }> {
    const found = [...this.records.values()].filter((record) => matches(record, filter));
    for (const { _id } of found) this.records.delete(_id);
    return Promise.resolve({ deletedCount: found.length });
  }

  private async apply(
    operation: Operation,
    totals: { matchedCount: number; upsertedCount: number; deletedCount: number; insertedCount: number },
  ): Promise<string | undefined> {
    if ('insertOne' in operation) {
      totals.insertedCount += 1;
      return this.insert(operation.insertOne.document);
    }
    if ('deleteOne' in operation) {
      const found = this.first(operation.deleteOne.filter);
      if (found !== undefined) this.records.delete(found._id);
      totals.deletedCount += found === undefined ? 0 : 1;
      return undefined;
    }
    if (!('replaceOne' in operation)) throw new TypeError('The double does not know this operation.');
    const { filter, replacement, upsert } = operation.replaceOne;
    const record = replacement as StoredRecord;
    if (this.first(filter) !== undefined) {
      totals.matchedCount += 1;
      return this.store(record);
    }
    if (upsert !== true) return undefined;
    const wasThere = this.records.has(record._id);
    await this.#beforeInsert();
    const refusal = this.insert(record);
    if (refusal === undefined) totals.upsertedCount += 1;
    else if (!wasThere) this.lostRaces += 1;
    return refusal;
  }

  private insert(record: StoredRecord): string | undefined {
    if (this.records.has(record._id)) return this.wording('_id_', record._id);
    return this.store(record);
  }

  private store(record: StoredRecord): string | undefined {
    for (const field of this.uniqueFields) {
      const key = record[field];
      const owner = [...this.records.values()].find((other) => other[field] === key);
      if (owner === undefined || key === undefined || owner._id === record._id) continue;
      return this.wording(`by_${field}`, JSON.stringify(key));
    }
    this.records.set(record._id, structuredClone(record));
    return undefined;
  }

  private first(filter: Conditions): StoredRecord | undefined {
    return [...this.records.values()].find((record) => matches(record, filter));
  }
}

/** As the driver wraps what ends a bulk. */
function cut(): MongoBulkWriteError {
  const error = new MongoNetworkError('connection 1 to 127.0.0.1:1 closed');
  return new MongoBulkWriteError(error, resultOf({}, []));
}

function resultOf(totals: object, errors: WriteError[]): BulkWriteResult {
  return {
    ...totals,
    hasWriteErrors: () => errors.length > 0,
    getWriteErrors: () => errors,
    getWriteConcernError: () => undefined,
  } as BulkWriteResult;
}

function projected(record: StoredRecord, projection: FindOptions['projection']): StoredRecord {
  if (projection === undefined) return record;
  const fields = Object.entries(record).filter(([field]) => field === '_id' || field in projection);
  return Object.fromEntries(fields) as StoredRecord;
}

function matches(record: StoredRecord, filter: Conditions): boolean {
  return Object.entries(filter).every(([field, condition]) => {
    if (field === '$and') return (condition as Conditions[]).every((part) => matches(record, part));
    if (field === '$or') return (condition as Conditions[]).some((part) => matches(record, part));
    return holds(record[field], condition);
  });
}

function holds(value: unknown, condition: unknown): boolean {
  if (condition === null) return value === null || value === undefined;
  if (typeof condition !== 'object') return value === condition;
  return Object.entries(condition).every(([operator, operand]) => {
    switch (operator) {
      case '$lt':
        return typeof value === 'number' && value < (operand as number);
      case '$lte':
        return typeof value === 'number' && value <= (operand as number);
      case '$in':
        return (operand as unknown[]).includes(value);
      case '$not':
        return !holds(value, operand);
      default:
        throw new TypeError(`The double does not know ${operator}.`);
    }
  });
}
