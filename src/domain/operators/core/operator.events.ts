/**
 * Storage format: add, never change. An event says that an e-mail or a password changed, and never its value. The values are
 * in the operator's record.
 */
import type { EventType } from '#eventsourcing/log/codec.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';
import type { OperatorRole } from '#kernel/principals.js';

/** The rights of an operator. `companies` null: all companies. */
export interface OperatorRights {
  readonly role: OperatorRole;
  readonly companies: readonly string[] | null;
  readonly disabled: boolean;
}

export type OperatorField = 'email' | 'password' | keyof OperatorRights;

/** The data of each event, by its type. Each `credential_sha256` is a SHA-256 in hex. */
export interface OperatorEvents {
  readonly OperatorAdded: OperatorRights & {
    readonly operator_id: string;
    /** Hash of the stored password hash. */
    readonly credential_sha256: string;
  };
  /** `fields` names what changed. The rights are those after the change. */
  readonly OperatorChanged: OperatorRights & {
    readonly fields: readonly OperatorField[];
    /** Hash of the new stored password hash. Absent if the password did not change. */
    readonly credential_sha256?: string;
  };
  /** The hash covers the encrypted secret and the recovery codes, but not the time step of the last code. */
  readonly OperatorSecondFactorSet: { readonly credential_sha256: string };
  readonly OperatorSecondFactorRemoved: Readonly<Record<string, never>>;
  /** A recovery code was used instead of the authenticator. The hash is that of the factor without this code. */
  readonly OperatorRecoveryCodeUsed: { readonly codes_left: number; readonly credential_sha256: string };
  /**
   * The service ended every session of the operator. If operators change their own second factor, the session that they use
   * goes on.
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
