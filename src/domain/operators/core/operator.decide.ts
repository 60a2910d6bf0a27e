import type { Decided } from '#eventsourcing/writing/aggregate.js';
import {
  type CredentialCommand,
  type Credentials,
  credentialsAfter,
  decideCredential,
  type InvitationFacts,
  invited,
} from './credentials.js';
import type {
  ChangedOperator,
  CompanyRights,
  OperatorEvent,
  OperatorField,
  OperatorRights,
} from './operator.events.js';
import { NOBODY_LINKED } from './sign-on.js';

/** The state that an operator's events come to. */
export interface OperatorState extends OperatorRights, Credentials {
  readonly removed: boolean;
}

export type OperatorCommand =
  | {
      readonly type: 'AddOperator';
      readonly operator_id: string;
      readonly rights: OperatorRights;
      readonly credential_sha256: string;
      /** Of an operator who is to set the password. */
      readonly invitation?: InvitationFacts;
    }
  | {
      readonly type: 'ChangeOperator';
      readonly rights: OperatorRights;
      /** The changed details whose values are not stored in the log. */
      readonly details: readonly Extract<OperatorField, 'email' | 'password'>[];
      /** Given if `details` names the password: SHA-256 (hex) of its stored hash. */
      readonly credential_sha256?: string | undefined;
      /** True: a password works from now on although passwords are off. */
      readonly allows_password?: boolean;
    }
  | CredentialCommand
  | { readonly type: 'SwitchSummary'; readonly company_id: string; readonly on: boolean }
  | { readonly type: 'RemoveOperator' };

export function evolveOperator(state: OperatorState | undefined, event: OperatorEvent): OperatorState {
  switch (event.type) {
    case 'OperatorAdded':
    case 'OperatorOfSitesAdded': {
      const password_sha256 = event.data.credential_sha256;
      const hashes = { password_sha256, factor_sha256: null, invitation_sha256: null, ...NOBODY_LINKED };
      return { ...rightsOf(event.data), removed: false, ...hashes };
    }
    case 'OperatorChanged':
    case 'OperatorOfSitesChanged':
      return withChanges(state!, event.data);
    case 'OperatorSessionsEnded':
    case 'OperatorSummarySwitched':
      return state!;
    case 'OperatorRemoved':
      return { ...state!, removed: true };
    default:
      return { ...state!, ...credentialsAfter(event) };
  }
}

function withChanges(state: OperatorState, changed: CompanyRights & ChangedOperator): OperatorState {
  const password_sha256 = changed.credential_sha256 ?? state.password_sha256;
  return { ...state, ...rightsOf(changed), removed: false, password_sha256, invitation_sha256: null };
}

/** Decides a command. Pure. A change of password or rights ends the sessions that were opened before it (decisions §6). */
export function decideOperator(
  state: OperatorState | undefined,
  command: OperatorCommand,
): Decided<OperatorEvent, undefined, never> {
  switch (command.type) {
    case 'AddOperator': {
      if (state !== undefined) return { events: [], result: undefined };
      const { operator_id, rights, credential_sha256, invitation } = command;
      const event = added(rights, { operator_id, credential_sha256 });
      return { events: invitation === undefined ? [event] : [event, invited(invitation)], result: undefined };
    }
    case 'ChangeOperator': {
      const events = changed(state!, command);
      if (command.allows_password === true) events.push({ type: 'OperatorPasswordAllowed', data: {} });
      return { events, result: undefined };
    }
    case 'SwitchSummary': {
      const { company_id, on } = command;
      return { events: [{ type: 'OperatorSummarySwitched', data: { company_id, on } }], result: undefined };
    }
    case 'RemoveOperator': {
      if (state === undefined || state.removed) return { events: [], result: undefined };
      const events = [
        { type: 'OperatorSessionsEnded', data: {} },
        { type: 'OperatorRemoved', data: {} },
      ] as const;
      return { events, result: undefined };
    }
    default:
      return { events: decideCredential(command), result: undefined };
  }
}

function added(
  rights: OperatorRights,
  named: { readonly operator_id: string; readonly credential_sha256: string },
): OperatorEvent {
  const { sites, ...others } = rightsOf(rights);
  const data = { ...named, ...others };
  return sites === null
    ? { type: 'OperatorAdded', data }
    : { type: 'OperatorOfSitesAdded', data: { ...data, sites } };
}

function changed(
  state: OperatorState,
  { rights, details, credential_sha256 }: Extract<OperatorCommand, { type: 'ChangeOperator' }>,
): OperatorEvent[] {
  const fields = [...details, ...differing(state, rights)];
  if (fields.length === 0) return [];
  const { sites, ...others } = rightsOf(rights);
  const data = { fields, ...others, ...(credential_sha256 && { credential_sha256 }) };
  const event: OperatorEvent =
    sites === null
      ? { type: 'OperatorChanged', data }
      : { type: 'OperatorOfSitesChanged', data: { ...data, sites } };
  return endsSessions(fields) ? [event, { type: 'OperatorSessionsEnded', data: {} }] : [event];
}

/** Whether a change of these fields ends the operator's sessions. */
export function endsSessions(fields: readonly OperatorField[]): boolean {
  return fields.some((field) => field !== 'email');
}

/** The names of the rights that differ. The order of companies and of sites does not matter. */
export function differing(before: OperatorRights, after: OperatorRights): (keyof OperatorRights)[] {
  const fields: (keyof OperatorRights)[] = [];
  if (before.role !== after.role) fields.push('role');
  if (scopeKey(before) !== scopeKey(after)) fields.push('companies');
  if (sitesKey(before) !== sitesKey(after)) fields.push('sites');
  if (before.disabled !== after.disabled) fields.push('disabled');
  return fields;
}

function scopeKey({ companies }: OperatorRights): string {
  return companies === null ? '*' : [...companies].sort().join();
}

function sitesKey({ sites }: OperatorRights): string {
  if (sites === null) return '*';
  return sites
    .map(({ company_id, location_id }) => `${company_id} ${location_id}`)
    .sort()
    .join();
}

/** @param rights without `sites` those of an operator of whole companies */
export function rightsOf({
  role,
  companies,
  sites = null,
  disabled,
}: CompanyRights & Partial<OperatorRights>): OperatorRights {
  return { role, companies, sites, disabled };
}
