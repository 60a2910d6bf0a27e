import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../config/clock.js';
import { type LogProgress, progressInLines } from '../log/log-progress.js';

/** The outputs of a command: the answer to `stdout`, everything about it to `stderr`. */
export interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** The command line does not say what to do. The message is one line. */
export class UsageError extends Error {
  readonly code = 'usage';

  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The command was understood and could not be carried out. The message is one line. */
export class CommandError extends Error {
  readonly code = 'command';

  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Tells on `stderr` how far long work has come. */
export function progressOn({ stderr }: Output, verb: string): LogProgress {
  return progressInLines((line) => stderr.write(line), verb);
}

/** The same for work on so many bytes. @returns is told the bytes that are done */
export function progressOfBytes({ stderr }: Output, verb: string, all: number): (bytes: number) => void {
  const tell = progressInLines((line) => stderr.write(line), verb, systemClock, 'MB');
  return (bytes) => tell(Math.floor(bytes / 1e6), all === 0 ? 1 : Math.min(1, bytes / all));
}

/** Milliseconds between two looks at a file that grows. */
const LOOK = 500;

/** Tells how far the copy of a file has come, by the size of the target. */
export async function whileCopying<T>(
  output: Output,
  from: string,
  to: string,
  copying: Promise<T>,
): Promise<T> {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const tell = progressOfBytes(output, 'copied', sizeOf(from));
  const timer = setInterval(() => tell(sizeOf(to)), LOOK);
  try {
    return await copying;
  } finally {
    clearInterval(timer);
  }
}

/** Prints what was asked for, waiting where the reader is slow. */
export function print({ stdout }: Output, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  return pipeline(Readable.from(chunks), stdout, { end: false });
}
