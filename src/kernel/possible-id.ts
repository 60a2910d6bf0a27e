/** Whether a client's text can be an id of the service. Other texts are never looked up. */
export function isPossibleId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}
