import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../config/clock.js';
import { toTimestamp } from '../../config/clock.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import { syncFolder } from '../../storage/sync-folder.js';
import { SmsUnavailableError } from './sms.errors.js';
import type { SmsSender } from './sms-sender.js';

/** Appends each message to a file as a JSON line `{ to, body, sent_at }`. For development, and for gateways that poll it. */
export class OutboxSmsSender implements SmsSender {
  /** Settles when all earlier writes are done, so that lines do not mix. */
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly clock: Clock,
  ) {}

  async send(to: string, body: string): Promise<void> {
    const line = `${JSON.stringify({ to, body, sent_at: toTimestamp(this.clock.now()) })}\n`;
    try {
      await this.afterEarlier(() => this.append(line));
    } catch (error) {
      throw new SmsUnavailableError(`the outbox cannot be written (${errorCode(error)})`);
    }
  }

  async forget(to: string): Promise<void> {
    try {
      await this.afterEarlier(() => this.removeLines(to));
    } catch (error) {
      throw new StoreUnavailableError(`The SMS outbox cannot be rewritten (${errorCode(error)}).`, true);
    }
  }

  private afterEarlier(work: () => Promise<void>): Promise<void> {
    const done = this.lastWrite.then(work);
    this.lastWrite = done.catch(() => undefined);
    return done;
  }

  private async append(line: string): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    // Only the service's own user may read codes and phone numbers.
    const file = await open(this.path, 'a', 0o600);
    try {
      await file.appendFile(line);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  /** Replaces the file, so that after a crash it is either the old or the new one. */
  private async removeLines(to: string): Promise<void> {
    const lines = await linesOf(this.path);
    const named = JSON.stringify(to);
    const others = lines.filter((line) => !line.includes(named));
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
