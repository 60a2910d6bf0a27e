import { parseArgs } from 'node:util';
import { readCheckedEnvironment } from '../checked-environment.js';
import { type Environment, EnvironmentError, readEnvironment } from '../config/environment.js';
import { keepProcessAlive } from '../config/keep-process-alive.js';
import { SERVICE_VERSION } from '../config/service-version.js';
import { isSystemError } from '../storage/system-error.js';
import type { UnitName } from './audit-unit.js';
import { type Output, UsageError } from './output.js';

const HELP = `Usage: storage-access COMMAND [OPTIONS]

  audit history --company ID --unit KEY            print a unit's history, oldest first, one event a line
  audit as-of --company ID --unit KEY --at TIME    print a unit as of an instant
  audit verify [--company ID --unit KEY]           recompute the hash chain of a unit, or of the whole log
  audit verify --checkpoint FILE --manifest FILE   also name every stream that differs from what was signed
  audit verify --file EXPORT                       check an export without the stores; takes the other two as well
  audit verify ... --key BASE64                    require that this public key made the signatures
  audit key                                        print the public key of the signatures, for an auditor
  audit checkpoint                                 sign the end of every stream and print the line
  audit export                                     print the whole log as NDJSON, the signed manifest last
  companies list                                   print the companies with their locations, a line each
  units list --company ID                          print a company's units with their access, a line each
  operators list                                   print the operators, a line each
  operators add --email EMAIL [--role ROLE]        add an operator of all companies (admin) and print a password
  operators reset --email EMAIL                    print a new password, enable the operator, end all sessions
  operators remove-second-factor --email EMAIL     remove a lost second factor, end all sessions
  backup FOLDER                                    copy the embedded store into an empty folder; check and sign the copy
  restore FOLDER [--key BASE64]                    copy a backup with this public key into a DATA_DIR without a store
  views rebuild                                    rebuild the views from the log, in place
  eventstore grant --user NAME                     let the service's user read all events; EVENTSTORE_URL names an administrator
  migrate                                          copy log and records from DATA_DIR to the servers; run again, it continues
  --version
  help

KEY is the integrator's crm_unit_id, or ulid: and the service's unit_id. TIME is like 2026-06-06T09:00:00Z.
The stores are those of the service: DATA_DIR (./data), or EVENTSTORE_URL and MONGODB_URL.
operators add and reset show the password only once. On embedded stores stop the service before you change operators.
audit and backup work beside a running service. Stop it before restore and migrate. On servers views rebuild works beside it.
On embedded stores send POST /api/operator/views/rebuild to the running service instead.
The status is 0; 1 after a fault or failure; 2 for wrong usage.
`;

/** Commands that print a text and open no store. */
const TEXTS: Readonly<Record<string, string>> = {
  help: HELP,
  '--help': HELP,
  '-h': HELP,
  '--version': `${SERVICE_VERSION}\n`,
};

type Variables = Readonly<Record<string, string | undefined>>;
type Options = Readonly<
  Partial<
    Record<
      'company' | 'unit' | 'at' | 'email' | 'role' | 'user' | 'checkpoint' | 'manifest' | 'file' | 'key',
      string
    >
  >
>;
type Command = (options: Options, environment: Environment, output: Output) => Promise<number>;

interface CommandEntry {
  /** The names of its options. */
  readonly takes: readonly (keyof Options)[];
  readonly run: Command;
  /** `MONGODB_URL` may be missing. */
  readonly eventStoreAlone?: boolean;
}

// Loaded on demand: loading the modules takes most of a command's time.
const audit = () => import('./audit.js');
const auditUnit = () => import('./audit-unit.js');
const operators = () => import('./operators.js');
const listings = () => import('./listings.js');

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  'audit history': {
    takes: ['company', 'unit'],
    run: async (options, ...rest) => (await auditUnit()).auditHistory(demandUnit(options), ...rest),
  },
  'audit as-of': {
    takes: ['company', 'unit', 'at'],
    run: async (options, ...rest) =>
      (await auditUnit()).auditAsOf(demandUnit(options), demand(options, 'at'), ...rest),
  },
  'audit verify': {
    takes: ['company', 'unit', 'checkpoint', 'manifest', 'file', 'key'],
    run: verify,
  },
  'audit key': { takes: [], run: async (_, ...rest) => (await audit()).auditKey(...rest) },
  'audit checkpoint': { takes: [], run: async (_, ...rest) => (await audit()).auditCheckpoint(...rest) },
  'audit export': { takes: [], run: async (_, ...rest) => (await audit()).auditExport(...rest) },
  'companies list': { takes: [], run: async (_, ...rest) => (await listings()).listCompanies(...rest) },
  'units list': {
    takes: ['company'],
    run: async (options, ...rest) => (await listings()).listUnits(demand(options, 'company'), ...rest),
  },
  'operators list': { takes: [], run: async (_, ...rest) => (await operators()).listOperators(...rest) },
  'operators add': {
    takes: ['email', 'role'],
    run: async (options, ...rest) => {
      const added = { email: demand(options, 'email'), role: options.role };
      return (await operators()).addOperator(added, ...rest);
    },
  },
  'operators reset': {
    takes: ['email'],
    run: async (options, ...rest) => (await operators()).resetOperator(demand(options, 'email'), ...rest),
  },
  'operators remove-second-factor': {
    takes: ['email'],
    run: async (options, ...rest) =>
      (await operators()).removeSecondFactor(demand(options, 'email'), ...rest),
  },
  'eventstore grant': {
    takes: ['user'],
    eventStoreAlone: true,
    run: async (options, ...rest) =>
      (await import('./eventstore-grant.js')).grantOnEventStore(demand(options, 'user'), ...rest),
  },
  'views rebuild': {
    takes: [],
    run: async (_, ...rest) => (await import('./rebuild-views.js')).rebuildViews(...rest),
  },
  migrate: {
    takes: [],
    run: async (_, ...rest) => (await import('./migrate/migrate.js')).migrate(...rest),
  },
};

