import type { Clock } from '../../config/clock.js';
import { RepeatedWork } from '../../config/repeated-work.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type { CollectionCatalogue } from './collection-catalogue.js';
import type { DocumentWriter } from './document-writer.js';
import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import { afterAll, type ByteString, numberBytes } from '../../storage/key-encoding.js';
import type { WriteGroup } from '../../storage/group-commit.js';

const intervalMilliseconds = 60_000;
/** Entries that are removed in one commit, so that other writes do not wait long. */
const chunk = 500;

/** Removes up to a chunk of entries and returns their number. Calls `begin` with each key before it removes it. */
type Removal = (group: WriteGroup, begin: (key: string) => void) => number;

/** Once a minute removes expired documents and the entries of indexes that are no longer declared. */
export class Housekeeping {
  private readonly round: RepeatedWork;
  /** Table and key of entries whose removal failed. Each is reported once and then skipped. */
  private readonly faulty = new Set<string>();

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly catalogue: CollectionCatalogue,
    private readonly writer: DocumentWriter,
    private readonly clock: Clock,
  ) {
    const failed = (error: unknown) => database.reportFault(error);
    this.round = new RepeatedWork({ clock, interval: intervalMilliseconds, failed }, () => this.run());
  }

  start(): void {
    this.round.start();
  }

  stop(): Promise<void> {
    return this.round.stop();
  }

  private async run(): Promise<void> {
    await this.repeat((group, begin) => this.removeExpired(group, begin));
    await this.repeat((group, begin) => this.removeGarbage(group, begin));
  }

  /** Never throws, because nobody waits for it. After a failure at a key it goes on without that key. */
  private async repeat(removal: Removal): Promise<void> {
    let removed = chunk;
    while (removed === chunk && !this.round.isOver) {
      let begun: string | undefined;
      try {
        removed = await this.database.enqueue((group) => {
          begun = undefined;
          return removal(group, (key) => (begun = key));
        });
      } catch (error) {
        // The disk is full or the store closes: the next run tries again.
        if (error instanceof StoreUnavailableError) return;
        this.database.reportFault(error);
        if (begun === undefined) return;
        this.faulty.add(begun);
      }
    }
  }

  private removeExpired(group: WriteGroup, begin: (key: string) => void): number {
    const now = this.clock.now();
    const expiry = this.database.table('expiry');
    let count = 0;
    for (const key of expiry.keys({ start: '\0', end: numberBytes(now) + afterAll })) {
      if (this.faulty.has(`expiry ${key}`)) continue;
      begin(`expiry ${key}`);
      const documentKey = key.slice(8);
      const state = this.catalogue.byDocumentKey(documentKey);
      if (state !== undefined) this.writer.removeExpired(group, state, documentKey.slice(6), now);
      group.remove(expiry, key);
      count += 1;
      if (count === chunk) break;
    }
    return count;
  }

  private removeGarbage(group: WriteGroup, begin: (key: string) => void): number {
    const garbage = this.database.table('garbage');
    let count = 0;
    for (const key of garbage.keys({ start: '\0', end: afterAll })) {
      if (this.faulty.has(`garbage ${key}`)) continue;
      begin(`garbage ${key}`);
      count += this.removeEntries(group, key, chunk - count);
      if (count >= chunk) break;
      group.remove(garbage, key);
    }
    return count;
  }

  private removeEntries(group: WriteGroup, prefix: ByteString, limit: number): number {
    const indexes = this.database.table('indexes');
    let count = 0;
    for (const key of indexes.keys({ start: prefix, end: prefix + afterAll, limit })) {
      group.remove(indexes, key);
      count += 1;
    }
    return count;
  }
}
