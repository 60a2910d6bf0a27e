import { everyDate, mostOf } from '#dashboard/pictures/columns.js';

it('gives every date its count, 0 where none is known, over the end of a month', () => {
  expect(everyDate('2026-02-27', 3, [{ date: '2026-03-01', count: 4 }])).toEqual([
    { date: '2026-02-27', count: 0 },
    { date: '2026-02-28', count: 0 },
    { date: '2026-03-01', count: 4 },
  ]);
});

it('the most of none is none', () => {
  expect(mostOf([])).toBe(0);
  expect(
    mostOf([
      { date: 'a', count: 1 },
      { date: 'b', count: 9 },
    ]),
  ).toBe(9);
});
