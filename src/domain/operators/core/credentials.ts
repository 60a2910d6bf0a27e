import type { OperatorEvent } from './operator.events.js';
import {
  afterSignOn,
  decideSignOn,
  type SignOnCommand,
  type SignOnEvent,
  type SignOnState,
} from './sign-on.js';

/** What an operator signs in with: the hashes of stored credentials, and more. */
export interface Credentials extends SignOnState {
  /** SHA-256 (hex) of the stored password hash. */
  readonly password_sha256: string;
  /** SHA-256 (hex) of the stored second factor. Null if none is set. */
  readonly factor_sha256: string | null;
  /** SHA-256 (hex) of the stored invitation. Null if none is open. */
  readonly invitation_sha256: string | null;
}

/** An open invitation, as events hold it. */
export interface InvitationFacts {
  /** Timestamp. */
  readonly expires_at: string;
  readonly credential_sha256: string;
}

/** A command on the credentials alone. */
export type CredentialCommand =
  | SignOnCommand
  | { readonly type: 'InviteOperator'; readonly invitation: InvitationFacts }
  | { readonly type: 'WithdrawInvitation' }
  | { readonly type: 'AcceptInvitation'; readonly credential_sha256: string }
  | { readonly type: 'SetSecondFactor'; readonly credential_sha256: string }
  | { readonly type: 'RemoveSecondFactor' }
  | { readonly type: 'EndSessions' }
  | { readonly type: 'UseRecoveryCode'; readonly codes_left: number; readonly credential_sha256: string };

type CredentialEvent = Extract<
  OperatorEvent,
  {
    type:
      | `OperatorInvit${string}`
      | `OperatorSecondFactor${string}`
      | 'OperatorRecoveryCodeUsed'
      | 'OperatorSignOnLinked';
  }
>;

/** What an event changes in the credentials. */
export function credentialsAfter(event: CredentialEvent | SignOnEvent): Partial<Credentials> {
  switch (event.type) {
    case 'OperatorInvited':
      return { invitation_sha256: event.data.credential_sha256 };
    case 'OperatorInvitationWithdrawn':
      return { invitation_sha256: null };
    case 'OperatorInvitationAccepted':
      return { password_sha256: event.data.credential_sha256, invitation_sha256: null };
    case 'OperatorSecondFactorSet':
    case 'OperatorRecoveryCodeUsed':
      return { factor_sha256: event.data.credential_sha256 };
    case 'OperatorSecondFactorRemoved':
      return { factor_sha256: null };
    case 'OperatorSignOnLinked':
      return { sign_on_sha256: event.data.subject_sha256, invitation_sha256: null };
    default:
      return afterSignOn(event);
  }
}

export function decideCredential(command: CredentialCommand): OperatorEvent[] {
  switch (command.type) {
    case 'InviteOperator':
      return [invited(command.invitation)];
    case 'WithdrawInvitation':
      return [{ type: 'OperatorInvitationWithdrawn', data: {} }];
    case 'AcceptInvitation': {
      const { credential_sha256 } = command;
      return withSessionsEnded({ type: 'OperatorInvitationAccepted', data: { credential_sha256 } });
    }
    case 'SetSecondFactor': {
      const { credential_sha256 } = command;
      return withSessionsEnded({ type: 'OperatorSecondFactorSet', data: { credential_sha256 } });
    }
    case 'RemoveSecondFactor':
      return withSessionsEnded({ type: 'OperatorSecondFactorRemoved', data: {} });
    case 'EndSessions':
      return [{ type: 'OperatorSessionsEnded', data: {} }];
    case 'UseRecoveryCode': {
      const { codes_left, credential_sha256 } = command;
      return withSessionsEnded({
        type: 'OperatorRecoveryCodeUsed',
        data: { codes_left, credential_sha256 },
      });
    }
    default:
      return decideSignOn(command);
  }
}

export function invited({ expires_at, credential_sha256 }: InvitationFacts): OperatorEvent {
  return { type: 'OperatorInvited', data: { expires_at, credential_sha256 } };
}

function withSessionsEnded(event: OperatorEvent): OperatorEvent[] {
  return [event, { type: 'OperatorSessionsEnded', data: {} }];
}
