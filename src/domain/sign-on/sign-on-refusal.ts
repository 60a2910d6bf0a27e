import type { ProviderTrouble } from './identity-provider.js';

/**
 * Why somebody was not let in:
 * - `over`: the sign-on took too long, was finished before, or began in another browser.
 * - `unknown`: nobody here is linked to this person.
 * - `email_unverified`: the provider does not say that the e-mail, which would link the person, is verified.
 * - `linked_to_other`: the operator is linked to another person at this provider.
 * - `belongs_to_other`: this person is linked to another operator than the invited one.
 * - `disabled`: the operator is disabled.
 * - `invitation_invalid`: the invitation does not work any more.
 */
export type SignOnRefusal =
  | ProviderTrouble
  | 'over'
  | 'unknown'
  | 'email_unverified'
  | 'linked_to_other'
  | 'belongs_to_other'
  | 'disabled'
  | 'invitation_invalid';

/** Ends a sign-on. @param operator_id of the operator in whose history it is noted */
export class SignOnRefusedError extends Error {
  constructor(
    readonly reason: SignOnRefusal,
    readonly operator_id?: string,
  ) {
    super(`The sign-on is refused: ${reason}.`);
    this.name = 'SignOnRefusedError';
  }
}
