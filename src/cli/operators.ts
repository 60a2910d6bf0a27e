import { isEmailAddress } from '#kernel/email-address.js';
import { systemClock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import { systemIds } from '#kernel/ids.js';
import { OPERATOR_ROLES, type OperatorRole } from '#kernel/principals.js';
import {
  type ChangeOrigin,
  OperatorAdministration,
  type OperatorRecord,
  OperatorSessions,
  Operators,
  OperatorLease,
  Passwords,
  WriteOperatorHandler,
} from '#domain/operators/index.js';
import { busOfHandlers } from '#eventsourcing/writing/bus-of-handlers.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { commitInOrder } from '#eventsourcing/writing/commit.js';
import { SharedLogTail } from '#eventsourcing/writing/log-tail.js';
import { CommandError, jsonLine, type Output, UsageError } from './output.js';
import { closeStores, openReaders, openRecordsAlone, soundStreams } from './stores.js';

/** Prints the operators, a line each. */
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

/** Adds an operator who may see all companies, and prints the generated password. */
export async function addOperator(
  { email, role = 'admin' }: { readonly email: string; readonly role?: string | undefined },
  environment: Environment,
  output: Output,
): Promise<number> {
  if (!isEmailAddress(email)) throw new UsageError('--email must be a valid email address.');
  if (!isRole(role)) throw new UsageError(`--role must be one of ${OPERATOR_ROLES.join(', ')}.`);
  const password = systemIds.secret();
  return withAdministration(environment, output, password, ({ administration }) =>
    administration.add({ email, password, role, companies: null, sites: null, disabled: false }, origin()),
  );
}

/**
 * Enables an operator with a generated password, and prints it. It works although passwords are off, until the operator signs
 * on. All sessions of the operator end.
 */
export async function resetOperator(
  email: string,
  environment: Environment,
  output: Output,
): Promise<number> {
  const password = systemIds.secret();
  return withAdministration(environment, output, password, async ({ administration, operators }) => {
    const operator = await operators.byEmail(email);
    if (operator === undefined) return 'operator_not_found';
    return administration.change(
      operator._id,
      { password, disabled: false, allows_password: true },
      origin(),
    );
  });
}

/** Removes the second factor of an operator who has lost it. All sessions of the operator end. */
export async function removeSecondFactor(
  email: string,
  environment: Environment,
  output: Output,
): Promise<number> {
  return withAdministration(environment, output, undefined, async ({ administration, operators }) => {
    const operator = await operators.byEmail(email);
    if (operator === undefined) return 'operator_not_found';
    return administration.removeSecondFactor(operator._id, origin());
  });
}

type Parts = { readonly administration: OperatorAdministration; readonly operators: Operators };

const REFUSALS: Readonly<Record<string, string>> = {
  operator_not_found: 'There is no operator with this e-mail.',
  email_taken: 'An operator has this e-mail already. For a new password run storage-access operators reset.',
};

async function withAdministration(
  environment: Environment,
  { stdout }: Output,
  password: string | undefined,
  work: (parts: Parts) => ReturnType<OperatorAdministration['change']>,
): Promise<number> {
  const stores = await openRecordsAlone(environment);
  try {
    const { records } = stores;
    const store = soundStreams(stores.eventStore);
    const operators = new Operators(records, systemClock, systemIds);
    const runner = new CommandRunner({
      store,
      commit: commitInOrder({ log: store, records }),
      clock: systemClock,
      ids: systemIds,
      tail: new SharedLogTail(store, systemClock, () => Promise.resolve(undefined)),
      damaged: store.damaged,
    });
    const administration = new OperatorAdministration(
      systemClock,
      systemIds,
      new OperatorLease(records, systemClock, systemIds, operators),
      operators,
      busOfHandlers(new WriteOperatorHandler(runner)),
      new OperatorSessions(records, systemClock, systemIds, operators, environment),
      new Passwords(systemClock),
      environment,
    );
    const outcome = await work({ administration, operators });
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

function lineOf(operator: OperatorRecord, password?: string): string {
  const { _id: operator_id, email, role, companies, sites, disabled } = operator;
  const locations = sites?.map(({ location_id }) => location_id) ?? null;
  const second_factor = operator.second_factor !== null;
  return jsonLine({ operator_id, email, role, companies, locations, disabled, second_factor, password });
}

function origin(): ChangeOrigin {
  const command_id = systemIds.ulid();
  const actor = { kind: 'system', id: 'command-line' } as const;
  return { author: 'system', context: { command_id, request_id: command_id, actor, recovering: false } };
}
