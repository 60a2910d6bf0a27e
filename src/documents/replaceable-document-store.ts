import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  FindOptions,
  IndexValue,
  Lease,
  Page,
  StoredDocument,
  WriteOutcome,
} from './document-store.js';

/** A store and how many calls are under way on it. */
interface Standing {
  readonly store: DocumentStore;
  calls: number;
  whenIdle: () => void;
}

/** Runs a call on the store that stands when it begins. */
type Use = <T>(call: (store: DocumentStore) => Promise<T>) => Promise<T>;

/**
 * A document store that another can take the place of while it is used. A call goes to the store that stands when it
 * begins; collections that were opened before go on with the new one. Whether the documents of both agree, and that no
 * work reads the one and writes the other, is the caller's to see to.
 */
export class ReplaceableDocumentStore implements DocumentStore {
  #standing: Standing;
  readonly #declarations = new Map<string, CollectionDeclaration>();
  readonly #collections = new WeakMap<CollectionDeclaration, Collection<StoredDocument>>();

  /** @param guard runs each call, and refuses what must not be answered from the store that stands */
  constructor(
    store: DocumentStore,
    private readonly guard: <T>(call: () => Promise<T>) => Promise<T> = (call) => call(),
  ) {
    this.#standing = standing(store);
  }

  async collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    // Every request asks, with the same object each time: whether the store can be reached, its reads tell.
    let collection =
      this.#declarations.get(declaration.name) === declaration && this.#collections.get(declaration);
    if (!collection) {
      await this.#use((store) => store.collection(declaration));
      this.#declarations.set(declaration.name, declaration);
      collection = new ReplaceableCollection<StoredDocument>(declaration, this.#use);
      this.#collections.set(declaration, collection);
    }
    return collection as unknown as Collection<D>;
  }

  write(writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    return this.#use((store) => store.write(writes));
  }

  takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    return this.#use((store) => store.takeLease(name, owner, milliseconds));
  }

  renewLease(lease: Lease): Promise<boolean> {
    return this.#use((store) => store.renewLease(lease));
  }

  releaseLease(lease: Lease): Promise<void> {
    return this.#use((store) => store.releaseLease(lease));
  }

  ping(): Promise<void> {
    return this.#use((store) => store.ping());
  }

  close(): Promise<void> {
    return this.#standing.store.close();
  }

  /** Opens on `next` what was opened here, so that it can take over at once. */
  async prepare(next: DocumentStore): Promise<void> {
    await Promise.all([...this.#declarations.values()].map((declaration) => next.collection(declaration)));
  }

  /**
   * Sends every call from here on to `next`, on which what was opened is opened before.
   * @param commit runs right before; what it throws leaves everything as it was
   * @returns closes the former store, once no call is under way on it
   */
  async replace(next: DocumentStore, commit: () => Promise<void>): Promise<() => Promise<void>> {
    await this.prepare(next);
    await commit();
    const former = this.#standing;
    this.#standing = standing(next);
    return async () => {
      if (former.calls > 0) await new Promise<void>((resolve) => (former.whenIdle = resolve));
      await former.store.close();
    };
  }

  readonly #use: Use = (call) => this.guard(() => this.#useStanding(call));

  readonly #useStanding: Use = async (call) => {
    const used = this.#standing;
    used.calls += 1;
    try {
      return await call(used.store);
    } finally {
      used.calls -= 1;
      if (used.calls === 0) used.whenIdle();
    }
  };
}

function standing(store: DocumentStore): Standing {
  return { store, calls: 0, whenIdle: () => undefined };
}

/** Opens the collection on each store that stands once. */
class ReplaceableCollection<D extends StoredDocument> implements Collection<D> {
  #opened: { readonly store: DocumentStore; readonly collection: Collection<D> } | undefined;

  constructor(
    private readonly declaration: CollectionDeclaration<D>,
    private readonly use: Use,
  ) {}

  get(id: string): Promise<D | undefined> {
    return this.#on((collection) => collection.get(id));
  }

  getMany(ids: readonly string[]): Promise<(D | undefined)[]> {
    return this.#on((collection) => collection.getMany(ids));
  }

  find(index: string, options: FindOptions): Promise<Page<D>> {
    return this.#on((collection) => collection.find(index, options));
  }

  findAny(index: string, values: readonly IndexValue[]): Promise<D[]> {
    return this.#on((collection) => collection.findAny(index, values));
  }

  #on<T>(read: (collection: Collection<D>) => Promise<T>): Promise<T> {
    return this.use((store) => {
      const opened = this.#opened;
      return opened?.store === store ? read(opened.collection) : this.#openOn(store).then(read);
    });
  }

  async #openOn(store: DocumentStore): Promise<Collection<D>> {
    const collection = await store.collection(this.declaration);
    this.#opened = { store, collection };
    return collection;
  }
}
