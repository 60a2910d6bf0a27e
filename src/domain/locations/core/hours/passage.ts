import { hoursAt } from './hours-at.js';
import { openPeriods, type ZonedHours } from './open-periods.js';

/** Whether hours let somebody pass. Instants are milliseconds. */
export type Passage =
  /** Nothing opens or closes. */
  | { readonly kind: 'always' }
  /** From the opening until the end of the time to leave, which follows the closing. */
  | { readonly kind: 'passable'; readonly closes_at: number; readonly ends_at: number }
  /** `opens_at` is `Infinity` if nothing opens again. */
  | { readonly kind: 'closed'; readonly opens_at: number };

/** An open period to come, with the time to leave after it. */
export interface NextWindow {
  readonly opens_at: number;
  /** `Infinity`: it never closes. */
  readonly ends_at: number;
}

export const ALWAYS = { kind: 'always' } as const satisfies Passage;
const MINUTE_MS = 60_000;

export function passageAt(zoned: ZonedHours, instant: number): Passage {
  const { state, since, until } = hoursAt(zoned, instant);
  const grace = zoned.hours.exit_grace_minutes * MINUTE_MS;
  if (state === 'open' && until === Infinity) return ALWAYS;
  if (state === 'open') return { kind: 'passable', closes_at: until, ends_at: until + grace };
  return instant < since + grace
    ? { kind: 'passable', closes_at: since, ends_at: since + grace }
    : { kind: 'closed', opens_at: until };
}

/** The first open period that begins after an instant. */
export function nextWindowAfter(zoned: ZonedHours, instant: number): NextWindow | undefined {
  const { clock, timezone, hours } = zoned;
  // A window that began before the day before has ended.
  const from = clock.addDays(clock.dateAt(instant, timezone), -1);
  for (const { start, end } of openPeriods(zoned, from)) {
    if (start > instant) return { opens_at: start, ends_at: end + hours.exit_grace_minutes * MINUTE_MS };
  }
  return undefined;
}
