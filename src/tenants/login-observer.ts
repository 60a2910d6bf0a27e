/** The outcome of asking for a code, as it was answered. With `AUTH_UNIFORM_ANSWER` nobody learns here which phone is known. */
export const CODE_OUTCOMES = ['sent', 'unknown_phone', 'cooling_down', 'failed'] as const;
export type CodeOutcome = (typeof CODE_OUTCOMES)[number];

/** The outcome of trying a code. */
export const TRY_OUTCOMES = ['accepted', 'refused'] as const;
export type TryOutcome = (typeof TRY_OUTCOMES)[number];

/** Is told of logins, for whoever counts them. Must not throw. */
export interface LoginObserver {
  codeAsked(outcome: CodeOutcome): void;
  codeTried(outcome: TryOutcome): void;
}

/** Injection token of a `LoginObserver`; nobody is told where it is not bound. */
export const LOGIN_OBSERVER = Symbol('LoginObserver');
