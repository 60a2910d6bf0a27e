import { isDeepStrictEqual } from 'node:util';
import type { Collection as DriverCollection, Db } from 'mongodb';
import type { Clock } from '#kernel/clock.js';
import type { Logger } from '#kernel/logger.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  Lease,
  StoredDocument,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import type { CountedWindow } from '#eventsourcing/documents/counted-window.js';
import { BulkWriter } from './bulk-writer.js';
import { type BatchedCall, CallBatcher, companyIn, isLargeCall, type BatchedKind } from './call-batcher.js';
import { CollectionPlan, type StoredRecord } from './collection-plan.js';
import { sizeUpTo } from './document-size.js';
import { ensureIndexes } from './indexes.js';
import { type CounterRecord, Counters } from './counters.js';
import { MongodbLeases } from './leases.js';
import { MongoDbCollection } from './mongodb-collection.js';
import type { MongoDbConnection } from './mongodb-connection.js';
import type { CallDeadline } from './call-deadline.js';
import { RefusedCallError } from './mongodb-errors.js';
import { type PendingWrite, prepare } from './pending-write.js';

export interface MongoDbStoreOptions {
  /** Judges expiry. Leases are judged by the server's clock. */
  readonly clock: Clock;
  /** If absent: the database that the address names, or `storage_access`. */
  readonly database?: string | undefined;
  /** The beginning of all collection names, so that records and views can share a database. */
  readonly prefix?: string | undefined;
  /** True for views: the `compare_and_set` of several callers share a bulk. More of them then end as `unclear`. */
  readonly joinsReplacements?: boolean | undefined;
  /** Gets a warning for each interrupted write. */
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

/** The driver encodes a bulk at once, so a larger document is sent alone. */
const LARGE_BYTES = 65_536;

/** Writes of one call on one collection, each to a different document. */
type Wave = readonly PendingWrite[];

interface OpenCollection {
  readonly declaration: CollectionDeclaration;
  readonly plan: CollectionPlan;
  readonly driver: DriverCollection<StoredRecord>;
  readonly batcher: CallBatcher;
  /** One for all callers: only finds through the same object join. */
  readonly reads: MongoDbCollection<StoredDocument>;
  readonly writes: BatchedKind<Wave, void>;
  /** Settles when the indexes exist; undefined before the first use and after a failure. */
  ready: Promise<void> | undefined;
}

/** The document store port on MongoDB. It uses only commands that every server with MongoDB's protocol has. */
export class MongoDbDocumentStore implements DocumentStore {
  readonly #database: Db;
  readonly #prefix: string;
  readonly #leases: MongodbLeases;
  readonly #counters: Counters;
  readonly #collections = new Map<string, OpenCollection>();
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  /** A store on a shared connection, which closes together with its last store. */
  constructor(
    private readonly connection: MongoDbConnection,
    private readonly options: MongoDbStoreOptions,
  ) {
    connection.retain();
    this.#prefix = options.prefix ?? '';
    this.#database = connection.client.db(options.database ?? connection.database);
    this.#leases = new MongodbLeases(this.#database.collection(`${this.#prefix}__leases`));
    const counts = this.#database.collection<CounterRecord>(`${this.#prefix}__counters`);
    this.#counters = new Counters(counts, () => options.clock.now());
  }

  /** @throws IndexDiffersError if the database has a different index of the same name */
  async collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    const open = this.#opened(declaration);
    await this.#run((deadline) => this.#ready(open, deadline));
    return open.reads as unknown as MongoDbCollection<D>;
  }

