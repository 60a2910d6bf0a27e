import { isDeepStrictEqual } from 'node:util';
import type {
  Collection,
  CollectionDeclaration,
  DocumentWrite,
  StoredDocument,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import { LentViews } from './lent-views.js';

/** A document of the views that differs from what the log gives. */
export interface Difference {
  readonly collection: string;
  readonly id: string;
  /** As it is stored. Undefined if it is missing. */
  readonly stored: StoredDocument | undefined;
  /** As the log gives it. Undefined if no event gives such a document. */
  readonly right: StoredDocument | undefined;
}

/**
 * The stored views, under changes that are kept in memory and never written. A rebuild that runs on it shows which documents
 * it would change. Later changes of the service to these documents are hidden, so it is used for one pass only.
 */
export class UnwrittenViews extends LentViews {
  readonly #opened = new Map<string, Collection<StoredDocument>>();
  /** By collection and id. */
  readonly #changes = new Map<string, Map<string, Difference>>();
  /** The number of stored documents, by collection. */
  readonly #counts = new Map<string, number>();

  /** In the order in which they were found. */
  get differences(): Difference[] {
    const all = [...this.#changes.values()].flatMap((changes) => [...changes.values()]);
    return all.filter(({ stored, right }) => !sayTheSame(stored, right));
  }

  /** The number of stored documents in the collections that were read from end to end. */
  get documents(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    const { name } = declaration;
    const opened = await this.views.collection(declaration);
    this.#opened.set(name, opened);
    const shown = (id: string, stored: D | undefined) => this.#shown(name, id, stored) as D | undefined;
    const allShown = (documents: readonly D[]) =>
      documents.map((one) => shown(one._id, one)).filter((one) => one !== undefined);
    return {
      get: async (id) => shown(id, await opened.get(id)),
      getMany: async (ids, options) => {
        const stored = await opened.getMany(ids, options);
        return stored.map((one, index) => shown(ids[index]!, one));
      },
      find: async (...given) => {
        const page = await opened.find(...given);
        return { ...page, documents: allShown(page.documents) };
      },
      findAny: async (...given) => allShown(await opened.findAny(...given)),
      page: async (after, limit) => {
        const page = await opened.page(after, limit);
        this.#counts.set(name, (after === undefined ? 0 : this.#counts.get(name)!) + page.length);
        // An empty page would end the list, so a removed document stays in it.
        return page.map((one) => shown(one._id, one) ?? one);
      },
    };
  }

  #shown(collection: string, id: string, stored: StoredDocument | undefined): StoredDocument | undefined {
    const change = this.#changes.get(collection)?.get(id);
    return change === undefined ? stored : change.right;
  }

  async write(writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    const stored = await this.#storedOf(writes);
    return writes.map((write) => this.#apply(write, stored.get(keyOf(write))));
  }

  async #storedOf(writes: readonly DocumentWrite[]): Promise<ReadonlyMap<string, StoredDocument>> {
    const found = new Map<string, StoredDocument>();
    for (const name of new Set(writes.map(({ collection }) => collection))) {
      const ids = writes.filter(({ collection }) => collection === name).map(idOf);
      for (const document of await this.#openedAs(name).getMany(ids))
        if (document !== undefined) found.set(`${name} ${document._id}`, document);
    }
    return found;
  }

  #openedAs(name: string): Collection<StoredDocument> {
    const opened = this.#opened.get(name);
    if (opened === undefined) throw new TypeError(`Collection ${name} was not declared.`);
    return opened;
  }

  #apply(write: DocumentWrite, stored: StoredDocument | undefined): WriteOutcome {
    const shown = this.#shown(write.collection, idOf(write), stored);
    switch (write.kind) {
      case 'put_if_newer':
        if (revisionOf(shown) >= write.document.revision) return { kind: 'not_newer' };
        return this.#keep(write, stored, write.document);
      case 'compare_and_set':
        if (numberIn(shown, write.field) !== (write.expected ?? undefined))
          return { kind: 'version_conflict' };
        return this.#keep(write, stored, write.document);
      case 'delete': {
        const isExpected = write.expected === undefined || numberIn(shown, write.field) === write.expected;
        if (shown !== undefined && !isExpected) return { kind: 'version_conflict' };
        return this.#keep(write, stored, undefined);
      }
      default:
        throw new TypeError(`A rebuild writes no document by ${write.kind}.`);
    }
  }

  #keep(
    write: DocumentWrite,
    stored: StoredDocument | undefined,
    right: StoredDocument | undefined,
  ): WriteOutcome {
    const { collection } = write;
    const id = idOf(write);
    const changes = this.#changes.get(collection) ?? new Map<string, Difference>();
    this.#changes.set(collection, changes);
    changes.set(id, { collection, id, stored, right });
    return { kind: 'written' };
  }
}

function idOf(write: DocumentWrite): string {
  return write.kind === 'delete' ? write.id : write.document._id;
}

function keyOf(write: DocumentWrite): string {
  return `${write.collection} ${idOf(write)}`;
}

function numberIn(
  document: StoredDocument | undefined,
  field: 'version' | 'revision' = 'version',
): number | undefined {
  return (document as { readonly version?: number; readonly revision?: number } | undefined)?.[field];
}

function revisionOf(document: StoredDocument | undefined): number {
  return numberIn(document, 'revision') ?? -Infinity;
}

/** Whether two documents say the same. The version only counts how often a document was written. */
export function sayTheSame(stored: StoredDocument | undefined, right: StoredDocument | undefined): boolean {
  return isDeepStrictEqual(comparable(stored), comparable(right));
}

function comparable(document: StoredDocument | undefined): unknown {
  return document === undefined ? undefined : JSON.parse(JSON.stringify({ ...document, version: 0 }));
}
