import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '#kernel/clock.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { Yielder } from '#kernel/yielder.js';
import { syncFolder } from '#kernel/sync-folder.js';
import { SmsUnavailableError } from './sms.errors.js';
import type { SmsSender } from './sms-sender.js';

const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 7 * DAY_MS;

/**
 * Appends each message to a file as a JSON line `{ to, body, sent_at }`. For development, and for gateways that poll it. Lines
 * are kept for 7 days.
 */
export class OutboxSmsSender implements SmsSender {
  #tidiedAt = -Infinity;
  /** Settles when all earlier writes are done, so that lines do not mix. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly clock: Clock,
  ) {}

  async send(to: string, body: string): Promise<void> {
    const line = `${JSON.stringify({ to, body, sent_at: toTimestamp(this.clock.now()) })}\n`;
    try {
      await this.#afterEarlier(async () => {
        await this.#append(line);
        if (this.clock.now() - this.#tidiedAt >= DAY_MS) await this.#removeLines(new Set());
      });
    } catch (error) {
      throw new SmsUnavailableError(`the outbox cannot be written (${errorCode(error)})`, 'unknown');
    }
  }

  async forget(phones: readonly string[]): Promise<void> {
    if (phones.length === 0) return;
    try {
      await this.#afterEarlier(() => this.#removeLines(new Set(phones)));
    } catch (error) {
      throw new StoreUnavailableError(`The SMS outbox cannot be rewritten (${errorCode(error)}).`, true);
    }
  }

  #afterEarlier(work: () => Promise<void>): Promise<void> {
    const done = this.#lastWrite.then(work);
    this.#lastWrite = done.catch(() => undefined);
    return done;
  }

  async #append(line: string): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    // Only the service's own user may read codes and phone numbers.
    const file = await open(this.path, 'a+', 0o600);
    try {
      await file.appendFile((await isTorn(file)) ? `\n${line}` : line);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  /**
   * Removes the lines to these phones, those that are too old, and those that a failed write left torn. Replaces the file, so
   * that after a crash it is either the old or the new one.
   */
  async #removeLines(phones: ReadonlySet<string>): Promise<void> {
    const oldest = this.clock.now() - KEPT_MS;
    const yielder = new Yielder();
    const lines = await linesOf(this.path);
    const others: string[] = [];
    for (const line of lines) {
      const message = messageIn(line);
      const isKept = message !== undefined && !phones.has(message.to);
      if (isKept && Date.parse(message.sent_at) >= oldest) others.push(line);
      await yielder.after(1);
    }
    this.#tidiedAt = this.clock.now();
    if (others.length === lines.length) return;
    const draft = `${this.path}.new`;
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(others.map((line) => `${line}\n`).join(''));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, this.path);
    await syncFolder(dirname(this.path));
  }
}

/** A full disk or a crash may have left the last line torn: the next one must not become a part of it. */
async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString('latin1') !== '\n';
}

interface SentMessage {
  readonly to: string;
  readonly sent_at: string;
}

function messageIn(line: string): SentMessage | undefined {
  try {
    return JSON.parse(line) as SentMessage;
  } catch {
    return undefined;
  }
}

async function linesOf(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function errorCode(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'unknown';
}
