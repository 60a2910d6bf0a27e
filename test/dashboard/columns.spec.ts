import { columnsOf, everyDate, mostOf } from '#dashboard/pictures/columns.js';

const SIZE = { width: 100, height: 50, most: 8 };

it('gives every date its count, 0 where none is known, over the end of a month', () => {
  expect(everyDate('2026-02-27', 3, [{ date: '2026-03-01', count: 4 }])).toEqual([
    { date: '2026-02-27', count: 0 },
    { date: '2026-02-28', count: 0 },
    { date: '2026-03-01', count: 4 },
  ]);
});

describe('columns', () => {
  it('are as high as their counts, and stand on one line within the picture', () => {
    const columns = columnsOf(everyDate('2026-01-01', 2, [{ date: '2026-01-02', count: 8 }]), SIZE);
    expect(columns.map(({ height, y }) => [height, y])).toEqual([
      [0, 50],
      [50, 0],
    ]);
    expect(columns[1]!.x).toBeGreaterThan(columns[0]!.x + columns[0]!.width);
    expect(columns[1]!.x + columns[1]!.width).toBeLessThanOrEqual(100);
  });

  it('show one of very many, and none of none', () => {
    const counted = [
      { date: 'a', count: 1 },
      { date: 'b', count: 10_000 },
    ];
    expect(columnsOf(counted, { ...SIZE, most: mostOf(counted) })[0]!.height).toBe(2);
    expect(columnsOf([], SIZE)).toEqual([]);
    expect(columnsOf([{ date: 'a', count: 0 }], { ...SIZE, most: mostOf([]) })[0]).toMatchObject({
      height: 0,
      y: 50,
    });
  });
});
