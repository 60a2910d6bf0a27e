import type { Clock } from '#kernel/clock.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { CollectionCatalogue } from './collection-catalogue.js';
import type { DocumentWriter } from './document-writer.js';
import type { EmbeddedDatabase } from '../database/embedded-database.js';
import { afterAll, type ByteString, numberBytes } from '../database/key-encoding.js';
import type { WriteGroup } from '../database/group-commit.js';

const intervalMilliseconds = 60_000;
/** Entries that are removed in one commit, so that other writes do not wait long. */
const chunk = 500;

/** Removes up to `limit` entries that belong to a key. Returns their number; the key is done if it is below the limit. */
type Removal = (group: WriteGroup, key: ByteString, limit: number) => number;

/** Once a minute removes expired documents and the entries of indexes that are no longer declared. */
export class Housekeeping {
  readonly #round: RepeatedWork;
  /** Table and key of entries whose removal failed. Each is reported once and then skipped. */
  readonly #faulty = new Set<string>();

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly catalogue: CollectionCatalogue,
    private readonly writer: DocumentWriter,
    private readonly clock: Clock,
  ) {
    const failed = (error: unknown) => database.reportFault(error);
    this.#round = new RepeatedWork({ clock, interval: intervalMilliseconds, failed }, () => this.#run());
  }

  start(): void {
    this.#round.start();
  }

  stop(): Promise<void> {
    return this.#round.stop();
  }

  async #run(): Promise<void> {
    const now = this.clock.now();
    await this.#removeAll('expiry', numberBytes(now) + afterAll, (group, key) =>
      this.#removeExpired(group, key, now),
    );
    await this.#removeAll('garbage', afterAll, (group, prefix, limit) =>
      this.#removeEntries(group, prefix, limit),
    );
  }

  /** Never throws, because nobody waits for it. After a failure at a key it goes on without that key. */
  async #removeAll(name: 'expiry' | 'garbage', end: ByteString, remove: Removal): Promise<void> {
    const table = this.database.table(name);
    let removed = chunk;
    while (removed === chunk && !this.#round.isOver) {
      let currentKey: ByteString | undefined;
      try {
        removed = await this.database.enqueue((group) => {
          currentKey = undefined;
          let count = 0;
          for (const key of table.keys({ start: '\0', end })) {
            if (this.#faulty.has(`${name} ${key}`)) continue;
            currentKey = key;
            count += remove(group, key, chunk - count);
            if (count >= chunk) break;
            group.remove(table, key);
          }
          return count;
        });
      } catch (error) {
        // The disk is full or the store closes: the next run tries again.
        if (error instanceof StoreUnavailableError) return;
        this.database.reportFault(error);
        if (currentKey === undefined) return;
        this.#faulty.add(`${name} ${currentKey}`);
      }
    }
  }

  #removeExpired(group: WriteGroup, key: ByteString, now: number): number {
    const documentKey = key.slice(8);
    const state = this.catalogue.byDocumentKey(documentKey);
    if (state !== undefined) this.writer.removeExpired(group, state, documentKey.slice(6), now);
    return 1;
  }

  #removeEntries(group: WriteGroup, prefix: ByteString, limit: number): number {
    const indexes = this.database.table('indexes');
    let count = 0;
    for (const key of indexes.keys({ start: prefix, end: prefix + afterAll, limit })) {
      group.remove(indexes, key);
      count += 1;
    }
    return count;
  }
}
