import { afterNight } from '#domain/notices/core/night.js';
import { calendar, CHICAGO, local } from '../access/support/subjects.js';

const after = (instant: string) => afterNight(local(instant), CHICAGO, calendar);

describe('the night of a site', () => {
  it.each([
    ['2025-06-05T08:00', '2025-06-05T08:00'],
    ['2025-06-05T20:59:59.999', '2025-06-05T20:59:59.999'],
    ['2025-06-05T21:00', '2025-06-06T08:00'],
    ['2025-06-05T23:59:59', '2025-06-06T08:00'],
    ['2025-06-06T00:00', '2025-06-06T08:00'],
    ['2025-06-06T07:59:59.999', '2025-06-06T08:00'],
  ])('at %s may be told at %s', (instant, told) => {
    expect(after(instant)).toBe(local(told));
  });

  it('ends at eight by the wall clock when the clocks change', () => {
    expect(after('2025-03-08T22:00')).toBe(local('2025-03-09T08:00'));
    expect(after('2025-11-01T22:00')).toBe(local('2025-11-02T08:00'));
  });
});