/**
 * Runs a command of the service. Never rejects.
 * @returns the exit status: 0; 1 if a fault was found or the command failed; 2 for wrong usage
 */
export async function runCommandLine(
  parameters: readonly string[],
  variables: Variables,
  output: Output,
): Promise<number> {
  try {
    return await keepProcessAlive(async () => run(parameters, variables, output));
  } catch (error) {
    // The reader of the output has closed it, as `head` does.
    if (isSystemError(error, 'EPIPE')) return 1;
    const usage = error instanceof UsageError;
    const hint = usage ? ' See: storage-access help' : '';
    output.stderr.write(`storage-access: ${messageOf(error)}${hint}\n`);
    return usage ? 2 : 1;
  }
}

function run(parameters: readonly string[], variables: Variables, output: Output): Promise<number> | number {
  const [first, second, ...rest] = parameters;
  if (first === 'backup' || first === 'restore')
    return copyFolder(first, parameters.slice(1), variables, output);
  if (first === undefined) throw new UsageError('No command was given.');
  if (Object.hasOwn(TEXTS, first)) return printText(TEXTS[first]!, output);
  if (second === '--help' || rest.includes('--help')) return printText(HELP, output);
  const name = Object.hasOwn(COMMANDS, first) ? first : `${first} ${second ?? ''}`;
  const command = COMMANDS[name];
  if (command === undefined) return printGroup([first, second], output);
  const options = read(parameters.slice(name.split(' ').length), command);
  return readCheckedEnvironment(variables, command).then((environment) =>
    command.run(options, environment, output),
  );
}

async function copyFolder(
  command: 'backup' | 'restore',
  parameters: readonly string[],
  variables: Variables,
  output: Output,
): Promise<number> {
  const [folder, ...rest] = parameters;
  if (folder === '--help') return printText(HELP, output);
  if (folder === undefined || folder === '' || folder.startsWith('-') || rest[0]?.startsWith('-') === false)
    throw new UsageError(`${command} takes one folder.`);
  const { key } = read(rest, { takes: command === 'restore' ? ['key'] : [] });
  return command === 'backup'
    ? (await import('./backup/backup.js')).backUp(folder, readEnvironment(variables), output)
    : (await import('./backup/restore.js')).restore(folder, key, readEnvironment(variables), output);
}

/** Prints the commands of a group such as `audit`. @throws UsageError if there is no such group */
function printGroup([first, second]: readonly (string | undefined)[], { stderr }: Output): number {
  const isGroup = Object.keys(COMMANDS).some((command) => command.startsWith(`${first} `));
  if (!isGroup || second !== undefined)
    throw new UsageError(`There is no command "${[first, second].join(' ').trim()}".`);
  const lines = HELP.split('\n').filter((line) => line.startsWith(`  ${first} `));
  stderr.write(`Usage: storage-access ${first} COMMAND [OPTIONS]\n\n${lines.join('\n')}\n`);
  return 2;
}

function printText(text: string, { stdout }: Output): number {
  stdout.write(text);
  return 0;
}

function read(parameters: readonly string[], { takes }: Pick<CommandEntry, 'takes'>): Options {
  const options = Object.fromEntries(takes.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...parameters], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

async function verify(options: Options, environment: Environment, output: Output): Promise<number> {
  const { company, unit, file, checkpoint, manifest, key } = options;
  const isWithFile = [file, checkpoint, manifest].some((path) => path !== undefined);
  if (key !== undefined && !isWithFile)
    throw new UsageError('--key goes with --checkpoint, --manifest or --file.');
  const { auditVerify, auditVerifyExport, auditVerifyUnit } = await audit();
  if (company === undefined && unit === undefined) {
    return file === undefined
      ? auditVerify({ checkpoint, manifest, key }, environment, output)
      : auditVerifyExport(file, { checkpoint, manifest, key }, environment, output);
  }
  if (isWithFile)
    throw new UsageError('--company and --unit cannot be used with --checkpoint, --manifest or --file.');
  return auditVerifyUnit(demandUnit(options), environment, output);
}

function demandUnit(options: Options): UnitName {
  return { company: demand(options, 'company'), unit: demand(options, 'unit') };
}

function demand(options: Options, name: keyof Options): string {
  const value = options[name];
  if (value === undefined || value === '') throw new UsageError(`--${name} is required.`);
  return value;
}

/** The first line of the message of anything that was thrown. */
function messageOf(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  const { message } = error as { message?: unknown };
  const text = typeof message === 'string' && message !== '' ? message : String(error);
  return text.split('\n', 1)[0]!.trim();
}
