import { systemClock } from '../config/clock.js';
import type { LogProgress } from '../log/log-pass.js';

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

/** Tells how far long work has come, how fast it is and what is left, about once a second: short work says nothing. */
export function progressOn(
  { stderr }: Pick<Output, 'stderr'>,
  verb: string,
  clock = systemClock,
): LogProgress {
  const began = clock.now();
  let last = began;
  return (events, share) => {
    const now = clock.now();
    if (now - last < INTERVAL) return;
    last = now;
    const seconds = (now - began) / 1_000;
    const rate = Math.round(events / seconds);
    const left = share === 0 ? '' : `, ${Math.ceil((seconds * (1 - share)) / share)} s left`;
    stderr.write(`${verb} ${events} events (${Math.floor(100 * share)} %), ${rate} a second${left}\n`);
  };
}