  write(writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    return this.#run(async (deadline) => {
      const byCollection = new Map<OpenCollection, PendingWrite[]>();
      const prepared = writes.map((write) => {
        const collection = this.#declared(write.collection);
        const pending = prepare(collection.plan, write);
        const others = byCollection.get(collection);
        if (others === undefined) byCollection.set(collection, [pending]);
        else others.push(pending);
        return pending;
      });
      await this.#writeAll(byCollection, deadline);
      return prepared.map(({ outcome }) => outcome!);
    });
  }

  takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    return this.#run((deadline) => this.#leases.take(deadline, name, owner, milliseconds));
  }

  renewLease(lease: Lease): Promise<boolean> {
    return this.#run((deadline) => this.#leases.renew(deadline, lease));
  }

  releaseLease(lease: Lease): Promise<void> {
    return this.#run((deadline) => this.#leases.release(deadline, lease));
  }

  count(name: string, by: number, milliseconds: number): Promise<CountedWindow> {
    return this.#run((deadline) => this.#counters.count(deadline, name, by, milliseconds));
  }

  async ping(): Promise<void> {
    await this.#run((deadline) => deadline.call('read', () => this.#database.command({ ping: 1 })));
  }

  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.connection.release());
    return this.#closed;
  }

  /** Writes to one collection after the other. */
  async #writeAll(
    byCollection: ReadonlyMap<OpenCollection, PendingWrite[]>,
    deadline: CallDeadline,
  ): Promise<void> {
    let hasWritten = false;
    try {
      for (const [collection, pending] of byCollection) {
        await this.#ready(collection, deadline);
        for (const wave of wavesOf(pending)) {
          await collection.batcher.run(this.#batched(collection, wave), deadline);
          hasWritten = true;
        }
      }
    } catch (error) {
      // The failed write stored nothing, but an earlier write of this call did.
      if (!hasWritten || !(error instanceof StoreUnavailableError) || error.outcomeUnknown) throw error;
      throw new StoreUnavailableError(error.message, true);
    }
  }

  #batched(collection: OpenCollection, wave: readonly PendingWrite[]): BatchedCall<Wave, void> {
    const canJoin = ({ write }: PendingWrite): boolean =>
      write.kind !== 'delete' &&
      (write.kind !== 'compare_and_set' || this.options.joinsReplacements === true);
    const company = wave[0]!.record?.['company_id'];
    const sizes = wave.map(({ record }) => (record === undefined ? 0 : sizeUpTo(record, LARGE_BYTES)));
    const isLarge = isLargeCall(wave.length) || sizes.includes(LARGE_BYTES);
    return {
      lane: collection.writes,
      call: wave,
      company: typeof company === 'string' ? company : companyIn(wave[0]!.id),
      count: wave.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      writes: wave.map(({ id }) => id),
      isAlone: isLarge || !wave.every(canJoin),
    };
  }

  #writesOf(driver: DriverCollection<StoredRecord>, plan: CollectionPlan): BatchedKind<Wave, void> {
    const { clock, logger } = this.options;
    return {
      kind: 'write',
      send: async (waves, deadline) => {
        const open = waves.flat().filter(({ outcome }) => outcome === undefined);
        const isShared = waves.length > 1;
        const writer = new BulkWriter(driver, plan, () => clock.now(), deadline, logger);
        try {
          await writer.write(open, isShared);
        } catch (error) {
          if (!writer.hasWritten) throw error;
          for (const pending of open) pending.isUncertain = true;
          if (error instanceof RefusedCallError && isShared) throw error;
          throw error instanceof StoreUnavailableError
            ? new StoreUnavailableError(error.message, true)
            : error;
        }
        return [];
      },
    };
  }

  /** Features open their collections at every use. Only the first use asks the server for the indexes. */
  #opened(declaration: CollectionDeclaration): OpenCollection {
    const { name } = declaration;
    const known = this.#collections.get(name);
    const isKnown = known?.declaration === declaration || isDeepStrictEqual(known?.declaration, declaration);
    if (known !== undefined && isKnown) return known;
    const plan = new CollectionPlan(declaration);
    const driver = this.#database.collection<StoredRecord>(this.#prefix + name);
    const writes = this.#writesOf(driver, plan);
    const batcher = new CallBatcher();
    const reads = new MongoDbCollection(driver, plan, () => this.options.clock.now(), {
      run: (read) => this.#run(read),
      batcher,
      isLinearizable: this.connection.isLinearizable,
    });
    const open: OpenCollection = { declaration, plan, driver, batcher, reads, writes, ready: undefined };
    this.#collections.set(name, open);
    return open;
  }

  #ready(collection: OpenCollection, deadline: CallDeadline): Promise<void> {
    collection.ready ??= ensureIndexes(collection.driver, collection.plan, deadline).catch(
      (error: unknown) => {
        collection.ready = undefined;
        throw error;
      },
    );
    return collection.ready;
  }

  #declared(name: string): OpenCollection {
    const collection = this.#collections.get(name);
    if (collection === undefined) throw new TypeError(`Collection ${name} was not declared.`);
    return collection;
  }

  async #run<T>(task: (deadline: CallDeadline) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new StoreUnavailableError('The MongoDB store is closed.', false);
    const running = task(this.connection.callDeadline());
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

/** Splits writes so that the second write to a document is sent after the first one was answered. */
function wavesOf(writes: readonly PendingWrite[]): PendingWrite[][] {
  const seen = new Map<string, number>();
  const waves: PendingWrite[][] = [];
  for (const pending of writes) {
    const position = seen.get(pending.id) ?? 0;
    seen.set(pending.id, position + 1);
    (waves[position] ??= []).push(pending);
  }
  return waves;
}
