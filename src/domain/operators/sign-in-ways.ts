import { hashOf } from '#kernel/credential-hash.js';
import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import type { SignOnFacts } from './core/operator.events.js';

/** The person at a provider of single sign-on who signs in as an operator. */
export interface SignOnLink extends SignOnFacts {
  /** Milliseconds since the epoch. */
  readonly linked_at: number;
}

/** What the settings say of single sign-on. Undefined: there is none. */
export type SignOnRules = Pick<SignOnSettings, 'issuer' | 'only'> | undefined;

export const PASSWORD_STATES = ['chosen', 'given', 'missing'] as const;

/** By what an operator may sign in, as the record holds it. */
export interface SignInWays {
  /**
   * `given`: another person or a command made the password, so the operator must change it. `missing`: nobody knows the
   * password behind `password_hash`.
   */
  readonly password_state: (typeof PASSWORD_STATES)[number];
  /** True: a password works although passwords are off. The command line says so, until the next sign-on. */
  readonly password_allowed: boolean;
  /** The person at the provider of single sign-on. Null if nobody is linked. */
  readonly sign_on: SignOnLink | null;
}

/** The facts of a person. The subject itself is not stored. */
export function factsOfPerson(issuer: string, subject: string): SignOnFacts {
  return { issuer, subject_sha256: hashOf(`${new URL(issuer).href}\n${subject}`) };
}

/** Whether the operator is linked to a person at the provider of now. */
export function isLinked(
  { sign_on }: { readonly sign_on: Pick<SignOnLink, 'issuer'> | null },
  rules: SignOnRules,
): boolean {
  if (sign_on === null || rules === undefined) return false;
  return new URL(sign_on.issuer).href === new URL(rules.issuer).href;
}

/** Whether the operator's password counts here. With `OIDC_ONLY` it needs a word of the command line. */
export function mayUsePassword(
  { password_state, password_allowed }: Pick<SignInWays, 'password_state' | 'password_allowed'>,
  rules: SignOnRules,
): boolean {
  return password_state !== 'missing' && (rules?.only !== true || password_allowed);
}

/** Whether the operator has a credential that works. */
export function canSignIn(
  operator: SignInWays & { readonly disabled: boolean },
  rules: SignOnRules,
): boolean {
  return !operator.disabled && (isLinked(operator, rules) || mayUsePassword(operator, rules));
}
