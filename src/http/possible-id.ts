/** Whether a text that a client wrote could be an id of the service at all; nothing else is looked up. */
export function isPossibleId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}
