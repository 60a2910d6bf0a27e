/**
 * Storage format: add, never change (as in companies). Of an e-mail or a password only that it changed is told; the
 * account itself, with both, is a record.
 */
import type { EventType } from '../../log/codec.js';
import type { EventOf } from '../../log/domain-event.js';
import type { OperatorRole } from '../../http/authentication.js';

/** The rights of an operator. `companies` null: everywhere. */
export interface OperatorRights {
  readonly role: OperatorRole;
  readonly companies: readonly string[] | null;
  readonly disabled: boolean;
}

export type OperatorField = 'email' | 'password' | keyof OperatorRights;

/** The data of each event, by its type. */
export interface OperatorEvents {
  readonly OperatorAdded: OperatorRights & {
    readonly operator_id: string;
    /** SHA-256 (hex) of the stored password hash. */
    readonly credential_sha256: string;
  };
  /** The fields that differ, and the rights as they are from here on. */
  readonly OperatorChanged: OperatorRights & {
    readonly fields: readonly OperatorField[];
    /** The place of the password among the fields, as above. */
    readonly credential_sha256?: string;
  };
  /** SHA-256 (hex) of the stored factor, without what changes with each code. */
  readonly OperatorSecondFactorSet: { readonly credential_sha256: string };
  readonly OperatorSecondFactorRemoved: Readonly<Record<string, never>>;
  /** A recovery code was used instead of the authenticator. As above: of the factor that is left. */
  readonly OperatorRecoveryCodeUsed: { readonly codes_left: number; readonly credential_sha256: string };
  /**
   * Every session of the operator was ended, and not by signing out. After a change of the own second factor: every other one.
   */
  readonly OperatorSessionsEnded: Readonly<Record<string, never>>;
  readonly OperatorRemoved: Readonly<Record<string, never>>;
}

export type OperatorEvent = EventOf<OperatorEvents>;

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
