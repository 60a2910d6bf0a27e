import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type LogProgress, progressInLines } from '../log/log-progress.js';

/** Where a command writes: what was asked for to `stdout`, everything about it to `stderr`. */
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

/** Prints what was asked for, waiting where the reader is slow. */
export function print({ stdout }: Output, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  return pipeline(Readable.from(chunks), stdout, { end: false });
}
