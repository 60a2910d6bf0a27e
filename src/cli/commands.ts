import { Command, Option } from 'commander';
import type { Environment, EnvironmentRules } from '#kernel/environment/environment.js';
import { SERVICE_VERSION } from '#kernel/service-version.js';
import type { UnitName } from './audit-unit.js';
import { type Output, UsageError } from './output.js';

export type Variables = Readonly<Record<string, string | undefined>>;

/** One call of the command line. */
export interface Call {
  readonly variables: Variables;
  readonly output: Output;
  /** The exit status of the command. */
  status: number;
}

const NOTES = `
KEY is the integrator's crm_unit_id, or ulid: and the service's unit_id. TIME is like 2026-06-06T09:00:00Z.
The stores are those of the service: DATA_DIR (./data), or EVENTSTORE_URL and MONGODB_URL.
operators add and reset show the password only once. On embedded stores stop the service before you change operators.
audit and backup work beside a running service. Stop it before restore and migrate. On servers views rebuild works beside it.
On embedded stores send POST /api/operator/views/rebuild to the running service instead.
The status is 0; 1 after a fault or failure; 2 for wrong usage.
`;

// Loaded on demand: loading the modules takes most of a command's time.
const audit = () => import('./audit.js');
const auditUnit = () => import('./audit-unit.js');
const operators = () => import('./operators.js');
const listings = () => import('./listings.js');

/** Every command with its options and its help. A command sets the status of the call. */
export function describeCommands(call: Call): Command {
  const program = describeProgram(call.output);
  describeAudit(addGroup(program, 'audit'), call);
  addGroup(program, 'companies')
    .command('list')
    .summary('print the companies with their locations, a line each')
    .action(onStores(call, async (_, ...rest) => (await listings()).listCompanies(...rest)));
  addGroup(program, 'units')
    .command('list')
    .summary("print a company's units with their access, a line each")
    .addOption(company().makeOptionMandatory())
    .action(
      onStores<UnitName>(call, async ({ company }, ...rest) =>
        (await listings()).listUnits(company, ...rest),
      ),
    );
  describeOperators(addGroup(program, 'operators'), call);
  program
    .command('backup')
    .argument('[FOLDER...]')
    .summary('copy the embedded store into an empty folder; check and sign the copy')
    .action((folders: readonly string[]) =>
      copyFolder('backup', folders, call, async (folder, environment) =>
        (await import('./backup/backup.js')).backUp(folder, environment, call.output),
      ),
    );
  program
    .command('restore')
    .argument('[FOLDER...]')
    .summary('copy a backup into a DATA_DIR without a store')
    .addOption(valued('--key <BASE64>', 'require that this public key signed the backup'))
    .action((folders: readonly string[], { key }: { readonly key?: string }) =>
      copyFolder('restore', folders, call, async (folder, environment) =>
        (await import('./backup/restore.js')).restore(folder, key, environment, call.output),
      ),
    );
  addGroup(program, 'views')
    .command('rebuild')
    .summary('rebuild the views from the log, in place')
    .action(onStores(call, async (_, ...rest) => (await import('./rebuild-views.js')).rebuildViews(...rest)));
  addGroup(program, 'eventstore')
    .command('grant')
    .summary("let the service's user read all events; EVENTSTORE_URL names an administrator")
    .addOption(valued('--user <NAME>', 'the user of the service').makeOptionMandatory())
    .action(
      onStores<{ readonly user: string }>(
        call,
        async ({ user }, ...rest) => (await import('./eventstore-grant.js')).grantOnEventStore(user, ...rest),
        { eventStoreAlone: true },
      ),
    );
  program
    .command('migrate')
    .summary('copy log and records from DATA_DIR to the servers; run again, it continues')
    .action(onStores(call, async (_, ...rest) => (await import('./migrate/migrate.js')).migrate(...rest)));
  program
    .command('help')
    .argument('[COMMAND...]')
    .summary('print the options of a command')
    .action((names: readonly string[]) => findNamed(program, names).outputHelp());
  return program;
}

