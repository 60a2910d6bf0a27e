import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReplaceableDocumentStore } from '../replaceable-document-store.js';
import type { NextStore, StoreReplacement } from '../replacement.js';
import { demandSpace } from '../../storage/disk-space.js';
import type { EmbeddedDocumentStore } from './embedded-document-store.js';
import type { Generations } from './generations.js';

/** Builds the next generation of an embedded store. */
export class EmbeddedReplacement implements StoreReplacement {
  /**
   * @param openStore opens or makes the store in a folder
   * @param inService undefined where nobody uses the generation that stands
   */
  constructor(
    private readonly generations: Generations,
    private readonly openStore: (folder: string) => Promise<EmbeddedDocumentStore>,
    private readonly inService?: ReplaceableDocumentStore,
  ) {}

  async open(): Promise<NextStore> {
    const folder = await this.generations.next();
    demandSpace(dirname(folder), sizeOf(this.generations.current()));
    try {
      const store = await this.openStore(folder);
      let isInService = false;
      return {
        store,
        // One process works on it, and sees to that itself.
        announce: () => Promise.resolve(),
        takeOver: async () => {
          const removeFormer = await this.takeOver(store, folder);
          isInService = true;
          return removeFormer;
        },
        discard: async () => {
          if (isInService) return;
          // It is removed in any case.
          await store.close().catch(() => undefined);
          await removed(folder);
        },
      };
    } catch (error) {
      await removed(folder);
      throw error;
    }
  }

  private async takeOver(store: EmbeddedDocumentStore, folder: string): Promise<() => Promise<void>> {
    const advance = async () => {
      await store.flush();
      await this.generations.advanceTo(folder);
    };
    const closeFormer = await this.inService?.replace(store, advance);
    if (this.inService === undefined) await advance();
    return async () => {
      await closeFormer?.().catch(() => undefined);
      // What cannot be removed now, the next start removes.
      await this.generations.removeOthers().catch(() => undefined);
    };
  }
}

/** What the next one will need, near enough; 0 where none stands. */
function sizeOf(folder: string): number {
  return statSync(join(folder, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0;
}

/** Where it cannot be now, the next start does it. */
async function removed(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
