import { systemClock } from '../config/clock.js';

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

const INTERVAL = 1_000;

/** Told how many events have been done, and of how many where that is known. */
type Progress = (events: number, total?: number) => void;

/** Tells how far long work has come, about once a second, so that short work says nothing. */
export function progressOn({ stderr }: Output, verb: string, clock = systemClock): Progress {
  let last = clock.now();
  return (events, total) => {
    const now = clock.now();
    if (now - last < INTERVAL) return;
    last = now;
    stderr.write(`${verb} ${events}${total === undefined ? '' : ` of ${total}`} events\n`);
  };
}
