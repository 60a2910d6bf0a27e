import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run demo -- [options]
A day of a self-storage facility, played through the API of a service of its own, in a temporary folder and on a free port.
  --keep   leave it running at the end for you to look around, with an app for its tenants, until Ctrl-C
  --help   this text`;

/** Options of a run of the demonstration. */
export interface DemoOptions {
  readonly keep: boolean;
  /** Only the usage is asked for. */
  readonly help: boolean;
}

/** A command line that cannot be followed; the message is for its writer. */
export class UsageError extends Error {}

/** Reads the command line. @throws UsageError */
export function readOptions(argv: readonly string[]): DemoOptions {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ args: [...argv], options: { keep: flag, help: { ...flag, short: 'h' } } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
