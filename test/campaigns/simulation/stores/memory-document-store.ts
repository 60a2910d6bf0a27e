import { type CountedWindow, countedWindow } from '#eventsourcing/documents/counted-window.js';
import type { Clock } from '#kernel/clock.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  FindOptions,
  IndexValue,
  Lease,
  DocumentPage,
  StoredDocument,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { frozenCopy } from './frozen.js';
import { demandIndexable, demandSoundId, findPage, keysOf, matchesAny, type Stored } from './memory-index.js';

interface MemoryCollection {
  declaration: CollectionDeclaration;
  readonly documents: Map<string, Stored>;
}

interface LeaseState {
  readonly owner: string | null;
  readonly fence: number;
  readonly renewed_at: number;
}

/** Data that outlive every process. */
export class DocumentData {
  readonly collections = new Map<string, MemoryCollection>();
  readonly leases = new Map<string, LeaseState>();
  readonly counts = new Map<string, CountedWindow>();

  /** The data as they are now; what is written later is not in it. */
  copy(): DocumentData {
    const copy = new DocumentData();
    for (const [name, { declaration, documents }] of this.collections) {
      copy.collections.set(name, { declaration, documents: new Map(documents) });
    }
    for (const [name, lease] of this.leases) copy.leases.set(name, lease);
    for (const [name, window] of this.counts) copy.counts.set(name, window);
    return copy;
  }
}

