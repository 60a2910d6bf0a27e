import { hashOf } from '#kernel/credential-hash.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { InvitationFacts } from './core/credentials.js';

export const INVITATION_DAYS = 7;
const LIFETIME_MS = INVITATION_DAYS * 24 * 60 * 60 * 1000;
const ID_LENGTH = 26;

/** An open invitation, as the operator's record holds it. */
export interface Invitation {
  /** SHA-256 (hex) of the token. The token itself is not stored. */
  readonly token_sha256: string;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

/** An invitation that was made now. */
export interface NewInvitation {
  readonly invitation: Invitation;
  /** Of the link. It is shown only once. */
  readonly token: string;
}

/** @param secret of 256 bits @param now milliseconds since the epoch */
export function newInvitation(operator_id: string, secret: string, now: number): NewInvitation {
  const token = `${operator_id}-${secret}`;
  return { token, invitation: { token_sha256: hashOf(token), expires_at: now + LIFETIME_MS } };
}

/** The operator whom a token names. Anybody can write such a token: compare its hash. */
export function operatorIn(token: string): string {
  return token.slice(0, ID_LENGTH);
}

/** Whether the token is that of the invitation, and in time. */
export function opens(invitation: Invitation | null, token: string, now: number): boolean {
  return invitation !== null && invitation.token_sha256 === hashOf(token) && now < invitation.expires_at;
}

export function invitationSha256(invitation: Invitation): string {
  return hashOf(JSON.stringify([invitation.token_sha256, invitation.expires_at]));
}

/** The invitation as events hold it. */
export function factsOf(invitation: Invitation): InvitationFacts {
  return {
    expires_at: toTimestamp(invitation.expires_at),
    credential_sha256: invitationSha256(invitation),
  };
}
