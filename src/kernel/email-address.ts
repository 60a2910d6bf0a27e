/** True for a text that may be an operator's e-mail. A host without a dot is allowed. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}
