import type { Collection } from 'mongodb';
import { countedWindow, type CountedWindow } from '#eventsourcing/documents/counted-window.js';
import { CallBatcher, type BatchedKind } from './call-batcher.js';
import type { CallDeadline } from './call-deadline.js';
import { ensurePlanned, removalDelaySeconds } from './indexes.js';
import { mongodbCode, isDuplicateKey } from './mongodb-errors.js';

export interface CounterRecord {
  _id: string;
  count: number;
  /** A Date for the TTL index. */
  ends_at: Date;
}

interface Counting {
  readonly by: number;
  readonly milliseconds: number;
}

/** The counts of one name, which are sent as sums. */
interface SummedCounts {
  readonly batcher: CallBatcher;
  readonly lane: BatchedKind<Counting, CountedWindow>;
  waiting: number;
}

const indexes = [{ name: 'by_end', key: { ends_at: 1 }, expireAfterSeconds: removalDelaySeconds }];

/** The port's `count`: one `$inc` for all counts of one name that wait together. */
export class Counters {
  readonly #summed = new Map<string, SummedCounts>();
  #ready: Promise<void> | undefined;

  constructor(
    private readonly collection: Collection<CounterRecord>,
    private readonly now: () => number,
  ) {}

  async count(
    deadline: CallDeadline,
    name: string,
    by: number,
    milliseconds: number,
  ): Promise<CountedWindow> {
    await this.#prepare(deadline);
    if (by <= 0) return this.#takeBack(deadline, name, { by, milliseconds });
    let summed = this.#summed.get(name);
    if (summed === undefined) this.#summed.set(name, (summed = this.#summedBy(name)));
    const { batcher, lane } = summed;
    const call = { lane, call: { by, milliseconds }, company: name, count: 1, bytes: 0, writes: [] };
    summed.waiting += 1;
    try {
      return await batcher.run({ ...call, isAlone: false }, deadline);
    } finally {
      summed.waiting -= 1;
      if (summed.waiting === 0) this.#summed.delete(name);
    }
  }

  #prepare(deadline: CallDeadline): Promise<void> {
    this.#ready ??= ensurePlanned(this.collection, indexes, deadline).catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  #summedBy(name: string): SummedCounts {
    const send = async (calls: readonly Counting[], deadline: CallDeadline) => {
      const total = calls.reduce((sum, { by }) => sum + by, 0);
      const { count, ends_at } = await this.#add(deadline, name, { ...calls[0]!, by: total });
      let counted = count - total;
      return calls.map(({ by }) => ({ count: (counted += by), ends_at }));
    };
    return { batcher: new CallBatcher(), lane: { kind: 'write', send }, waiting: 0 };
  }

  async #add(deadline: CallDeadline, _id: string, { by, milliseconds }: Counting): Promise<CountedWindow> {
    for (;;) {
      const now = this.now();
      const ends_at = new Date(now + milliseconds);
      const added = await deadline.call('write', async () => {
        try {
          return await this.collection.findOneAndUpdate(
            { _id, ends_at: { $gt: new Date(now) } },
            { $inc: { count: by }, $setOnInsert: { ends_at } },
            { upsert: true, returnDocument: 'after' },
          );
        } catch (error) {
          // The stored window has ended, or another process opened one at the same instant.
          if (isDuplicateKey(mongodbCode(error))) return null;
          throw error;
        }
      });
      if (added !== null) return windowOf(added);
      const opened = await deadline.call('write', () =>
        this.collection.findOneAndUpdate(
          { _id, ends_at: { $lte: new Date(now) } },
          { $set: { count: by, ends_at } },
          { returnDocument: 'after' },
        ),
      );
      if (opened !== null) return windowOf(opened);
      if (deadline.isOver) throw deadline.passedError(false);
    }
  }

  /** Subtracts from an open window, or only reads it. */
  async #takeBack(
    deadline: CallDeadline,
    _id: string,
    { by, milliseconds }: Counting,
  ): Promise<CountedWindow> {
    const now = this.now();
    if (by < 0) {
      const filter = { _id, ends_at: { $gt: new Date(now) }, count: { $gte: -by } };
      await deadline.call('write', () => this.collection.updateOne(filter, { $inc: { count: by } }));
    }
    const stored = await deadline.call('read', () => this.collection.findOne({ _id }));
    return countedWindow(stored === null ? undefined : windowOf(stored), 0, now, milliseconds);
  }
}

function windowOf({ count, ends_at }: CounterRecord): CountedWindow {
  return { count, ends_at: ends_at.getTime() };
}
