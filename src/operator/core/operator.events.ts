/**
 * Storage format: add, never change (as in companies). Of an e-mail or a password only that it changed is told; the
 * account itself, with both, is a record.
 */
import type { EventType } from '../../log/codec.js';
import type { OperatorRole } from '../../http/authentication.js';

/** The rights of an operator. `companies` null: everywhere. */
export interface OperatorRights {
  readonly role: OperatorRole;
  readonly companies: readonly string[] | null;
  readonly disabled: boolean;
}

export interface OperatorAdded {
  readonly type: 'OperatorAdded';
  readonly data: OperatorRights & {
    readonly operator_id: string;
    /** SHA-256 (hex) of the stored password hash. */
    readonly credential_sha256: string;
  };
}

export type OperatorField = 'email' | 'password' | keyof OperatorRights;

export interface OperatorChanged {
  readonly type: 'OperatorChanged';
  /** The fields that differ, and the rights as they are from here on. */
  readonly data: OperatorRights & {
    readonly fields: readonly OperatorField[];
    /** The place of the password among the fields, as above. */
    readonly credential_sha256?: string;
  };
}

export interface OperatorSecondFactorSet {
  readonly type: 'OperatorSecondFactorSet';
  /** SHA-256 (hex) of the stored factor, without what changes with each code. */
  readonly data: { readonly credential_sha256: string };
}

export interface OperatorSecondFactorRemoved {
  readonly type: 'OperatorSecondFactorRemoved';
  readonly data: Readonly<Record<string, never>>;
}

/** A recovery code was used instead of the authenticator. */
export interface OperatorRecoveryCodeUsed {
  readonly type: 'OperatorRecoveryCodeUsed';
  /** As above: of the factor that is left. */
  readonly data: { readonly codes_left: number; readonly credential_sha256: string };
}

/** Every session of the operator was ended, and not by signing out. After a change of the own second factor: every other one. */
export interface OperatorSessionsEnded {
  readonly type: 'OperatorSessionsEnded';
  readonly data: Readonly<Record<string, never>>;
}

export interface OperatorRemoved {
  readonly type: 'OperatorRemoved';
  readonly data: Readonly<Record<string, never>>;
}

export type OperatorEvent =
  | OperatorAdded
  | OperatorChanged
  | OperatorSecondFactorSet
  | OperatorSecondFactorRemoved
  | OperatorRecoveryCodeUsed
  | OperatorSessionsEnded
  | OperatorRemoved;

export const OPERATOR_CATEGORY = 'operator';

/** Every type with the schema it is written with. */
export const OPERATOR_EVENT_TYPES: Readonly<Record<OperatorEvent['type'], EventType>> = {
  OperatorAdded: { schema: 1 },
  OperatorChanged: { schema: 1 },
  OperatorSecondFactorSet: { schema: 1 },
  OperatorSecondFactorRemoved: { schema: 1 },
  OperatorRecoveryCodeUsed: { schema: 1 },
  OperatorSessionsEnded: { schema: 1 },
  OperatorRemoved: { schema: 1 },
};

export function operatorStream(operator_id: string): string {
  return `${OPERATOR_CATEGORY}-${operator_id}`;
}
