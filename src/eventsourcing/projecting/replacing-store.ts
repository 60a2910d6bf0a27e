import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type {
  Collection,
  CollectionDeclaration,
  DocumentWrite,
  StoredDocument,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import type { CheckedView } from '#eventsourcing/writing/projector.js';
import { LentViews } from './lent-views.js';

type Newer = Extract<DocumentWrite, { kind: 'put_if_newer' }>;
type Revised = Newer['document'];

const WRITTEN: WriteOutcome = { kind: 'written' };

/** What the stored document is to the one that a projector has made. */
type Comparison = 'missing' | 'behind' | 'right' | 'wrong' | 'ahead';

/** Why an attempt could not settle a document of a stream: the events must be read again. */
type Unsettled = { readonly stream: string } & (
  | {
      /** The events that were read do not explain the revision that is stored. */
      readonly kind: 'ahead';
      readonly stored_revision: number;
    }
  /** The service wrote the document after it was compared. */
  | { readonly kind: 'overtaken' }
);

type UnsettledDocuments = ReadonlyMap<string, Unsettled>;

/**
 * One attempt to compare documents with the events that were just read. A stored document that is ahead takes two attempts:
 *
 * 1. The fill reads a unit's events up to revision 5. A document of revision 6 is stored. Perhaps a request has appended event
 *    6 meanwhile, and its document is right. Perhaps there is no event 6, and the document is wrong. So it is left alone.
 * 2. The fill reads the events again. With event 6, the projector makes the document that is stored. Without it, and with
 *    revision 6 still stored, no event explains the document: it is replaced. With revision 7 stored, a request may have
 *    written again: the next attempt decides.
 */
interface Attempt {
  /** From the attempt before, with older events. */
  readonly unsettledBefore: UnsettledDocuments;
  readonly unsettled: Map<string, Unsettled>;
}

/**
 * The store through which a rebuild lets the projectors write the views. Each document of a projector is compared with the
 * stored one. An equal document is kept. An older one is replaced. A wrong one is replaced by compare-and-set, so that a newer
 * write of the service is never undone.
 */
export class ReplacingStore extends LentViews {
  #behind = 0;
  #wrong = 0;
  /** By the name of the collection. */
  readonly #shown = new Map<string, CheckedView>();
  /** Keys of the documents that this rebuild has written or found right. */
  readonly #confirmed = new Set<string>();
  /** Undefined while no projectors are compared: writes go to the views as they are. */
  #attempt: Attempt | undefined;
  #unsettledInLastAttempt: UnsettledDocuments = new Map();
  /** For documents that several streams write: the newest one that a projector has made, while a stored one is ahead of it. */
  readonly #newestBehindStored = new Map<string, Newer>();

  /** Stored documents that were replaced or removed. One that was behind counts: it may have been wrong, too. */
  get repaired(): number {
    return this.#behind + this.#wrong;
  }

  /** Those of them that contradicted the log. A request may have read one just before. */
  get wrong(): number {
    return this.#wrong;
  }

  /** Names the documents that the projectors write. */
  declare(documents: readonly CheckedView[]): void {
    for (const shown of documents) this.#shown.set(shown.collection.name, shown);
  }

  /**
   * Lets projectors write documents, and compares each with the stored one.
   * @returns the streams of stored documents that are newer than the events. The next call must repeat these streams, with
   * events that were read again
   */
  async compared(project: () => Promise<void>): Promise<string[]> {
    assert(this.#attempt === undefined, 'Attempts follow each other.');
    const attempt: Attempt = { unsettledBefore: this.#unsettledInLastAttempt, unsettled: new Map() };
    this.#attempt = attempt;
    try {
      await project();
    } finally {
      this.#attempt = undefined;
      this.#unsettledInLastAttempt = attempt.unsettled;
    }
    return [...new Set([...attempt.unsettled.values()].map(({ stream }) => stream))];
  }

  /** True if this rebuild has written the document or found it correct. */
  isConfirmed(collection: string, id: string): boolean {
    return this.#confirmed.has(keyOf(collection, id));
  }

  /** Deletes documents without an event in the log. If a projector has made another document for the id, it is written instead. */
  async remove(collection: string, found: readonly Revised[]): Promise<void> {
    await this.views.write(
      found.map(({ _id: id, revision: expected }): DocumentWrite => {
        const newest = this.#newestBehindStored.get(keyOf(collection, id));
        return newest === undefined
          ? { kind: 'delete', collection, id, expected, field: 'revision' }
          : { ...newest, kind: 'compare_and_set', expected, field: 'revision' };
      }),
    );
    this.#wrong += found.length;
  }

  async collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    const opened = await this.views.collection(declaration);
    if (this.#attempt === undefined || this.#kindOf(declaration.name) !== 'progress') return opened;
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
    const attempt = this.#attempt;
    if (attempt === undefined) return this.views.write(writes);
    const stored = await this.#storedOf(writes.filter((write) => write.kind === 'put_if_newer'));
    const plans = writes.map((asked) => ({
      asked,
      correction:
        asked.kind === 'put_if_newer' ? this.#correct(asked, stored.get(keyIn(asked)), attempt) : asked,
    }));
    const corrections = plans.flatMap(({ correction }) => correction ?? []);
    const outcomes = corrections.length === 0 ? [] : await this.views.write(corrections);
    assert.equal(outcomes.length, corrections.length, 'Each write has an outcome.');
    const outcomeOf = new Map(corrections.map((correction, index) => [correction, outcomes[index]!]));
    return plans.map(({ asked, correction }) => {
      if (correction === undefined) return WRITTEN;
      const outcome = outcomeOf.get(correction)!;
      if (asked.kind !== 'put_if_newer') return outcome;
      this.#settle(asked, correction, outcome, attempt);
      return WRITTEN;
    });
  }

  /** The write that corrects the stored document. Undefined if it is right, or if that is not known yet. */
  #correct(write: Newer, stored: Revised | undefined, attempt: Attempt): DocumentWrite | undefined {
    const key = keyIn(write);
    switch (compare(stored, write.document)) {
      case 'missing':
        return write;
      case 'behind':
        this.#behind += 1;
        return write;
      case 'right':
        this.#confirm(key);
        return undefined;
      case 'wrong':
        return replacement(write, stored!);
      case 'ahead':
        return this.#correctAhead(write, stored!, attempt);
    }
  }

  #correctAhead(write: Newer, stored: Revised, attempt: Attempt): DocumentWrite | undefined {
    const key = keyIn(write);
    if (this.#kindOf(write.collection) === 'latest') {
      this.#keepNewest(key, write);
      return undefined;
    }
    const before = attempt.unsettledBefore.get(key);
    if (before?.kind === 'ahead' && before.stored_revision === stored.revision)
      return replacement(write, stored);
    const stream = this.#streamOf(write);
    attempt.unsettled.set(key, { kind: 'ahead', stream, stored_revision: stored.revision });
    return undefined;
  }

  #settle(asked: Newer, correction: DocumentWrite, outcome: WriteOutcome, attempt: Attempt): void {
    const key = keyIn(asked);
    if (outcome.kind === 'written') {
      this.#confirm(key);
      if (correction.kind === 'compare_and_set') this.#wrong += 1;
    } else if (this.#kindOf(asked.collection) === 'latest') this.#keepNewest(key, asked);
    else attempt.unsettled.set(key, { kind: 'overtaken', stream: this.#streamOf(asked) });
  }

  #confirm(key: string): void {
    this.#confirmed.add(key);
    this.#newestBehindStored.delete(key);
  }

  #keepNewest(key: string, write: Newer): void {
    if (this.#confirmed.has(key)) return;
    const known = this.#newestBehindStored.get(key);
    if (known === undefined || write.document.revision > known.document.revision)
      this.#newestBehindStored.set(key, write);
  }

  #kindOf(collection: string): CheckedView['kind'] {
    return this.#shown.get(collection)?.kind;
  }

  #streamOf({ collection, document }: Newer): string {
    return this.#declaredView(collection).streamOf(document);
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
    return this.#declaredView(name).collection as unknown as CollectionDeclaration<Revised>;
  }

  #declaredView(name: string): CheckedView {
    const shown = this.#shown.get(name);
    if (shown === undefined) throw new TypeError(`No projector says that it writes ${name}.`);
    return shown;
  }
}

function keyOf(collection: string, id: string): string {
  return `${collection} ${id}`;
}

function keyIn({ collection, document }: Newer): string {
  return keyOf(collection, document._id);
}

function compare(stored: Revised | undefined, document: Revised): Comparison {
  if (stored === undefined) return 'missing';
  if (stored.revision < document.revision) return 'behind';
  if (stored.revision > document.revision) return 'ahead';
  // A stored document without a revision is wrong, too.
  return isSame(stored, document) ? 'right' : 'wrong';
}

/** Replaces the stored document, unless the service has written it meanwhile. */
function replacement({ collection, document }: Newer, { revision: expected }: Revised): DocumentWrite {
  return { kind: 'compare_and_set', collection, expected, field: 'revision', document };
}

/** Compares documents as they are stored, without undefined fields. */
function isSame(stored: object, document: object): boolean {
  return isDeepStrictEqual(stored, document) || isDeepStrictEqual(plain(stored), plain(document));
}

function plain(document: object): unknown {
  return JSON.parse(JSON.stringify(document));
}
