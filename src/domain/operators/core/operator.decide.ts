import type { Decided } from '#eventsourcing/writing/aggregate.js';
import type { OperatorEvent, OperatorField, OperatorRights } from './operator.events.js';

/** The state that an operator's events come to. */
export interface OperatorState extends OperatorRights {
  readonly removed: boolean;
  /** SHA-256 (hex) of the stored password hash. */
  readonly password_sha256: string;
  /** SHA-256 (hex) of the stored second factor. Null if none is set. */
  readonly factor_sha256: string | null;
}

export type OperatorCommand =
  | {
      readonly type: 'AddOperator';
      readonly operator_id: string;
      readonly rights: OperatorRights;
      readonly credential_sha256: string;
    }
  | {
      readonly type: 'ChangeOperator';
      readonly rights: OperatorRights;
      /** The changed details whose values are not stored in the log. */
      readonly details: readonly Extract<OperatorField, 'email' | 'password'>[];
      /** Given if `details` names the password: SHA-256 (hex) of its stored hash. */
      readonly credential_sha256?: string | undefined;
    }
  | { readonly type: 'SetSecondFactor'; readonly credential_sha256: string }
  | { readonly type: 'RemoveSecondFactor' }
  | { readonly type: 'UseRecoveryCode'; readonly codes_left: number; readonly credential_sha256: string }
  | { readonly type: 'RemoveOperator' };

export function evolveOperator(state: OperatorState | undefined, event: OperatorEvent): OperatorState {
  switch (event.type) {
    case 'OperatorAdded': {
      const password_sha256 = event.data.credential_sha256;
      return { ...rightsOf(event.data), removed: false, password_sha256, factor_sha256: null };
    }
    case 'OperatorChanged': {
      const password_sha256 = event.data.credential_sha256 ?? state!.password_sha256;
      return { ...state!, ...rightsOf(event.data), removed: false, password_sha256 };
    }
    case 'OperatorSecondFactorSet':
    case 'OperatorRecoveryCodeUsed':
      return { ...state!, factor_sha256: event.data.credential_sha256 };
    case 'OperatorSecondFactorRemoved':
      return { ...state!, factor_sha256: null };
    case 'OperatorSessionsEnded':
      return state!;
    case 'OperatorRemoved':
      return { ...state!, removed: true };
  }
}

/** Decides a command. Pure. A change of password or rights ends the sessions that were opened before it (decisions §6). */
export function decideOperator(
  state: OperatorState | undefined,
  command: OperatorCommand,
): Decided<OperatorEvent, undefined, never> {
  switch (command.type) {
    case 'AddOperator': {
      if (state !== undefined) return { events: [], result: undefined };
      const { operator_id, rights, credential_sha256 } = command;
      const data = { operator_id, ...rights, credential_sha256 };
      return { events: [{ type: 'OperatorAdded', data }], result: undefined };
    }
    case 'ChangeOperator':
      return { events: changed(state!, command), result: undefined };
    case 'SetSecondFactor': {
      const { credential_sha256 } = command;
      return withSessionsEnded({ type: 'OperatorSecondFactorSet', data: { credential_sha256 } });
    }
    case 'RemoveSecondFactor':
      return withSessionsEnded({ type: 'OperatorSecondFactorRemoved', data: {} });
    case 'UseRecoveryCode': {
      const { codes_left, credential_sha256 } = command;
      const data = { codes_left, credential_sha256 };
      return withSessionsEnded({ type: 'OperatorRecoveryCodeUsed', data });
    }
    case 'RemoveOperator': {
      if (state === undefined || state.removed) return { events: [], result: undefined };
      const events = [
        { type: 'OperatorSessionsEnded', data: {} },
        { type: 'OperatorRemoved', data: {} },
      ] as const;
      return { events, result: undefined };
    }
  }
}

function withSessionsEnded(event: OperatorEvent): Decided<OperatorEvent, undefined, never> {
  return { events: [event, { type: 'OperatorSessionsEnded', data: {} }], result: undefined };
}

function changed(
  state: OperatorState,
  { rights, details, credential_sha256 }: Extract<OperatorCommand, { type: 'ChangeOperator' }>,
): OperatorEvent[] {
  const fields = [...details, ...differing(state, rights)];
  if (fields.length === 0) return [];
  const event: OperatorEvent = {
    type: 'OperatorChanged',
    data: { fields, ...rights, ...(credential_sha256 && { credential_sha256 }) },
  };
  return endsSessions(fields) ? [event, { type: 'OperatorSessionsEnded', data: {} }] : [event];
}

/** Whether a change of these fields ends the operator's sessions. */
export function endsSessions(fields: readonly OperatorField[]): boolean {
  return fields.some((field) => field !== 'email');
}

/** The names of the rights that differ. The order of companies does not matter. */
export function differing(before: OperatorRights, after: OperatorRights): (keyof OperatorRights)[] {
  const fields: (keyof OperatorRights)[] = [];
  if (before.role !== after.role) fields.push('role');
  if (scopeKey(before) !== scopeKey(after)) fields.push('companies');
  if (before.disabled !== after.disabled) fields.push('disabled');
  return fields;
}

function scopeKey({ companies }: OperatorRights): string {
  return companies === null ? '*' : [...companies].sort().join();
}

export function rightsOf({ role, companies, disabled }: OperatorRights): OperatorRights {
  return { role, companies, disabled };
}
