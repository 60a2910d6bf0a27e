import { randomUUID } from 'node:crypto';
import type { Clock } from '../../config/clock.js';
import { pause } from '../../config/pause.js';
import { isStoreUnavailableError } from '../../storage/store.errors.js';
import type { Collection, CollectionDeclaration, DocumentStore, StoredDocument } from '../document-store.js';

/** Which generation of the views all processes serve from. Storage format: add, never change. */
export interface ViewsPointer extends StoredDocument {
  readonly number: number;
  /** The highest number that was ever given: none is given twice. */
  readonly last: number;
  /** Another generation is about to take over: nobody writes to this one any more. */
  readonly closing: boolean;
  /** Names the change that made it so. */
  readonly by: string;
  readonly version: number;
}

const POINTERS: CollectionDeclaration<ViewsPointer> = { name: 'views_pointers', indexes: {} };
const ID = 'views';
const FIRST: ViewsPointer = { _id: ID, number: 1, last: 1, closing: false, by: '', version: 0 };

const ATTEMPTS = 30;
const PAUSE = 500;

/** The pointer, in the records: what changes it is one compare-and-set. */
export class ViewsPointers {
  constructor(
    private readonly records: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** @throws StoreUnavailableError */
  async read(): Promise<ViewsPointer> {
    const pointers: Collection<ViewsPointer> = await this.records.collection(POINTERS);
    return (await pointers.get(ID)) ?? FIRST;
  }

  /**
   * Changes the pointer that is known; undefined where it is another by now. A store that does not say whether it was
   * changed is asked until it does.
   * @throws StoreUnavailableError where it has not said so for long
   */
  async change(
    known: ViewsPointer,
    change: Partial<Pick<ViewsPointer, 'number' | 'last' | 'closing'>>,
  ): Promise<ViewsPointer | undefined> {
    const expected = known.version === 0 ? null : known.version;
    const document = { ...known, ...change, by: randomUUID(), version: known.version + 1 };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [outcome] = await this.records.write([
          { kind: 'compare_and_set', collection: POINTERS.name, expected, document },
        ]);
        if (outcome!.kind === 'written') return document;
        return (await this.read()).by === document.by ? document : undefined;
      } catch (error) {
        if (!isStoreUnavailableError(error) || attempt === ATTEMPTS) throw error;
        await pause(this.clock, PAUSE);
      }
    }
  }
}
