import fc from 'fast-check';
import { TemporalCalendar } from '#domain/access/calendar.js';
import { hoursAt } from '#domain/locations/core/hours/hours-at.js';
import type { ZonedHours } from '#domain/locations/core/hours/open-periods.js';
import { runs } from '../../../support/campaign.js';
import { anyHours } from './support/any-hours.js';
import { changesByMinute, minutesOf } from './support/minute-by-minute.js';

const ZONES = [
  'America/Chicago',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/St_Johns',
] as const;
const DAY = 86_400_000;
const FROM = Date.parse('2025-01-01T00:00Z');
const UNTIL = Date.parse('2027-01-01T00:00Z');
const clock = new TemporalCalendar();
const DATES = Array.from({ length: (UNTIL - FROM) / DAY }, (_, day) => clock.addDays('2025-01-01', day));

describe('hoursAt', () => {
  it.each(ZONES)('agrees with a look at every minute of two years in %s', (timezone) => {
    const minutes = minutesOf(timezone, FROM, UNTIL);
    fc.assert(
      fc.property(anyHours(DATES), (hours) => {
        const zoned = { hours, timezone, clock };
        const byMinute = changesByMinute(hours, minutes);
        expect(changesByHours(zoned)).toEqual(byMinute);
      }),
      runs(5),
    );
  });

  it.each(ZONES)('says at any instant when it began and when it ends in %s', (timezone) => {
    const anyInstant = fc.integer({ min: FROM, max: UNTIL - 1 });
    fc.assert(
      fc.property(anyHours(DATES), anyInstant, (hours, instant) => {
        const zoned = { hours, timezone, clock };
        const { state, since, until } = hoursAt(zoned, instant);
        expect(since <= instant && instant < until).toBe(true);
        if (since !== -Infinity) {
          expect(hoursAt(zoned, since)).toEqual({ state, since, until });
          expect(hoursAt(zoned, since - 1)).toMatchObject({ until: since });
        }
        if (until !== Infinity) expect(hoursAt(zoned, until)).toMatchObject({ since: until });
      }),
      runs(100),
    );
  });
});

/** The changes from `FROM` until `UNTIL`, each found from the one before. */
function changesByHours(zoned: ZonedHours) {
  const changes = [];
  let instant = FROM;
  while (instant < UNTIL) {
    const { state, until } = hoursAt(zoned, instant);
    changes.push({ at: instant, isOpen: state === 'open' });
    instant = until;
  }
  return changes;
}
