import { Temporal } from 'temporal-polyfill';

/**
 * The name of an IANA time zone in its usual spelling. Undefined for other texts. ICU's short names are refused, because `CST`
 * means several zones. Offsets such as `+05:00` are refused, because they have no daylight saving time.
 */
export function timeZoneNamed(text: string): string | undefined {
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(known);
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    // The engine may resolve an alias (Asia/Kolkata) to another name. The given name is kept.
    return known.toLowerCase() === text.toLowerCase() ? known : text;
  } catch {
    return undefined;
  }
}
