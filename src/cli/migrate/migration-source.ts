import { join } from 'node:path';
import type { Clock } from '#kernel/clock.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { CollectionCatalogue } from '#stores/embedded/documents/collection-catalogue.js';
import { DocumentWriter } from '#stores/embedded/documents/document-writer.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { WriterLock } from '#stores/embedded/database/writer-lock.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { OwnStreams } from '#eventsourcing/log/own-streams.js';
import { SoundStreams } from '#eventsourcing/log/sound-streams.js';
import { everyDocument } from '#eventsourcing/documents/pages.js';
import { assertStreamPrefix } from '#eventsourcing/documents/stream-prefix-record.js';
import { STORE_FOLDER } from '#app/adapters.js';

const PAGE = 500;

/** The embedded log and records, open for reading. It holds the writer's lock, so that nobody else writes. */
export class MigrationSource {
  readonly log: EventStore;
  readonly records: DocumentStore;
  readonly #catalogue: CollectionCatalogue;

  private constructor(
    database: EmbeddedDatabase,
    prefix: string,
    private readonly lock: WriterLock,
    clock: Clock,
  ) {
    const log = new OwnStreams(new EmbeddedEventStore(database), prefix);
    this.log = new SoundStreams(log, new DamagedStreams());
    this.records = new EmbeddedDocumentStore(database, clock);
    this.#catalogue = new CollectionCatalogue(database, new DocumentWriter(database));
  }

  /**
   * @throws EmbeddedStoreLockedError while the service runs: what it wrote from now on would be missing in the copy
   * @throws StoreUnavailableError if the folder holds no store
   * @throws OtherStreamPrefixError if its events have another prefix
   */
  static async open(data_dir: string, prefix: string, clock: Clock): Promise<MigrationSource> {
    const folder = join(data_dir, STORE_FOLDER);
    const database = await openEmbeddedDatabase({ folder, durable: false, clock, readOnly: true });
    let source: MigrationSource | undefined;
    try {
      source = new MigrationSource(database, prefix, await WriterLock.acquire(folder), clock);
      await assertStreamPrefix(source.records, prefix);
      return source;
    } catch (error) {
      await (source ?? database).close();
      throw error;
    }
  }

  collections(): CollectionDeclaration[] {
    return this.#catalogue.declarations();
  }

  /** The documents of a collection that have not expired, a page at a time. */
  async *documents(declaration: CollectionDeclaration): AsyncGenerator<StoredDocument[]> {
    yield* everyDocument(await this.records.collection(declaration), PAGE);
  }

  async close(): Promise<void> {
    await this.records.close();
    await this.log.close();
    this.lock.release();
  }
}
