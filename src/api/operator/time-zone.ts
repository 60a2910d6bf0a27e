import { Temporal } from 'temporal-polyfill';

/** The longest name of a time zone has 32 characters. Limits work: a body may hold a text of 2 MB. */
const LONGEST = 64;

/**
 * The name of an IANA time zone in its usual spelling. Undefined for other texts. ICU's short names are refused, because `CST`
 * means several zones. Offsets such as `+05:00` are refused, because they have no daylight saving time.
 */
export function timeZoneNamed(text: string): string | undefined {
  if (text.length > LONGEST || !/^[A-Za-z]/.test(text)) return undefined;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    // Temporal refuses what Intl accepts and the calendar cannot use, such as CST.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(known);
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    // The engine may resolve an alias (Asia/Kolkata) to another name. The given name is kept.
    return known.toLowerCase() === text.toLowerCase() ? known : text;
  } catch {
    return undefined;
  }
}

const cityOf = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1).toLowerCase();
const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => ({ zone, city: cityOf(zone) }));
/** So many letters of a city must be right. */
const LETTERS = { fewest: 3, most: 20 };
const MOST_SUGGESTED = 3;

/** The time zones whose city begins most like the city in a text. */
export function zonesLike(text: string): string[] {
  if (text.length > LONGEST) return [];
  const city = cityOf(text.trim().replaceAll(' ', '_'));
  for (let letters = Math.min(city.length, LETTERS.most); letters >= LETTERS.fewest; letters -= 1) {
    const found = ZONES.filter((one) => one.city.startsWith(city.slice(0, letters)));
    if (found.length > 0) return found.slice(0, MOST_SUGGESTED).map(({ zone }) => zone);
  }
  return [];
}
