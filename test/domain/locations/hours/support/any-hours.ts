import fc from 'fast-check';
import { type AccessHours, type DayHours, WEEKDAYS } from '#domain/locations/core/hours/access-hours.js';

const anyTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '10', '30', '45', '59'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);

/** Times in the hours in which clocks change are drawn often, as are windows past midnight and those of a whole day. */
const anyWindow = fc.oneof(
  fc.record({ open: anyTime, close: anyTime }),
  fc.record({ open: fc.constantFrom('02:30', '01:30', '00:10'), close: anyTime }),
  anyTime.map((time) => ({ open: time, close: time })),
);

const anyDay: fc.Arbitrary<DayHours> = fc.oneof(fc.constant('always'), fc.constant('closed'), anyWindow);

const anyWeek = fc.oneof(
  fc.record(Object.fromEntries(WEEKDAYS.map((day) => [day, anyDay]))),
  anyDay.map((hours) => Object.fromEntries(WEEKDAYS.map((day) => [day, hours]))),
) as fc.Arbitrary<AccessHours['week']>;

/** @param dates the dates that exceptions are drawn from */
export function anyHours(dates: readonly string[]): fc.Arbitrary<AccessHours> {
  const anyException = fc.record({ date: fc.constantFrom(...dates), hours: anyDay });
  return fc.record({
    week: anyWeek,
    exceptions: fc
      .uniqueArray(anyException, { selector: ({ date }) => date, maxLength: 40 })
      .map((list) => [...list].sort((one, other) => (one.date < other.date ? -1 : 1))),
    exit_grace_minutes: fc.integer({ min: 0, max: 30 }),
  });
}
