import { dayRanges } from '#dashboard/companies/day-ranges.js';

it('days are chosen by a click up to today, also across a month', () => {
  expect(dayRanges('2026-03-05')).toEqual([
    ['All days', {}],
    ['Today', { from_day: '2026-03-05', to_day: '2026-03-05' }],
    ['7 days', { from_day: '2026-02-27', to_day: '2026-03-05' }],
    ['31 days', { from_day: '2026-02-03', to_day: '2026-03-05' }],
  ]);
});
