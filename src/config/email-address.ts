/** Whether a text may be an operator's e-mail. Hosts without a dot are taken: whoever runs the service names its first operator. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}
