import { isDeepStrictEqual } from 'node:util';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  Lease,
  StoredDocument,
  WriteOutcome,
} from '../documents/document-store.js';
import type { CheckedView } from '../writing/aggregate.js';
import { IdSet } from './id-set.js';

type Newer = Extract<DocumentWrite, { kind: 'put_if_newer' }>;
type Revised = Newer['document'];

const WRITTEN: WriteOutcome = { kind: 'written' };

/**
 * The store through which a rebuild lets the projectors write the views. Each document of a projector is compared with the
 * stored one. An equal document is kept. An older one is replaced. A wrong one is replaced by compare-and-set, so that a newer
 * write of the service is never undone.
 */
export class ReplacingStore implements DocumentStore {
  /** The number of documents that differed from the log. */
  repaired = 0;
  #isComparing = false;
  /** By the name of the collection. */
  readonly #shown = new Map<string, CheckedView>();
  readonly #confirmed = new IdSet();
  /** Stored documents with a higher revision than the projector's, in this attempt and in the one before. */
  #ahead = new Map<string, number>();
  #aheadBefore: ReadonlyMap<string, number> = new Map();
  /** For documents that several streams write: the newest document of the projectors, if another one is stored. */
  readonly #latest = new Map<string, Newer>();

  constructor(private readonly views: DocumentStore) {}

  /** Names the documents that the projectors write. */
  declare(documents: readonly CheckedView[]): void {
    for (const shown of documents) this.#shown.set(shown.collection.name, shown);
  }

  /**
   * Lets projectors write documents, and compares each with the stored one.
   * @param isFirst false if this repeats the last call with events that were read again
   * @returns false if a stored document is newer than the events: read them again and repeat
   */
  async compared(isFirst: boolean, project: () => Promise<void>): Promise<boolean> {
    this.#aheadBefore = isFirst ? new Map() : this.#ahead;
    this.#ahead = new Map();
    this.#isComparing = true;
    try {
      await project();
    } finally {
      this.#isComparing = false;
    }
    return this.#ahead.size === 0;
  }

  /** True if this rebuild has written the document or found it correct. */
  isConfirmed(collection: string, id: string): boolean {
    return this.#confirmed.has(keyOf(collection, id));
  }

  /** Deletes documents without an event in the log. If a projector has made another document for the id, it is written instead. */
  async remove(collection: string, found: readonly Revised[]): Promise<void> {
    await this.views.write(
      found.map(({ _id: id, revision: expected }): DocumentWrite => {
        const latest = this.#latest.get(keyOf(collection, id));
        return latest === undefined
          ? { kind: 'delete', collection, id, expected, field: 'revision' }
          : { ...latest, kind: 'compare_and_set', expected, field: 'revision' };
      }),
    );
    this.repaired += found.length;
  }

  async collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    const opened = await this.views.collection(declaration);
    if (!this.#isComparing || this.#shown.get(declaration.name)?.kind !== 'progress') return opened;
    // The projectors must apply all events again, so they find no progress.
    return {
      find: (...given) => opened.find(...given),
      findAny: (...given) => opened.findAny(...given),
      page: (...given) => opened.page(...given),
      get: () => Promise.resolve(undefined),
      getMany: (ids) => Promise.resolve(ids.map(() => undefined)),
    };
  }

  async write(writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    if (!this.#isComparing) return this.views.write(writes);
    const stored = await this.#storedOf(writes.filter((write) => write.kind === 'put_if_newer'));
    const decided = writes.map((write) =>
      write.kind === 'put_if_newer' ? this.#decide(write, stored.get(keyIn(write))) : write,
    );
    const sent = decided.filter((write) => write !== undefined);
    const outcomes = sent.length === 0 ? [] : await this.views.write(sent);
    let position = 0;
    return decided.map((write, index) => {
      if (write === undefined) return WRITTEN;
      const outcome = outcomes[position++]!;
      const asked = writes[index]!;
      return asked.kind === 'put_if_newer' ? this.#settle(asked, write, outcome) : outcome;
    });
  }

  /** The write that corrects the stored document. Undefined if it is correct, or if that is not known yet. */
  #decide(write: Newer, stored: Revised | undefined): DocumentWrite | undefined {
    const { document, collection } = write;
    const key = keyIn(write);
    if (stored === undefined || stored.revision < document.revision) return write;
    if (isSame(stored, document)) {
      this.#confirm(key);
      return undefined;
    }
    const { revision: expected } = stored;
    if (expected > document.revision) {
      if (this.#shown.get(collection)?.kind === 'latest') {
        this.#keepLatest(key, write);
        return undefined;
      }
      if (this.#aheadBefore.get(key) !== expected) {
        this.#ahead.set(key, expected);
        return undefined;
      }
    }
    return { kind: 'compare_and_set', collection, expected, field: 'revision', document };
  }

  #settle(asked: Newer, sent: DocumentWrite, outcome: WriteOutcome): WriteOutcome {
    const key = keyIn(asked);
    if (outcome.kind === 'written') {
      this.#confirm(key);
      if (sent.kind === 'compare_and_set') this.repaired += 1;
    } else if (this.#shown.get(asked.collection)?.kind === 'latest') this.#keepLatest(key, asked);
    // The service has written the document meanwhile.
    else this.#ahead.set(key, -1);
    return WRITTEN;
  }

  #confirm(key: string): void {
    this.#confirmed.add(key);
    this.#latest.delete(key);
  }

  #keepLatest(key: string, write: Newer): void {
    if (this.#confirmed.has(key)) return;
    const known = this.#latest.get(key)?.document.revision ?? -Infinity;
    if (write.document.revision > known) this.#latest.set(key, write);
  }

  async #storedOf(writes: readonly Newer[]): Promise<ReadonlyMap<string, Revised>> {
    const byCollection = new Map<string, string[]>();
    for (const { collection, document } of writes) {
      const ids = byCollection.get(collection);
      if (ids === undefined) byCollection.set(collection, [document._id]);
      else ids.push(document._id);
    }
    const found = new Map<string, Revised>();
    for (const [name, ids] of byCollection) {
      const documents = await (await this.views.collection<Revised>(this.#declared(name))).getMany(ids);
      for (const one of documents) if (one !== undefined) found.set(keyOf(name, one._id), one);
    }
    return found;
  }

  #declared(name: string): CollectionDeclaration<Revised> {
    const declared = this.#shown.get(name)?.collection;
    if (declared === undefined) throw new TypeError(`No projector says that it writes ${name}.`);
    return declared as unknown as CollectionDeclaration<Revised>;
  }

  takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    return this.views.takeLease(name, owner, milliseconds);
  }

  renewLease(lease: Lease): Promise<boolean> {
    return this.views.renewLease(lease);
  }

  releaseLease(lease: Lease): Promise<void> {
    return this.views.releaseLease(lease);
  }

  count(...given: Parameters<DocumentStore['count']>): ReturnType<DocumentStore['count']> {
    return this.views.count(...given);
  }

  ping(): Promise<void> {
    return this.views.ping();
  }

  /** Does nothing: the views stay open. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

function keyOf(collection: string, id: string): string {
  return `${collection} ${id}`;
}

function keyIn({ collection, document }: Newer): string {
  return keyOf(collection, document._id);
}

/** Compares documents as they are stored, without undefined fields. */
function isSame(stored: object, document: object): boolean {
  return isDeepStrictEqual(stored, document) || isDeepStrictEqual(plain(stored), plain(document));
}

function plain(document: object): unknown {
  return JSON.parse(JSON.stringify(document));
}
