/**
 * Whether a text names a zone of the IANA database. Offsets such as `+05:00` are no zones, though newer engines take
 * them: they know no daylight saving time.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