/** The document store port in memory. Everything is decided in one synchronous step, so that a caller may choose when. */
export class MemoryDocumentStore implements DocumentStore {
  private closed = false;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    public data = new DocumentData(),
  ) {}

  collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    return this.answer(() => {
      this.declareNow(declaration);
      const { name } = declaration;
      return {
        get: (id) => this.answer(() => structuredClone(this.getNow(name, [id])[0]) as D | undefined),
        getMany: (ids) => this.answer(() => structuredClone(this.getNow(name, ids)) as (D | undefined)[]),
        find: (index, options) =>
          this.answer(
            () => structuredClone(this.findNow(name, index, options)) as unknown as DocumentPage<D>,
          ),
        findAny: (index, values) =>
          this.answer(() => structuredClone(this.findAnyNow(name, index, values)) as unknown as D[]),
        page: (after, limit) =>
          this.answer(() => structuredClone(this.pageNow(name, after, limit)) as unknown as D[]),
      };
    });
  }

  write(writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    return this.answer(() => this.writeNow(writes));
  }

  count(name: string, by: number, milliseconds: number): Promise<CountedWindow> {
    return this.answer(() => {
      const { counts } = this.data;
      const window = countedWindow(counts.get(name), by, this.clock.now(), milliseconds);
      if (by > 0 || counts.has(name)) counts.set(name, window);
      return window;
    });
  }

  takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    return this.answer(() => this.takeLeaseNow(name, owner, milliseconds));
  }

  renewLease(lease: Lease): Promise<boolean> {
    return this.answer(() => this.changeLeaseNow(lease, lease.owner));
  }

  releaseLease(lease: Lease): Promise<void> {
    return this.answer(() => void this.changeLeaseNow(lease, null));
  }

  drop(collection: string): Promise<void> {
    return this.answer(() => void this.data.collections.delete(collection));
  }

  ping(): Promise<void> {
    return this.answer(() => undefined);
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  declareNow(declaration: CollectionDeclaration): void {
    const known = this.data.collections.get(declaration.name);
    if (known === undefined) {
      this.data.collections.set(declaration.name, { declaration, documents: new Map() });
    } else {
      // Another process may go on with this collection: indexes are only ever added.
      const indexes = { ...known.declaration.indexes, ...declaration.indexes };
      known.declaration = { ...declaration, indexes };
    }
  }

  /** What the methods for one turn answer is frozen, and handed to everybody as it is. */
  getNow(name: string, ids: readonly string[]): (Stored | undefined)[] {
    const collection = this.data.collections.get(name);
    return ids.map((id) => collection && this.alive(collection, id));
  }

  findNow(name: string, index: string, options: FindOptions): DocumentPage<Stored> {
    const collection = this.data.collections.get(name);
    const declared = this.indexOf(collection, name, index);
    const documents = collection === undefined ? [] : this.living(collection);
    return findPage(`${name} ${index}`, declared, documents, options);
  }

  findAnyNow(name: string, index: string, values: readonly IndexValue[]): Stored[] {
    const collection = this.data.collections.get(name);
    const declared = this.indexOf(collection, name, index);
    const documents = collection === undefined ? [] : this.living(collection);
    return documents.filter((document) => matchesAny(declared, document, values));
  }

  pageNow(name: string, after: string | undefined, limit: number): Stored[] {
    const collection = this.data.collections.get(name);
    const documents = collection === undefined ? [] : this.living(collection);
    return documents
      .filter(({ _id }) => after === undefined || _id > after)
      .sort((one, other) => (one._id < other._id ? -1 : 1))
      .slice(0, limit);
  }

  takeLeaseNow(name: string, owner: string, milliseconds: number): Lease | undefined {
    const now = this.clock.now();
    const lease = this.data.leases.get(name);
    const held = lease !== undefined && lease.owner !== null && now - lease.renewed_at < milliseconds;
    if (held && lease.owner !== owner) return undefined;
    const fence = held ? lease.fence : (lease?.fence ?? 0) + 1;
    this.data.leases.set(name, { owner, fence, renewed_at: now });
    return { name, owner, fence };
  }

  /** @returns whether the lease still stood. @param next who holds it from now on; null for nobody. */
  changeLeaseNow({ name, owner, fence }: Lease, next: string | null): boolean {
    const lease = this.data.leases.get(name);
    if (lease?.owner !== owner || lease.fence !== fence) return false;
    this.data.leases.set(name, { owner: next, fence, renewed_at: this.clock.now() });
    return true;
  }

  writeNow(writes: readonly DocumentWrite[]): WriteOutcome[] {
    for (const write of writes) this.demandSound(write);
    return writes.map((write) => this.writeOne(write));
  }

  private demandSound(write: DocumentWrite): void {
    const collection = this.data.collections.get(write.collection);
    if (collection === undefined) throw new TypeError(`There is no collection ${write.collection}.`);
    if (write.kind === 'delete') return;
    demandSoundId(write.document._id);
    demandIndexable(collection.declaration, write.document as Stored);
  }

  private writeOne(write: DocumentWrite): WriteOutcome {
    const collection = this.data.collections.get(write.collection)!;
    const id = write.kind === 'delete' ? write.id : write.document._id;
    const current = this.alive(collection, id);
    const refusal = refuse(write, current);
    if (refusal !== undefined) return refusal;
    if (write.kind === 'delete') {
      collection.documents.delete(id);
      return { kind: 'written' };
    }
    const document = frozenCopy(write.document) as Stored;
    const taken = this.takenIndex(collection, document);
    if (taken !== undefined) return { kind: 'duplicate', index: taken };
    collection.documents.set(id, document);
    return { kind: 'written' };
  }

  private takenIndex(collection: MemoryCollection, document: Stored): string | undefined {
    for (const [name, index] of Object.entries(collection.declaration.indexes)) {
      if (!index.unique) continue;
      const keys = new Set(keysOf(index, document));
      if (keys.size === 0) continue;
      const first = index.fields[0]!;
      const others = this.living(collection).filter(
        (other) => other._id !== document._id && mayShare(other[first], document[first]),
      );
      if (others.some((other) => keysOf(index, other).some((key) => keys.has(key)))) return name;
    }
    return undefined;
  }

  private indexOf(collection: MemoryCollection | undefined, name: string, index: string) {
    // A collection that was dropped is empty, whatever it declared.
    if (collection === undefined) return { fields: [] };
    const declared = collection.declaration.indexes[index];
    if (declared === undefined) throw new TypeError(`Collection ${name} has no index ${index}.`);
    return declared;
  }

  private alive({ declaration, documents }: MemoryCollection, id: string): Stored | undefined {
    const kept = documents.get(id);
    const ends = declaration.expiry === undefined ? undefined : kept?.[declaration.expiry];
    if (typeof ends === 'number' && ends <= this.clock.now()) {
      documents.delete(id);
      return undefined;
    }
    return kept;
  }

  private living(collection: MemoryCollection): Stored[] {
    if (collection.declaration.expiry === undefined) return [...collection.documents.values()];
    return [...collection.documents.keys()].flatMap((id) => this.alive(collection, id) ?? []);
  }

  private answer<T>(decide: () => T): Promise<T> {
    if (this.closed)
      return Promise.reject(new StoreUnavailableError('The document store in memory is closed.', false));
    return new Promise((resolve) => resolve(decide()));
  }
}

/** Spares making the keys of most documents. */
function mayShare(one: unknown, other: unknown): boolean {
  return one === other || Array.isArray(one) || Array.isArray(other);
}

function refuse(write: DocumentWrite, current: Stored | undefined): WriteOutcome | undefined {
  switch (write.kind) {
    case 'put':
      return undefined;
    case 'insert':
      return current === undefined ? undefined : { kind: 'duplicate', index: '_id' };
    case 'put_if_newer':
      return isNewer(write.document.revision, current) ? undefined : { kind: 'not_newer' };
    case 'compare_and_set':
      return guardOf(current, write.field) === write.expected ? undefined : { kind: 'version_conflict' };
    case 'delete':
      return allowsDelete(write, current) ? undefined : { kind: 'version_conflict' };
  }
}

function isNewer(revision: number, current: Stored | undefined): boolean {
  return current === undefined || !(Number(current['revision']) >= revision);
}

function allowsDelete(
  { expected, field }: Extract<DocumentWrite, { kind: 'delete' }>,
  current: Stored | undefined,
): boolean {
  return current === undefined || expected === undefined || guardOf(current, field) === expected;
}

function guardOf(document: Stored | undefined, field: 'version' | 'revision' = 'version'): unknown {
  return document === undefined ? null : (document[field] ?? NaN);
}