function describeProgram({ stdout, stderr }: Output): Command {
  const program = new Command('storage-access')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // Whoever runs the program prints the error that is thrown.
      outputError: () => undefined,
    })
    .configureHelp({
      commandUsage: (command) => `storage-access ${usageOf(command)}`,
      commandDescription: (command) => command.summary(),
      visibleCommands: commandsIn,
      subcommandTerm: usageOf,
      optionTerm: ({ flags }) => withoutBrackets(flags),
    })
    .helpCommand(false)
    .helpOption('-h, --help', 'print this text')
    .version(SERVICE_VERSION, '--version', 'print the version')
    .addHelpText('after', NOTES);
  return refuseOthers(program);
}

function describeAudit(group: Command, call: Call): void {
  group
    .command('history')
    .summary("print a unit's history, oldest first, one event a line")
    .addOption(company().makeOptionMandatory())
    .addOption(unit().makeOptionMandatory())
    .action(
      onStores<UnitName>(call, async (name, ...rest) => (await auditUnit()).auditHistory(name, ...rest)),
    );
  group
    .command('as-of')
    .summary('print a unit as of an instant')
    .addOption(company().makeOptionMandatory())
    .addOption(unit().makeOptionMandatory())
    .addOption(valued('--at <TIME>', 'the instant').makeOptionMandatory())
    .addOption(valued('--file <EXPORT>', 'read it from an export alone, which is checked first'))
    .addOption(valued('--key <BASE64>', 'require that this public key signed the export'))
    .action(onStores(call, asOf));
  group
    .command('verify')
    .summary('recompute all hash chains; compare records and views with the log')
    .addOption(company())
    .addOption(unit())
    .option('--log-only', 'do not compare the views')
    .addOption(valued('--checkpoint <FILE>', 'name every stream that differs from these signed checkpoints'))
    .addOption(valued('--manifest <FILE>', "name every stream that differs from this export's manifest"))
    .addOption(valued('--file <EXPORT>', 'check an export without the stores'))
    .addOption(valued('--key <BASE64>', 'require that this public key made the signatures'))
    .addHelpText('after', '\nWith --company and --unit it recomputes the hash chain of that unit alone.\n')
    .action(onStores(call, verify));
  group
    .command('key')
    .summary('print the public key of the signatures, for an auditor; make the key if there is none')
    .action(onStores(call, async (_, ...rest) => (await audit()).auditKey(...rest)));
  group
    .command('checkpoint')
    .summary('sign the end of every stream and print the line')
    .action(onStores(call, async (_, ...rest) => (await audit()).auditCheckpoint(...rest)));
  group
    .command('export')
    .summary('print the whole log as NDJSON, the signed manifest last')
    .action(onStores(call, async (_, ...rest) => (await audit()).auditExport(...rest)));
}

interface EmailOption {
  readonly email: string;
}

function describeOperators(group: Command, call: Call): void {
  const email = () => valued('--email <EMAIL>', "the operator's address").makeOptionMandatory();
  group
    .command('list')
    .summary('print the operators, a line each')
    .action(onStores(call, async (_, ...rest) => (await operators()).listOperators(...rest)));
  group
    .command('add')
    .summary('add an operator of all companies and print a password')
    .addOption(email())
    .addOption(valued('--role <ROLE>', 'admin, if it is not given'))
    .action(
      onStores<EmailOption & { readonly role?: string }>(call, async (added, ...rest) =>
        (await operators()).addOperator(added, ...rest),
      ),
    );
  group
    .command('reset')
    .summary('print a new password, enable the operator, end all sessions')
    .addOption(email())
    .action(
      onStores<EmailOption>(call, async ({ email }, ...rest) =>
        (await operators()).resetOperator(email, ...rest),
      ),
    );
  group
    .command('remove-second-factor')
    .summary('remove a lost second factor, end all sessions')
    .addOption(email())
    .action(
      onStores<EmailOption>(call, async ({ email }, ...rest) =>
        (await operators()).removeSecondFactor(email, ...rest),
      ),
    );
}

/** An action that reads the environment and checks the addresses of its stores. */
function onStores<T>(
  call: Call,
  command: (options: T, environment: Environment, output: Output) => Promise<number>,
  rules?: EnvironmentRules,
): (options: T) => Promise<void> {
  return async (options) => {
    const { readCheckedEnvironment } = await import('#app/checked-environment.js');
    const environment = await readCheckedEnvironment(call.variables, rules);
    call.status = await command(options, environment, call.output);
  };
}

