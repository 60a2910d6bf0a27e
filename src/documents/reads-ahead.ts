import { AsyncLocalStorage } from 'node:async_hooks';

/** What goes on in the name of one request: it begins reads ahead, or takes them. */
interface Scope {
  readonly reads: ReadsAhead;
  readonly begins: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * Reads that the handler of a request will make in any case, begun while it is still being found out who asks and whether
 * there is quota left. Each is handed, once, to the first who reads the same in the name of the request; whatever the
 * request writes to a collection ends what was read of that before.
 */
export class ReadsAhead {
  /** By collection, of one store, and by what is read of it. */
  readonly #begun = new Map<object, Map<string, Promise<unknown>>>();

  /** Everything that follows from the work may take what was begun. */
  serve<T>(work: () => T): T {
    return scopes.run({ reads: this, begins: false }, work);
  }

  /** What the work reads is kept for whoever reads the same next. Nothing where no request is served. */
  static begin(work: () => Promise<unknown>): void {
    const reads = scopes.getStore()?.reads;
    if (reads === undefined) return;
    // What cannot be read ahead is read, and refused, in its turn.
    scopes.run({ reads, begins: true }, work).catch(() => undefined);
  }

  /** @param read what is to be read where it was not begun before */
  static read<T>(collection: object, what: string, read: () => Promise<T>): Promise<T> {
    const scope = scopes.getStore();
    if (scope === undefined) return read();
    return scope.begins
      ? scope.reads.#keep(collection, what, read())
      : (scope.reads.#take<T>(collection, what) ?? read());
  }

  static forget(collection: object): void {
    const scope = scopes.getStore();
    if (scope !== undefined) scope.reads.#begun.delete(collection);
  }

  #keep<T>(collection: object, what: string, reading: Promise<T>): Promise<T> {
    let ofCollection = this.#begun.get(collection);
    if (ofCollection === undefined)
      this.#begun.set(collection, (ofCollection = new Map<string, Promise<unknown>>()));
    ofCollection.set(what, reading);
    reading.catch(() => undefined);
    return reading;
  }

  #take<T>(collection: object, what: string): Promise<T> | undefined {
    const ofCollection = this.#begun.get(collection);
    const found = ofCollection?.get(what) as Promise<T> | undefined;
    ofCollection?.delete(what);
    return found;
  }
}
