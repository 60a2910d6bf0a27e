import type { LinkMaker, OperatorEvent, SignOnFacts, SignOnRefusalReason } from './operator.events.js';

/** What lets an operator in beside a password, or a password where passwords are off. */
export interface SignOnState {
  /** SHA-256 (hex) of issuer and subject of the person at the provider. Null if nobody is linked. */
  readonly sign_on_sha256: string | null;
  /** Whether a password works although passwords are off. */
  readonly password_allowed: boolean;
}

export const NOBODY_LINKED: SignOnState = { sign_on_sha256: null, password_allowed: false };

/** A command on single sign-on alone. */
export type SignOnCommand =
  | { readonly type: 'LinkSignOn'; readonly link: SignOnFacts; readonly by: LinkMaker }
  | { readonly type: 'UnlinkSignOn' }
  | { readonly type: 'SignOn'; readonly subject_sha256: string; readonly second_factor: boolean }
  | { readonly type: 'RefuseSignOn'; readonly reason: SignOnRefusalReason };

/** An event on single sign-on alone. */
export type SignOnEvent = Extract<
  OperatorEvent,
  {
    type: 'OperatorSignOnUnlinked' | 'OperatorSignedOn' | 'OperatorSignOnRefused' | 'OperatorPasswordAllowed';
  }
>;

/** What an event changes. */
export function afterSignOn(event: SignOnEvent): Partial<SignOnState> {
  switch (event.type) {
    case 'OperatorSignOnUnlinked':
      return { sign_on_sha256: null };
    case 'OperatorSignedOn':
      return { password_allowed: false };
    case 'OperatorPasswordAllowed':
      return { password_allowed: true };
    case 'OperatorSignOnRefused':
      return {};
  }
}

export function decideSignOn(command: SignOnCommand): OperatorEvent[] {
  switch (command.type) {
    case 'LinkSignOn': {
      const { issuer, subject_sha256 } = command.link;
      const data = { issuer, subject_sha256, by: command.by };
      return [{ type: 'OperatorSignOnLinked', data }, SESSIONS_ENDED];
    }
    case 'UnlinkSignOn':
      return [{ type: 'OperatorSignOnUnlinked', data: {} }, SESSIONS_ENDED];
    case 'SignOn': {
      const { subject_sha256, second_factor } = command;
      return [{ type: 'OperatorSignedOn', data: { subject_sha256, second_factor } }];
    }
    case 'RefuseSignOn':
      return [{ type: 'OperatorSignOnRefused', data: { reason: command.reason } }];
  }
}

const SESSIONS_ENDED: OperatorEvent = { type: 'OperatorSessionsEnded', data: {} };
