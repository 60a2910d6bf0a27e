import fc from 'fast-check';
import { weekdayOf } from '#domain/locations/core/hours/weekday.js';

const NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

describe('weekdayOf', () => {
  it('agrees with the calendar of the platform for every date', () => {
    const anyDate = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(weekdayOf(date.toISOString().slice(0, 10))).toBe(NAMES[date.getUTCDay()]);
      }),
    );
  });
});
