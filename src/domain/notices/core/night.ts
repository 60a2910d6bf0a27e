import type { Calendar } from '#domain/access/core/decision.js';

const EVENING = '21:00';
const MORNING = '08:00';

/** The instant itself, or the end of the night that it is in. Nobody is told anything at night (decisions §11). */
export function afterNight(instant: number, timezone: string, calendar: Calendar): number {
  const date = calendar.dateAt(instant, timezone);
  const morning = calendar.instantOf(date, MORNING, timezone);
  if (instant < morning) return morning;
  if (instant < calendar.instantOf(date, EVENING, timezone)) return instant;
  return calendar.instantOf(calendar.addDays(date, 1), MORNING, timezone);
}
