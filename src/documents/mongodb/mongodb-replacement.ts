import type { Clock } from '../../config/clock.js';
import { pause } from '../../config/pause.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type { DocumentStore } from '../document-store.js';
import type { ReplaceableDocumentStore } from '../replaceable-document-store.js';
import type { NextStore, StoreReplacement } from '../replacement.js';
import { type ViewsInUse, WAITED } from './views-in-use.js';
import type { ViewsPointer } from './views-pointer.js';

/** Another process has changed the pointer: what this one was about to put in place is not. */
function overtaken(): StoreUnavailableError {
  return new StoreUnavailableError('Another process replaces the views.', false);
}

/** Builds the next generation of the views on MongoDB, for all processes that serve from them. */
export class MongoDbReplacement implements StoreReplacement {
  /**
   * @param openViews the store of a generation
   * @param inService undefined where this process serves nobody
   */
  constructor(
    private readonly inUse: ViewsInUse,
    private readonly openViews: (number: number) => DocumentStore,
    private readonly clock: Clock,
    private readonly inService?: ReplaceableDocumentStore,
  ) {}

  async open(): Promise<NextStore> {
    const { pointers } = this.inUse;
    const known = await pointers.read();
    let pointer = await pointers.change(known, { last: known.last + 1, closing: false });
    if (pointer === undefined) throw overtaken();
    const number = pointer.last;
    const store = this.openViews(number);
    const change = async (by: Partial<Pick<ViewsPointer, 'number' | 'closing'>>) => {
      pointer = await pointers.change(pointer!, by);
      if (pointer === undefined) throw overtaken();
    };
    this.inUse.replacing = true;
    let isInService = false;
    return {
      store,
      announce: async () => {
        await change({ closing: true });
        await pause(this.clock, WAITED);
      },
      takeOver: async () => {
        const advance = async () => {
          await change({ number, closing: false });
          isInService = true;
        };
        const closeFormer = await this.inService?.replace(store, advance);
        if (this.inService === undefined) await advance();
        this.inUse.number = number;
        this.inUse.replacing = false;
        // Whoever has not heard of it yet answers from the former, in which nothing that is written from now on stands.
        await pause(this.clock, WAITED);
        return async () => closeFormer?.().catch(() => undefined);
      },
      discard: async () => {
        if (isInService) return;
        this.inUse.replacing = false;
        if (pointer?.closing === true)
          await pointers.change(pointer, { closing: false }).catch(() => undefined);
        // What it holds is removed by whoever leads.
        await store.close().catch(() => undefined);
      },
    };
  }
}
