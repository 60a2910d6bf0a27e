import { mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Waiting {
  readonly bytes: readonly Uint8Array[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * What a server's storage writer waits for before it acknowledges: a file that is written and flushed, once for all that wait
 * at the same time. Nothing is ever read of it.
 */
export class Disk {
  /** Flushes so far. */
  flushes = 0;
  #waiting: Waiting[] = [];
  #isFlushing = false;

  private constructor(
    private readonly folder: string,
    private readonly file: FileHandle,
  ) {}

  /** In a temporary folder of its own. */
  static async open(): Promise<Disk> {
    const folder = mkdtempSync(join(tmpdir(), 'storage-access-double-'));
    return new Disk(folder, await open(join(folder, 'log'), 'a'));
  }

  /** Resolves once the bytes are on the disk. */
  write(bytes: readonly Uint8Array[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      if (!this.#isFlushing) void this.#flushAll();
    });
  }

  /** With what was written. At once, so that a process that ends leaves nothing behind. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.file.close();
    this.remove();
  }

  async #flushAll(): Promise<void> {
    this.#isFlushing = true;
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0);
      const flushing = this.#flush(taken.flatMap(({ bytes }) => bytes));
      for (const { resolve, reject } of taken) flushing.then(resolve, reject);
      await flushing.catch(() => undefined);
    }
    this.#isFlushing = false;
  }

  async #flush(bytes: readonly Uint8Array[]): Promise<void> {
    await this.file.writev(bytes);
    await this.file.datasync();
    this.flushes += 1;
  }
}
