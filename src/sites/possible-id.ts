/** Whether a text from a path could be an id of the service at all. */
export function isPossibleId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}
