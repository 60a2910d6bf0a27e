import type { Clock } from '../../config/clock.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type { CollectionCatalogue } from './collection-catalogue.js';
import type { DocumentWriter } from './document-writer.js';
import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import { afterAll, type ByteString, numberBytes } from '../../storage/key-encoding.js';
import type { WriteGroup } from '../../storage/group-commit.js';

const sweepMilliseconds = 60_000;
/** Small enough to pass between other writes unnoticed. */
const chunk = 500;

/** Removes a chunk and returns how much; says at which key it is, so that one that fails is known. */
type Step = (group: WriteGroup, at: (place: string) => void) => number;

/** Removes expired documents and what indexes that were given up left, a little at a time. */
export class Housekeeping {
  private isStopped = false;
  private running: Promise<void> | undefined;
  private cancel: () => void = () => undefined;
  /** Keys of what could not be removed, by table: each is told of once and passed by from then on. */
  private readonly faulty = new Set<string>();

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly catalogue: CollectionCatalogue,
    private readonly writer: DocumentWriter,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.cancel = this.clock.after(sweepMilliseconds, () => {
      this.start();
      this.running ??= this.sweep().finally(() => (this.running = undefined));
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancel();
    await this.running;
  }

  private async sweep(): Promise<void> {
    await this.repeat((group, at) => this.removeExpired(group, at));
    await this.repeat((group, at) => this.removeGarbage(group, at));
  }

  /** Never throws: nobody waits for a sweep. A step that fails at a key is taken anew without that one. */
  private async repeat(step: Step): Promise<void> {
    let removed = chunk;
    while (removed === chunk && !this.isStopped) {
      let place: string | undefined;
      try {
        removed = await this.database.enqueue((group) => {
          place = undefined;
          return step(group, (key) => (place = key));
        });
      } catch (error) {
        // A full disk or a close: the next sweep tries again.
        if (error instanceof StoreUnavailableError) return;
        this.database.reportFault(error);
        if (place === undefined) return;
        this.faulty.add(place);
      }
    }
  }

  private removeExpired(group: WriteGroup, at: (place: string) => void): number {
    const now = this.clock.now();
    const expiry = this.database.table('expiry');
    let count = 0;
    for (const key of expiry.keys({ start: '\0', end: numberBytes(now) + afterAll })) {
      if (this.faulty.has(`expiry ${key}`)) continue;
      at(`expiry ${key}`);
      const documentKey = key.slice(8);
      const state = this.catalogue.byDocumentKey(documentKey);
      if (state !== undefined) this.writer.removeExpired(group, state, documentKey.slice(6), now);
      group.remove(expiry, key);
      count += 1;
      if (count === chunk) break;
    }
    return count;
  }

  private removeGarbage(group: WriteGroup, at: (place: string) => void): number {
    const garbage = this.database.table('garbage');
    let count = 0;
    for (const key of garbage.keys({ start: '\0', end: afterAll })) {
      if (this.faulty.has(`garbage ${key}`)) continue;
      at(`garbage ${key}`);
      const removed = this.removeEntries(group, key, chunk - count);
      count += removed;
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
