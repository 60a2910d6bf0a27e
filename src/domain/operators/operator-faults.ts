import { isDeepStrictEqual } from 'node:util';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { readFrom } from '#eventsourcing/writing/stored-stream.js';
import { differing, evolveOperator, type OperatorState } from './core/operator.decide.js';
import { type OperatorEvent, operatorStream } from './core/operator.events.js';
import { OPERATOR } from './operator.aggregate.js';
import { credentialsOf, type OperatorRecord, type Operators } from './operators.js';

/**
 * Compares the records of operators with the log. A record may be one change behind, because its event is stored first. A
 * removed operator must have no record.
 * @returns a line for each record that differs from the log
 * @throws StoreUnavailableError
 */
export async function faultsOfOperators(operators: Operators, log: EventStore): Promise<string[]> {
  const faults: string[] = [];
  for (const record of await operators.all()) {
    const fault = faultOf(record, await newestTwo(log, record._id));
    if (fault !== undefined) faults.push(`Operator ${record._id} ${fault}`);
  }
  return faults;
}

/** The state now, and the state before the last change. */
interface NewestTwo {
  readonly newest: OperatorState | undefined;
  readonly before: OperatorState | undefined;
}

async function newestTwo(log: EventStore, operator_id: string): Promise<NewestTwo> {
  let states: NewestTwo = { newest: undefined, before: undefined };
  for (const event of await readFrom<OperatorEvent>(log, OPERATOR, operatorStream(operator_id), 0)) {
    const next = evolveOperator(states.newest, event);
    if (!isDeepStrictEqual(next, states.newest)) states = { newest: next, before: states.newest };
  }
  return states;
}

function faultOf(record: OperatorRecord, { newest, before }: NewestTwo): string | undefined {
  if (newest === undefined) return 'is in no event of the log. Remove the operator.';
  if (newest.removed) return 'was removed, and is there again. Remove the operator again.';
  const fields = differences(record, newest);
  if (fields.length === 0 || (before !== undefined && differences(record, before).length === 0))
    return undefined;
  return `differs from the log (${fields.join(', ')}). Set these again, or remove the operator.`;
}

function differences(record: OperatorRecord, state: OperatorState): string[] {
  const { password_sha256, factor_sha256, invitation_sha256, sign_on_sha256 } = credentialsOf(record);
  // A record without the invitation of the log lets nobody in.
  const isInvitationSound = invitation_sha256 === null || invitation_sha256 === state.invitation_sha256;
  const isLinkSound = sign_on_sha256 === null || sign_on_sha256 === state.sign_on_sha256;
  const isAllowanceSound = !record.password_allowed || state.password_allowed;
  return [
    ...differing(record, state),
    ...(password_sha256 === state.password_sha256 ? [] : ['password']),
    ...(factor_sha256 === state.factor_sha256 ? [] : ['second factor']),
    ...(isInvitationSound ? [] : ['invitation']),
    ...(isLinkSound ? [] : ['single sign-on']),
    ...(isAllowanceSound ? [] : ['password allowed']),
  ];
}
