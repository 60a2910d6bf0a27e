import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '#kernel/clock.js';
import { type LogProgress, progressInLines } from '#eventsourcing/log/log-progress.js';

/** The result of a command goes to `stdout`. Progress and errors go to `stderr`. */
export interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** The command line is wrong. The message is one line. */
export class UsageError extends Error {
  readonly code = 'usage';

  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The command could not be carried out. The message is one line. */
export class CommandError extends Error {
  readonly code = 'command';

  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Prints the progress of long work on `stderr`. */
export function progressOn({ stderr }: Output, verb: string, what = 'events'): LogProgress {
  return progressInLines((line) => stderr.write(line), verb, systemClock, what);
}

/** Prints the progress of work on bytes. @returns a function to call with the number of bytes done */
export function progressOfBytes(output: Output, verb: string, all: number): (bytes: number) => void {
  const report = progressOn(output, verb, 'MB');
  return (bytes) => report(Math.floor(bytes / 1e6), all === 0 ? 1 : Math.min(1, bytes / all));
}

/** Milliseconds between two reads of the size of a growing file. */
const READ_SIZE_EVERY_MS = 500;

/** Prints the progress of a copy, by the size of its target. */
export async function whileCopying<T>(
  output: Output,
  from: string,
  to: string,
  copying: Promise<T>,
): Promise<T> {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const report = progressOfBytes(output, 'copied', sizeOf(from));
  const timer = setInterval(() => report(sizeOf(to)), READ_SIZE_EVERY_MS);
  try {
    return await copying;
  } finally {
    clearInterval(timer);
  }
}

/** Prints the result of a command. Waits for a slow reader. */
export function print({ stdout }: Output, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  return pipeline(Readable.from(chunks), stdout, { end: false });
}

export function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** @param areUsed whether any tenant was ever told something */
export function printNoticesOff({ stdout }: Pick<Output, 'stdout'>, areUsed: boolean): void {
  if (!areUsed) return;
  stdout.write(
    'Texts to tenants will be off in the copy. Switch them on at each location where this service is to send them.\n',
  );
}

/** @param count how many were on */
export function printSummariesOff({ stdout }: Pick<Output, 'stdout'>, count: number): void {
  if (count === 0) return;
  stdout.write(
    `${count} morning summaries are off in the copy. Operators switch them on where this service is to send them.\n`,
  );
}

/** Names what a copy does not do by itself. */
export function printWebhooksOff({ stdout }: Pick<Output, 'stdout'>, count: number): void {
  if (count === 0) return;
  stdout.write(
    `${count} webhooks are off in the copy. Switch them on where this service is to send messages.\n`,
  );
}
