/** The second factor of an operator, as it is stored. */
export interface SecondFactor {
  /** Encrypted. */
  readonly sealed_secret: string;
  /** The newest time step whose code was used. Its code and older ones are refused. */
  readonly last_step: number;
  /** SHA-256 of each recovery code that is left. */
  readonly recovery_hashes: readonly string[];
}

/** A typed code: the authenticator's code or a recovery code. At most one of the two is given. */
export interface CodeMeaning {
  /** The authenticator's time step that has this code. */
  readonly step?: number | undefined;
  readonly recovery_hash?: string | undefined;
}

/** The factor after a code was used; undefined if the code is wrong or was used before. Pure. */
export function useCode(
  factor: SecondFactor,
  { step, recovery_hash }: CodeMeaning,
): SecondFactor | undefined {
  if (step !== undefined) return step > factor.last_step ? { ...factor, last_step: step } : undefined;
  const left = factor.recovery_hashes.filter((one) => one !== recovery_hash);
  return left.length < factor.recovery_hashes.length ? { ...factor, recovery_hashes: left } : undefined;
}

/** The form in which codes are compared: without spaces and hyphens, in capitals. */
export function plainCode(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toUpperCase();
}

/** Characters in groups of four, for people to read. */
export function inGroups(text: string): string {
  return text.match(/.{1,4}/g)?.join('-') ?? '';
}
