import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { EmbeddedDatabase } from '../../storage/embedded-database.js';

/** Storage format: add, never change. In `meta` of the database that must not be lost: the number in use, from 1. */
const key = 'views_generation';

const NUMBER = /^[1-9]\d*$/;
/** A file of a store; one that lay in the folder itself before there were generations, too. */
const STORE_FILE = /\.mdb(-lock)?$/;

/**
 * A folder with a store in it of which there may be several generations, each in a folder that bears its number. Which
 * one is in use stands in another database: to change it is a commit like any, refused to whoever has lost that one.
 */
export class Generations {
  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly folder: string,
  ) {}

  /**
   * The folder of the one in use. Where that is not there but another is, the other: of a database that was lost or put
   * back, views that it does not know must be found, and not taken for left-overs. Where none is, an empty one is to be.
   */
  current(): string {
    return this.path(this.number());
  }

  /** The folder for the one to come, and nothing in it. */
  async next(): Promise<string> {
    const path = this.path(this.number() + 1);
    await rm(path, { recursive: true, force: true });
    return path;
  }

  /** Makes one that `next` named the one in use, for every start from here on. @throws StoreUnavailableError */
  async advanceTo(path: string): Promise<void> {
    await this.database.enqueue((group) => {
      group.put(this.database.table('meta'), key, basename(path));
    });
  }

  /** Removes all but the one in use, and nothing that is no store's: the folder may be a mount. */
  async removeOthers(): Promise<void> {
    const kept = String(this.number());
    for (const name of this.names()) {
      const isOurs = STORE_FILE.test(name) || this.isGeneration(name);
      if (name !== kept && isOurs) await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }

  private number(): number {
    const stored = Number(this.database.table('meta').get(key) ?? 1);
    const there = this.names()
      .filter((name) => this.isGeneration(name))
      .map(Number);
    return there.length === 0 || there.includes(stored) ? stored : Math.max(...there);
  }

  private names(): string[] {
    return existsSync(this.folder) ? readdirSync(this.folder) : [];
  }

  /** A folder that bears a number and holds files of a store, or was to hold them. */
  private isGeneration(name: string): boolean {
    const path = join(this.folder, name);
    if (!NUMBER.test(name) || !statSync(path).isDirectory()) return false;
    return readdirSync(path).every((file) => STORE_FILE.test(file));
  }

  private path(number: number): string {
    return join(this.folder, String(number));
  }
}
