import type { Collection, Document, Filter } from 'mongodb';
import type { Lease } from '#eventsourcing/documents/document-store.js';
import { mongodbCode, isDuplicateKey } from './mongodb-errors.js';
import type { CallDeadline } from './call-deadline.js';

/** Storage format: add, never change. */
interface LeaseRecord {
  _id: string;
  /** null if the lease is free. The record is never removed, because the fence must only grow. */
  owner: string | null;
  fence: number;
  /** By the server's clock; the epoch if the lease is free. */
  renewed_at: Date;
}

const free = { owner: null, renewed_at: new Date(0) };
const renewal = { $currentDate: { renewed_at: true } } as const;

/** The port's leases. The server's clock decides when one ends, within each command. */
export class MongodbLeases {
  constructor(private readonly collection: Collection<LeaseRecord>) {}

  async take(
    deadline: CallDeadline,
    name: string,
    owner: string,
    milliseconds: number,
  ): Promise<Lease | undefined> {
    const record = await deadline.call('read', () => this.collection.findOne({ _id: name }));
    if (record === null) await this.#create(deadline, name);
    if (record?.owner === owner) {
      const kept = await this.#keep(deadline, record, milliseconds);
      if (kept !== undefined) return kept;
    }
    const filter = {
      _id: name,
      $expr: { $lte: ['$renewed_at', { $subtract: ['$$NOW', milliseconds] }] },
    };
    return this.#change(deadline, filter, { $set: { owner }, $inc: { fence: 1 }, ...renewal });
  }

  async renew(deadline: CallDeadline, lease: Lease): Promise<boolean> {
    const result = await deadline.call('write', () => this.collection.updateOne(held(lease), renewal));
    return result.matchedCount === 1;
  }

  async release(deadline: CallDeadline, lease: Lease): Promise<void> {
    await deadline.call('write', () => this.collection.updateOne(held(lease), { $set: free }));
  }

  /** Renews the lease of its holder, with the same fence. */
  #keep(
    deadline: CallDeadline,
    { _id, owner, fence }: LeaseRecord,
    milliseconds: number,
  ): Promise<Lease | undefined> {
    const $expr = { $gt: ['$renewed_at', { $subtract: ['$$NOW', milliseconds] }] };
    return this.#change(deadline, { _id, owner, fence, $expr }, renewal);
  }

  /** Inserts a free lease. An upsert cannot do this: MongoDB refuses `$expr` in its filter. */
  async #create(deadline: CallDeadline, name: string): Promise<void> {
    await deadline.call('write', async () => {
      try {
        await this.collection.insertOne({ _id: name, ...free, fence: 0 });
      } catch (error) {
        // Another process created it at the same instant.
        if (!isDuplicateKey(mongodbCode(error))) throw error;
      }
    });
  }

  async #change(
    deadline: CallDeadline,
    filter: Filter<LeaseRecord>,
    update: Document,
  ): Promise<Lease | undefined> {
    const record = await deadline.call('write', () =>
      this.collection.findOneAndUpdate(filter, update, { returnDocument: 'after' }),
    );
    if (record === null || record.owner === null) return undefined;
    return { name: record._id, owner: record.owner, fence: record.fence };
  }
}

function held({ name, owner, fence }: Lease): Filter<LeaseRecord> {
  return { _id: name, owner, fence };
}
