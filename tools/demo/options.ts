import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run demo -- [options]
A day of a self-storage facility, played through the API of a service of its own, in a temporary folder and on a free port.
  --keep   leave it running at the end for you to look around, with an app for its tenants, until Ctrl-C
  --help   this text`;

/** The command line is wrong. */
export class UsageError extends Error {}

/** Reads the command line. @throws UsageError */
export function readOptions(argv: readonly string[]): { readonly keep: boolean; readonly help: boolean } {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ args: [...argv], options: { keep: flag, help: { ...flag, short: 'h' } } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
