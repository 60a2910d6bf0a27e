/** The answered outcome of a request for a code. With `AUTH_UNIFORM_ANSWER` it does not reveal which phones are known. */
export const CODE_OUTCOMES = ['sent', 'unknown_phone', 'cooling_down', 'failed'] as const;
type CodeOutcome = (typeof CODE_OUTCOMES)[number];

export const TRY_OUTCOMES = ['accepted', 'refused'] as const;
type TryOutcome = (typeof TRY_OUTCOMES)[number];

/** Receives outcomes of logins, for metrics. Must not throw. */
export abstract class LoginObserver {
  abstract codeAsked(outcome: CodeOutcome): void;
  abstract codeTried(outcome: TryOutcome): void;
}
