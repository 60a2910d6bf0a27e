import { heatLevel, heatOf, lanesOf, localTime } from '../../src/dashboard/gates/gate-times.js';

const CHICAGO = 'America/Chicago';

describe('local time', () => {
  it.each([
    ['2026-01-05T06:00:00Z', '2026-01-05', 0, 0],
    ['2026-01-05T05:59:00Z', '2026-01-04', 6, 23 * 60 + 59],
    // Clocks go forward from 2 to 3 in the morning.
    ['2026-03-08T08:30:00Z', '2026-03-08', 6, 3 * 60 + 30],
  ])('at %s is the date %s, weekday %d, minute %d', (at, date, weekday, minute) => {
    expect(localTime(Date.parse(at), CHICAGO)).toEqual({ date, weekday, minute });
  });
});

const time = (date: string, minute: number) => ({ date, weekday: 0, minute });

it('has a lane for each date, the newest first, and leaves other dates out', () => {
  const happened = [
    { time: time('2026-01-01', 5), one: 'a' },
    { time: time('2026-01-03', 7), one: 'gone' },
  ];
  expect(lanesOf(['2026-01-01', '2026-01-02'], happened)).toEqual([
    { date: '2026-01-02', marks: [] },
    { date: '2026-01-01', marks: [{ minute: 5, one: 'a' }] },
  ]);
});

it('counts by weekday and hour', () => {
  const heat = heatOf([time('2026-01-05', 59), time('2026-01-12', 0), { ...time('x', 60), weekday: 6 }]);
  expect([heat[0]![0], heat[6]![1], heat.flat().reduce((sum, count) => sum + count)]).toEqual([2, 1, 3]);
});

it.each([
  [0, 10, 0],
  [1, 10, 1],
  [5, 10, 2],
  [10, 10, 4],
])('%d of at most %d is of level %d', (count, most, level) => {
  expect(heatLevel(count, most)).toBe(level);
});
