import { parseArgs } from 'node:util';

/** What a run of the benchmark does. */
export interface BenchOptions {
  /** Length of one measurement. */
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Names of scenarios, or parts of names; empty for all. */
  readonly only: readonly string[];
  /** The `main.js` of another build, measured in the same rounds. */
  readonly against: string | undefined;
  /** Folder for CPU profiles of the services. */
  readonly profile: string | undefined;
}

export const USAGE = `Usage: npm run bench -- [options]
  --seconds N       length of one measurement (1)
  --rounds N        how often each is repeated; ratios are medians over the rounds (3)
  --connections N   keep-alive connections for single requests (64)
  --only a,b        only scenarios whose name holds one of these
  --against FILE    the main.js of another build of the service, measured in the same rounds
  --profile FOLDER  write a CPU profile of each service`;

/** A command line that cannot be followed; the message is for its writer. */
export class UsageError extends Error {}

/** Reads the command line. @throws UsageError */
export function readOptions(argv: readonly string[]): BenchOptions {
  const values = parse(argv);
  return {
    seconds: positive('seconds', values.seconds ?? '1', 60),
    rounds: positive('rounds', values.rounds ?? '3', 100),
    connections: Math.ceil(positive('connections', values.connections ?? '64', 1_000)),
    only: values.only?.split(',').filter((name) => name !== '') ?? [],
    against: values.against,
    profile: values.profile,
  };
}

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    seconds: text,
    rounds: text,
    connections: text,
    only: text,
    against: text,
    profile: text,
  };
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function positive(name: string, text: string, most: number): number {
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  throw new UsageError(`--${name} must be a number above 0 and up to ${most}.`);
}