async function copyFolder(
  name: string,
  folders: readonly string[],
  call: Call,
  copy: (folder: string, environment: Environment) => Promise<number>,
): Promise<void> {
  const [folder = '', ...others] = folders;
  if (folder === '' || others.length > 0) throw new UsageError(`${name} takes one folder.`);
  const { readEnvironment } = await import('#kernel/environment/environment.js');
  call.status = await copy(folder, readEnvironment(call.variables));
}

interface AsOfOptions extends UnitName {
  readonly at: string;
  readonly file?: string;
  readonly key?: string;
}

async function asOf(
  { at, file, key, ...name }: AsOfOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  if (file === undefined && key !== undefined) throw new UsageError('--key goes with --file.');
  if (file === undefined) return (await auditUnit()).auditAsOf(name, at, environment, output);
  const { auditAsOfExport } = await import('./audit-export-unit.js');
  return auditAsOfExport(name, { at, file, key }, environment, output);
}

interface VerifyOptions extends Partial<UnitName> {
  readonly checkpoint?: string;
  readonly manifest?: string;
  readonly file?: string;
  readonly key?: string;
  readonly logOnly?: true;
}

async function verify(options: VerifyOptions, environment: Environment, output: Output): Promise<number> {
  const { company, unit, file, checkpoint, manifest, key, logOnly: isLogOnly = false } = options;
  const isWithFile = [file, checkpoint, manifest].some((path) => path !== undefined);
  if (key !== undefined && !isWithFile)
    throw new UsageError('--key goes with --checkpoint, --manifest or --file.');
  if (isLogOnly && [company, unit, file].some((given) => given !== undefined))
    throw new UsageError('--log-only goes with the whole log: without --company, --unit and --file.');
  const { auditVerify, auditVerifyExport, auditVerifyUnit } = await audit();
  if (company === undefined && unit === undefined) {
    return file === undefined
      ? auditVerify({ checkpoint, manifest, key, isLogOnly }, environment, output)
      : auditVerifyExport(file, { checkpoint, manifest, key }, environment, output);
  }
  if (isWithFile)
    throw new UsageError('--company and --unit cannot be used with --checkpoint, --manifest or --file.');
  const name = { company: assertGiven('company', company), unit: assertGiven('unit', unit) };
  return auditVerifyUnit(name, environment, output);
}

function company(): Option {
  return valued('--company <ID>', "the company's company_id");
}

function unit(): Option {
  return valued('--unit <KEY>', "the integrator's crm_unit_id, or ulid: and the service's unit_id");
}

/** An option with a value, which may not look like another option that follows by mistake. */
function valued(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser((value: string) => {
    if (value.startsWith('--')) throw new UsageError(`Option '${withoutBrackets(flags)}' argument missing.`);
    return option.mandatory ? assertGiven(option.name(), value) : value;
  });
}

function assertGiven(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${option} is required.`);
  return value;
}

function addGroup(program: Command, name: string): Command {
  return refuseOthers(program.command(name));
}

/** Refuses a command that the group does not have. */
function refuseOthers(group: Command): Command {
  return group.on('command:*', ([name]: readonly string[]) => {
    throw new UsageError(`There is no command "${[...pathOf(group), name].join(' ')}".`);
  });
}

/** @throws UsageError */
function findNamed(program: Command, names: readonly string[]): Command {
  return names.reduce<Command>((group, name) => {
    const found = group.commands.find((command) => command.name() === name);
    if (found === undefined) throw new UsageError(`There is no command "${names.join(' ')}".`);
    return found;
  }, program);
}

/** All commands of a group, and of the groups in it. */
function commandsIn(group: Command): Command[] {
  return group.commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : commandsIn(command),
  );
}

/** A command's name with the names of its groups. */
function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

/** For example: audit as-of --company ID --unit KEY --at TIME [OPTIONS] */
function usageOf(command: Command): string {
  const path = pathOf(command);
  if (command.commands.length > 0) return [...path, 'COMMAND [OPTIONS]'].join(' ');
  const taken = command.registeredArguments.map((argument) => argument.name());
  const required = command.options
    .filter(({ mandatory }) => mandatory)
    .map(({ flags }) => withoutBrackets(flags));
  const others = command.options.some(({ mandatory }) => !mandatory) ? ['[OPTIONS]'] : [];
  return [...path, ...taken, ...required, ...others].join(' ');
}

/** `--at <TIME>` as people read it. */
export function withoutBrackets(text: string): string {
  return text.replace(/[<>]/g, '');
}
