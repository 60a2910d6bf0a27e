import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';

/** The newest rebuild of the views. All instants in milliseconds. */
export interface Rebuild extends StoredDocument {
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly requested_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  /** Number of events that were read. */
  readonly events: number;
  /** The share of the work that is done, 0 to 1. */
  readonly share: number;
  /** The process that carries it out. */
  readonly by: string | null;
  readonly version: number;
}

type Change = Partial<Omit<Rebuild, '_id' | 'version'>>;

const REBUILDS: CollectionDeclaration<Rebuild> = { name: 'view_rebuilds', indexes: {} };
const ID = 'views';

export function isUnderWay(rebuild: Rebuild | undefined): boolean {
  return rebuild?.state === 'waiting' || rebuild?.state === 'running';
}

/** Stores the newest rebuild. One process may request a rebuild, and another may carry it out. */
export class RebuildRecord {
  constructor(private readonly records: DocumentStore) {}

  /** @throws StoreUnavailableError */
  async read(): Promise<Rebuild | undefined> {
    const rebuilds: Collection<Rebuild> = await this.records.collection(REBUILDS);
    return rebuilds.get(ID);
  }

  /** Requests a rebuild. If one is waiting or running, returns that one. @throws StoreUnavailableError */
  request(now: number): Promise<Rebuild> {
    return this.#change((known) => (isUnderWay(known) ? undefined : { ...requested(now), state: 'waiting' }));
  }

  /** Changes the newest rebuild. @throws StoreUnavailableError */
  change(now: number, change: Change): Promise<Rebuild> {
    return this.#change((known) => (known === undefined ? { ...requested(now), ...change } : change));
  }

  async #change(next: (known: Rebuild | undefined) => Change | undefined): Promise<Rebuild> {
    return untilItHolds(async () => {
      const known = await this.read();
      const change = next(known);
      if (change === undefined) return known!;
      const document = { ...known, _id: ID, version: (known?.version ?? 0) + 1, ...change } as Rebuild;
      const expected = known?.version ?? null;
      const write = { kind: 'compare_and_set', expected, document } as const;
      return (await writeOne(this.records, REBUILDS, write)) === 'written' ? document : OVERTAKEN;
    });
  }
}

function requested(now: number): Change {
  return { requested_at: now, started_at: null, finished_at: null, events: 0, share: 0, by: null };
}
