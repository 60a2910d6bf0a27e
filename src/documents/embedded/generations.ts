import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedDatabase } from './embedded-database.js';

/** Storage format: add, never change. In `meta` of the database that must not be lost: the number in use, from 1. */
const key = 'views_generation';

/** A generation, or a file of a store that lay in the folder itself before there were any. */
const OURS = /^\d+$|\.mdb(-lock)?$/;

/**
 * A folder with a store in it of which there may be several generations, each in a folder that bears its number. Which
 * one is in use stands in another database: to change it is a commit like any, refused to whoever has lost that one.
 */
export class Generations {
  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly folder: string,
  ) {}

  /** The folder of the one in use. It may not be there: whoever deletes it gets an empty one. */
  current(): string {
    return this.path(this.number());
  }

  /** The folder for the one to come, and nothing in it. */
  async next(): Promise<string> {
    const path = this.path(this.number() + 1);
    await rm(path, { recursive: true, force: true });
    return path;
  }

  /** Makes the one to come the one in use, for every start from here on. @throws StoreUnavailableError */
  async advance(): Promise<void> {
    await this.database.enqueue((group) => {
      const meta = this.database.table('meta');
      group.put(meta, key, String(numberOf(group.get(meta, key)) + 1));
    });
  }

  /** Removes all but the one in use, and nothing that is no store's: the folder may be a mount. */
  async removeOthers(): Promise<void> {
    const kept = String(this.number());
    const names = await readdir(this.folder).catch(() => [] as string[]);
    for (const name of names) {
      if (name !== kept && OURS.test(name))
        await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }

  private number(): number {
    return numberOf(this.database.table('meta').get(key));
  }

  private path(number: number): string {
    return join(this.folder, String(number));
  }
}

function numberOf(stored: string | undefined): number {
  return Number(stored ?? 1);
}
