import type { Clock } from '../../config/clock.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  Lease,
  StoredDocument,
  WriteOutcome,
} from '../document-store.js';
import { CollectionCatalogue } from './collection-catalogue.js';
import { type CollectionState, demandSoundDeclaration } from './collection-state.js';
import { DocumentWriter, prepareWrite } from './document-writer.js';
import { EmbeddedCollection } from './embedded-collection.js';
import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import { Housekeeping } from './housekeeping.js';
import { Leases } from './leases.js';

interface Opened {
  readonly declaration: CollectionDeclaration;
  readonly collection: Collection<StoredDocument>;
}

/** The document store port on an embedded database, which closes when the last store upon it does. */
export class EmbeddedDocumentStore implements DocumentStore {
  private readonly writer: DocumentWriter;
  private readonly catalogue: CollectionCatalogue;
  private readonly leases: Leases;
  private readonly housekeeping: Housekeeping;
  /** By name: the declaration that stands, and what was opened by it. */
  private readonly opened = new Map<string, Opened>();
  /** Declarations follow one another: two at once for one collection would both create it. */
  private declaring: Promise<unknown> = Promise.resolve();
  private closed: Promise<void> | undefined;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly clock: Clock,
  ) {
    database.retain();
    this.writer = new DocumentWriter(database);
    this.catalogue = new CollectionCatalogue(database, this.writer);
    this.leases = new Leases(database, () => clock.now());
    this.housekeeping = new Housekeeping(database, this.catalogue, this.writer, clock);
    if (!database.readOnly) this.housekeeping.start();
  }

  async collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    this.demandOpen();
    const opened = this.opened.get(declaration.name);
    // Every request asks, with the same object each time, and waits for nothing.
    if (opened?.declaration === declaration) return opened.collection as unknown as Collection<D>;
    demandSoundDeclaration(declaration);
    if (!this.database.readOnly) {
      const declared = this.declaring.then(() => this.catalogue.declare(declaration));
      this.declaring = declared.catch(() => undefined);
      await declared;
    }
    const collection = new EmbeddedCollection<D>(
      this.database,
      () => this.clock.now(),
      () => {
        this.demandOpen();
        return this.catalogue.state(declaration.name);
      },
    );
    this.opened.set(declaration.name, {
      declaration,
      collection: collection,
    });
    return collection;
  }

  async write(writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    this.demandOpen();
    if (writes.length === 0) return [];
    const prepared = writes.map((write) => prepareWrite(write, () => this.stateOf(write.collection)));
    return this.database.enqueue((group) => {
      const now = this.clock.now();
      return prepared.map((write) => this.writer.apply(group, write, now));
    });
  }

  async takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    this.demandOpen();
    return this.leases.take(name, owner, milliseconds);
  }

  async renewLease(lease: Lease): Promise<boolean> {
    this.demandOpen();
    return this.leases.renew(lease);
  }

  async releaseLease(lease: Lease): Promise<void> {
    this.demandOpen();
    await this.leases.release(lease);
  }

  // Async so that a throw is a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  async ping(): Promise<void> {
    this.demandOpen();
    this.database.ping();
  }

  /** Resolves when the file holds whatever has been written by now, for a store that writes behind. @throws StoreUnavailableError */
  flush(): Promise<void> {
    return this.database.flush();
  }

  close(): Promise<void> {
    this.closed ??= this.closeOnce();
    return this.closed;
  }

  private async closeOnce(): Promise<void> {
    await this.housekeeping.stop();
    await this.database.release();
  }

  private stateOf(name: string): CollectionState {
    const state = this.opened.has(name) ? this.catalogue.state(name) : undefined;
    if (state === undefined) throw new TypeError(`Collection ${name} was not declared.`);
    return state;
  }

  private demandOpen(): void {
    if (this.closed !== undefined)
      throw new StoreUnavailableError('The embedded document store is closed.', false);
  }
}
