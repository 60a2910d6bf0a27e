import { join } from 'node:path';
import type { Clock } from '../../config/clock.js';
import type { CollectionDeclaration, StoredDocument } from '../../documents/document-store.js';
import { CollectionCatalogue } from '../../documents/embedded/collection-catalogue.js';
import { DocumentWriter } from '../../documents/embedded/document-writer.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../storage/embedded-database.js';
import { WriterLock } from '../../storage/writer-lock.js';
import { EmbeddedEventStore } from '../../log/embedded/embedded-event-store.js';
import type { EventStore } from '../../log/event-store.js';
import { STORE_FOLDER } from '../../adapters.js';

const PAGE = 500;

/** The embedded log and records, open for reading, with the right to write them held so that nobody else does. */
export class MigrationSource {
  readonly log: EventStore;
  readonly #catalogue: CollectionCatalogue;

  private constructor(
    database: EmbeddedDatabase,
    private readonly lock: WriterLock,
    private readonly clock: Clock,
  ) {
    this.log = new EmbeddedEventStore(database);
    this.#catalogue = new CollectionCatalogue(database, new DocumentWriter(database));
  }

  /**
   * @throws EmbeddedStoreLockedError while the service runs: what it wrote from now on would be missing in the copy
   * @throws StoreUnavailableError where the folder holds no store
   */
  static async open(data_dir: string, clock: Clock): Promise<MigrationSource> {
    const folder = join(data_dir, STORE_FOLDER);
    const database = await openEmbeddedDatabase({ folder, durable: false, clock, readOnly: true });
    try {
      return new MigrationSource(database, await WriterLock.acquire(folder), clock);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  collections(): CollectionDeclaration[] {
    return this.#catalogue.declarations();
  }

  /** The documents of a collection that have not expired, a page at a time. */
  *documents(name: string): Generator<StoredDocument[]> {
    let after: string | undefined;
    do {
      const page = this.#catalogue.page(name, { after, limit: PAGE, now: this.clock.now() });
      if (page.documents.length > 0) yield page.documents;
      after = page.next;
    } while (after !== undefined);
  }

  async close(): Promise<void> {
    await this.log.close();
    this.lock.release();
  }
}
