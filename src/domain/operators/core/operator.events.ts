/**
 * Storage format: add, never change. An event says that an e-mail or a password changed, and never its value. The values are
 * in the operator's record.
 */
import type { EventType } from '#eventsourcing/log/codec.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';
import type { OperatorRole, Site } from '#kernel/principals.js';

/** The rights of an operator of whole companies. `companies` null: all companies. */
export interface CompanyRights {
  readonly role: OperatorRole;
  readonly companies: readonly string[] | null;
  readonly disabled: boolean;
}

/** The rights of an operator who sees some sites alone: those of `sites` that belong to `companies`. */
export interface SiteRights extends CompanyRights {
  readonly sites: readonly Site[];
}

/** The rights of an operator. `sites` null: not limited to sites. */
export interface OperatorRights extends CompanyRights {
  readonly sites: readonly Site[] | null;
}

/** A person at a provider of single sign-on, as events name them. */
export interface SignOnFacts {
  readonly issuer: string;
  /** SHA-256 (hex) of issuer and subject. */
  readonly subject_sha256: string;
}

/** How an operator was linked to a person at the provider. */
export type LinkMaker = 'invitation' | 'admin' | 'email';

/**
 * Why a known operator was not let in:
 * - `disabled`: the operator is disabled.
 * - `email_unverified`: the provider does not say that the e-mail, which would link the person, is verified.
 * - `linked_to_other`: the operator is linked to another person at this provider.
 * - `belongs_to_other`: the person who opened the operator's invitation is linked to another operator.
 * - `passwords_off`: the password was right, and passwords are off.
 */
export type SignOnRefusalReason =
  'disabled' | 'email_unverified' | 'linked_to_other' | 'belongs_to_other' | 'passwords_off';

export type OperatorField = 'email' | 'password' | keyof OperatorRights;

interface AddedOperator {
  readonly operator_id: string;
  /** Hash of the stored password hash. */
  readonly credential_sha256: string;
}

export interface ChangedOperator {
  readonly fields: readonly OperatorField[];
  /** Hash of the new stored password hash. Absent if the password did not change. */
  readonly credential_sha256?: string;
}

/** The data of each event, by its type. Each `credential_sha256` is a SHA-256 in hex. */
export interface OperatorEvents {
  readonly OperatorAdded: CompanyRights & AddedOperator;
  /** `fields` names what changed. The rights are those after the change. The operator is not limited to sites any more. */
  readonly OperatorChanged: CompanyRights & ChangedOperator;
  /** Types of their own: a release that does not know sites must not take their operators for operators of companies. */
  readonly OperatorOfSitesAdded: SiteRights & AddedOperator;
  readonly OperatorOfSitesChanged: SiteRights & ChangedOperator;
  /**
   * A link was made by which the operator sets a password. It replaces the one before. The hash covers the hash of the link's
   * token and its end. Every change of the operator, and every use of the link, ends it.
   */
  readonly OperatorInvited: { readonly expires_at: string; readonly credential_sha256: string };
  readonly OperatorInvitationWithdrawn: Readonly<Record<string, never>>;
  /** The operator set a password with the link. The hash is that of the stored password hash. */
  readonly OperatorInvitationAccepted: { readonly credential_sha256: string };
  /** A person at the provider of single sign-on signs in as this operator from now on. It ends an open invitation. */
  readonly OperatorSignOnLinked: SignOnFacts & { readonly by: LinkMaker };
  readonly OperatorSignOnUnlinked: Readonly<Record<string, never>>;
  /** The provider proved who the operator is. `second_factor` true: the provider's counts, and ours is not asked. */
  readonly OperatorSignedOn: { readonly subject_sha256: string; readonly second_factor: boolean };
  readonly OperatorSignOnRefused: { readonly reason: SignOnRefusalReason };
  /** The command line lets the operator sign in with a password although passwords are off, until the next sign-on. */
  readonly OperatorPasswordAllowed: Readonly<Record<string, never>>;
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
  /** The operator gets a mail about the company each morning from now on, or no more. */
  readonly OperatorSummarySwitched: { readonly company_id: string; readonly on: boolean };
}

export type OperatorEvent = EventOf<OperatorEvents>;

export const OPERATOR_CATEGORY = 'operator';

/** Every type with the schema it is written with. */
export const OPERATOR_EVENT_TYPES: Readonly<Record<OperatorEvent['type'], EventType>> = {
  OperatorAdded: { schema: 1 },
  OperatorChanged: { schema: 1 },
  OperatorOfSitesAdded: { schema: 1 },
  OperatorOfSitesChanged: { schema: 1 },
  OperatorInvited: { schema: 1 },
  OperatorInvitationWithdrawn: { schema: 1 },
  OperatorInvitationAccepted: { schema: 1 },
  OperatorSignOnLinked: { schema: 1 },
  OperatorSignOnUnlinked: { schema: 1 },
  OperatorSignedOn: { schema: 1 },
  OperatorSignOnRefused: { schema: 1 },
  OperatorPasswordAllowed: { schema: 1 },
  OperatorSecondFactorSet: { schema: 1 },
  OperatorSecondFactorRemoved: { schema: 1 },
  OperatorRecoveryCodeUsed: { schema: 1 },
  OperatorSessionsEnded: { schema: 1 },
  OperatorRemoved: { schema: 1 },
  OperatorSummarySwitched: { schema: 1 },
};

export function operatorStream(operator_id: string): string {
  return `${OPERATOR_CATEGORY}-${operator_id}`;
}
