import { type AccessHours, type DayHours, WEEKDAYS } from '#domain/locations/core/hours/access-hours.js';

export function everyDay(hours: DayHours): AccessHours['week'] {
  return Object.fromEntries(WEEKDAYS.map((day) => [day, hours])) as AccessHours['week'];
}

/** Open every day from 6 to 22, with 10 minutes to leave. */
export const OFFICE_HOURS: AccessHours = {
  week: everyDay({ open: '06:00', close: '22:00' }),
  exceptions: [],
  exit_grace_minutes: 10,
};
