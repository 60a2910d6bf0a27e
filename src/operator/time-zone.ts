import { Temporal } from 'temporal-polyfill';

/**
 * The name of a zone of the IANA database, with the capitals it is written with, or undefined where the text names
 * none, or one that the calendar of decisions does not know (ICU's own names, `CST`, `PST`, mean different zones to different people). Offsets such as `+05:00` are no zones,
 * though newer engines take them: they know no daylight saving time.
 */
export function timeZoneNamed(text: string): string | undefined {
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(known);
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    // An alias (Asia/Kolkata) may be resolved to another name; it stays what it was called.
    return known.toLowerCase() === text.toLowerCase() ? known : text;
  } catch {
    return undefined;
  }
}
