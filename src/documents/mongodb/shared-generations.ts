import type { Clock } from '../../config/clock.js';
import { pause } from '../../config/pause.js';
import type { DocumentStore } from '../document-store.js';
import { ReplaceableDocumentStore } from '../replaceable-document-store.js';
import type { StoreReplacement } from '../replacement.js';
import type { MongoDbConnection } from './mongodb-connection.js';
import { MongoDbDocumentStore } from './mongodb-document-store.js';
import { MongoDbReplacement } from './mongodb-replacement.js';
import { KEPT, ViewsInUse, WAITED } from './views-in-use.js';
import { ViewsPointers } from './views-pointer.js';

interface Former {
  readonly number: number;
  readonly since: number;
}

/**
 * The views on MongoDB, of which there may be several generations, each with a prefix of its own before the names of its
 * collections; a pointer in the records says which one every process serves from.
 */
export class SharedGenerations {
  readonly views: ReplaceableDocumentStore;
  readonly replacement: StoreReplacement;
  /** What is about to take over, opened before it does. */
  #next: { readonly number: number; readonly store: MongoDbDocumentStore } | undefined;
  /** Since when this process has seen the generation in use. */
  #seen: Former;

  private constructor(
    private readonly connection: MongoDbConnection,
    private readonly clock: Clock,
    private readonly prefix: string,
    readonly records: DocumentStore,
    readonly inUse: ViewsInUse,
  ) {
    this.views = new ReplaceableDocumentStore(this.open(inUse.number), (call) => inUse.use(call));
    this.replacement = new MongoDbReplacement(inUse, (number) => this.open(number), clock, this.views);
    this.#seen = { number: inUse.number, since: performance.now() };
  }

  /** @param prefix of the names of all generations' collections @throws StoreUnavailableError */
  static async of(
    connection: MongoDbConnection,
    clock: Clock,
    prefix: string,
    records: DocumentStore,
  ): Promise<SharedGenerations> {
    const pointers = new ViewsPointers(records, clock);
    const { number } = await pointers.read();
    return new SharedGenerations(connection, clock, prefix, records, new ViewsInUse(pointers, number, clock));
  }

  /** Opens what another process is about to put in place. @throws StoreUnavailableError */
  async prepare(number: number): Promise<void> {
    if (this.#next?.number === number) return;
    await this.forget();
    this.#next = { number, store: this.open(number) };
    await this.views.prepare(this.#next.store);
  }

  /** What was prepared does not take over. */
  async forget(): Promise<void> {
    const next = this.#next;
    this.#next = undefined;
    await next?.store.close().catch(() => undefined);
  }

  /** Serves from another generation from here on; resolves when every process does. @throws StoreUnavailableError */
  async take(number: number): Promise<void> {
    await this.prepare(number);
    const { store } = this.#next!;
    this.#next = undefined;
    const closeFormer = await this.views.replace(store, () => Promise.resolve());
    this.inUse.number = number;
    void closeFormer().catch(() => undefined);
    await pause(this.clock, WAITED);
  }

  /** Removes generations that nobody can be reading any more. @throws StoreUnavailableError */
  async removeFormer(): Promise<void> {
    const { number } = this.inUse;
    // What is being built may be left over.
    if (this.#seen.number !== number || this.inUse.replacing)
      this.#seen = { number, since: performance.now() };
    if (performance.now() - this.#seen.since < KEPT) return;
    const database = this.connection.client.db(this.connection.database);
    const collections = await database.listCollections({}, { nameOnly: true }).toArray();
    for (const { name } of collections) {
      const other = new RegExp(`^${this.prefix}(\\d+)_`).exec(name)?.[1];
      if (other !== undefined && Number(other) !== number) await database.dropCollection(name);
    }
    this.#seen = { number, since: Infinity };
  }

  private open(number: number): MongoDbDocumentStore {
    const { clock, connection, prefix } = this;
    return new MongoDbDocumentStore(connection, {
      clock,
      prefix: `${prefix}${number}_`,
      leases: `${prefix}__leases`,
    });
  }
}
