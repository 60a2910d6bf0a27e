import { isEmailAddress } from '../config/email-address.js';
import { systemClock } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import { systemIds } from '../config/ids.js';
import { OPERATOR_ROLES, type OperatorRole } from '../http/index.js';
import {
  OperatorAdministration,
  type OperatorRecord,
  OperatorSessions,
  Operators,
  OperatorStreams,
  OperatorTurn,
  Passwords,
} from '../operator/index.js';
import { ProjectionsInFlight } from '../writing/projections-in-flight.js';
import { StreamWriter } from '../writing/stream-writer.js';
import { ViewsGate } from '../writing/views-gate.js';
import type { WriteContext } from '../writing/write-context.js';
import { CommandError, type Output, UsageError } from './output.js';
import { closeStores, openReaders, openRecordsAlone } from './stores.js';

/** Tells who may sign in, a line each. */
export async function listOperators(environment: Environment, { stdout }: Output): Promise<number> {
  const stores = await openReaders(environment);
  try {
    for (const operator of await new Operators(stores.records, systemClock, systemIds).all())
      stdout.write(lineOf(operator));
    return 0;
  } finally {
    await closeStores(stores);
  }
}

/** Adds an operator of all companies, with a password that is made up and shown only here. */
export async function addOperator(
  { email, role = 'admin' }: { readonly email: string; readonly role?: string | undefined },
  environment: Environment,
  output: Output,
): Promise<number> {
  if (!isEmailAddress(email)) throw new UsageError('--email must be a valid email address.');
  if (!isRole(role)) throw new UsageError(`--role must be one of ${OPERATOR_ROLES.join(', ')}.`);
  return withAdministration(environment, output, ({ administration }, password) =>
    administration.add({ email, password, role, companies: null, disabled: false }, context()),
  );
}

/** Lets an operator sign in again, with a password that is made up and shown only here; all sessions end. */
export async function resetOperator(
  email: string,
  environment: Environment,
  output: Output,
): Promise<number> {
  return withAdministration(environment, output, async ({ administration, operators }, password) => {
    const operator = await operators.byEmail(email);
    if (operator === undefined) return 'operator_not_found';
    return administration.change(operator._id, { password, disabled: false }, context());
  });
}

type Parts = { readonly administration: OperatorAdministration; readonly operators: Operators };

const REFUSALS: Readonly<Record<string, string>> = {
  operator_not_found: 'There is no operator with this e-mail.',
  email_taken: 'There is an operator with this e-mail: storage-access operators reset gives a new password.',
};

async function withAdministration(
  environment: Environment,
  { stdout }: Output,
  work: (parts: Parts, password: string) => ReturnType<OperatorAdministration['change']>,
): Promise<number> {
  const stores = await openRecordsAlone(environment);
  try {
    const { records, eventStore: store } = stores;
    const operators = new Operators(records, systemClock, systemIds);
    const ports = { store, records, clock: systemClock, ids: systemIds, gate: new ViewsGate() };
    const writer = new StreamWriter({
      ...ports,
      inFlight: new ProjectionsInFlight(systemClock),
      singleProcess: false,
      commitsTogether: false,
    });
    const administration = new OperatorAdministration(
      new OperatorTurn(records, systemClock, systemIds),
      operators,
      new OperatorStreams(writer, store),
      new OperatorSessions(records, systemClock, systemIds, operators),
      new Passwords(systemClock),
    );
    const password = systemIds.secret();
    const outcome = await work({ administration, operators }, password);
    if (typeof outcome === 'string') throw new CommandError(REFUSALS[outcome] ?? outcome);
    stdout.write(lineOf(outcome, password));
    return 0;
  } finally {
    await closeStores(stores);
  }
}

function isRole(role: string): role is OperatorRole {
  return OPERATOR_ROLES.some((one) => one === role);
}

function lineOf({ _id, email, role, companies, disabled }: OperatorRecord, password?: string): string {
  return `${JSON.stringify({ operator_id: _id, email, role, companies, disabled, password })}\n`;
}

function context(): WriteContext {
  const command_id = systemIds.ulid();
  const actor = { kind: 'system', id: 'command-line' } as const;
  return { command_id, request_id: command_id, actor, recovering: false };
}
