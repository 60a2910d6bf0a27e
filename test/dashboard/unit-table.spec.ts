import { searchText, wordsOf } from '../../src/dashboard/parts/search-text.js';
import { sorted, type TableUnit } from '../../src/dashboard/site/unit-table.js';

/** Compared as wholes, the names would take minutes. */
it.each(['unit', 'tenant'] as const)('sorts by %s where thousands of names are long', (sort) => {
  const name = '1'.repeat(20_000);
  const units = Array.from(
    { length: 2_000 },
    (_, index) =>
      ({ unit_id: String(index), unit_name: `${name}${-index}`, tenant: `${name}${-index}` }) as TableUnit,
  );
  expect(sorted(units, { sort, isDescending: true })).toEqual(units);
});

it('a search has each word once, and no more than the beginning of a text', () => {
  expect(wordsOf('A-1 a1, park A-1')).toEqual(['a1', 'park']);
  expect(wordsOf(searchText({ q: '1 '.repeat(7_500) }))).toEqual(['1']);
});
