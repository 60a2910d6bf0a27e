import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../config/clock.js';
import { toTimestamp } from '../../config/clock.js';
import { SmsUnavailableError } from './sms.errors.js';
import type { SmsSender } from './sms-sender.js';

/** Keeps each message as a JSON line `{ to, body, sent_at }` in a file, for development and for gateways that poll it. */
export class OutboxSmsSender implements SmsSender {
  /** Settles once every line accepted before has been written, so that no two lines run into each other. */
  private tail: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly clock: Clock,
  ) {}

  async send(to: string, body: string): Promise<void> {
    const line = `${JSON.stringify({ to, body, sent_at: toTimestamp(this.clock.now()) })}\n`;
    const written = this.tail.then(() => this.append(line));
    this.tail = written.catch(() => undefined);
    try {
      await written;
    } catch (error) {
      throw new SmsUnavailableError(`the outbox cannot be written (${errorCode(error)})`);
    }
  }

  private async append(line: string): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    // Codes and phone numbers: nobody but the service's own user may read them.
    const file = await open(this.path, 'a', 0o600);
    try {
      await file.appendFile(line);
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}

function errorCode(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'unknown';
}
