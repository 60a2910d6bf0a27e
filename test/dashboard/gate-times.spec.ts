import { lastNight, rangeOf } from '#dashboard/gates/gate-range.js';
import { heatLevel, heatOf, lanesOf, localTime } from '#dashboard/gates/gate-times.js';

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

it('has one lane for a night, the newest first, and leaves others out', () => {
  const happened = [
    { time: time('2026-01-01', 22 * 60), one: 'evening' },
    { time: time('2026-01-02', 6 * 60), one: 'morning' },
    { time: time('2026-01-02', 12 * 60), one: 'next' },
    { time: time('2026-01-01', 11 * 60), one: 'before' },
  ];
  expect(lanesOf(time('2026-01-01', 13 * 60), time('2026-01-02', 12 * 60), happened)).toEqual([
    { date: '2026-01-02', marks: [{ minute: 0, one: 'next' }] },
    {
      date: '2026-01-01',
      marks: [
        { minute: 10 * 60, one: 'evening' },
        { minute: 18 * 60, one: 'morning' },
      ],
    },
  ]);
});

describe('the range of an address', () => {
  // 8:30 in the morning of January 11.
  const now = Date.parse('2026-01-11T14:30:00Z');

  it('is the last 7 nights and this morning, unless the address asks for another', () => {
    const usual = rangeOf({ from: '' }, now, CHICAGO);
    expect(usual).toMatchObject({ from: '2026-01-04T12:00', to: '2026-01-11T08:31', isUsual: true });
    expect(lanesOf(localTime(usual.first, CHICAGO), localTime(usual.last, CHICAGO), [])).toHaveLength(7);
    expect(rangeOf({ to: '2026-01-09T08:00' }, now, CHICAGO).from).toBe('2026-01-02T12:00');
  });

  it('of last night is one lane, from 6 PM to 8 AM', () => {
    const night = rangeOf({ ...lastNight(now, CHICAGO) }, now, CHICAGO);
    expect([night.first, night.last + 1]).toEqual(
      ['2026-01-11T00:00:00Z', '2026-01-11T14:00:00Z'].map((at) => Date.parse(at)),
    );
    const lanes = lanesOf(localTime(night.first, CHICAGO), localTime(night.last, CHICAGO), []);
    expect(lanes.map(({ date }) => date)).toEqual(['2026-01-10']);
  });
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
