import { unitSearchNames } from '#domain/units/core/unit.state.js';
import { searchText } from '#dashboard/parts/search-text.js';
import { sorted, type TableUnit, unitsFound } from '#dashboard/site/unit-table.js';

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

const named = (unit_name: string, crm_unit_id: string, tenant: string | null) =>
  ({ search_names: unitSearchNames(unit_name, crm_unit_id), tenant }) as TableUnit;

it.each(['b-114', '114', 'u900', 'whitfield, denise', 'denise 114'])(
  '%s finds a unit of the table',
  (text) => {
    const unit = named('B-114 (10x15 ft)', 'U 900-4', 'Denise Whitfield');
    expect(unitsFound([unit, named('A-1', 'A-1', null)], text)).toEqual([unit]);
  },
);

it.each(['14', '10', '15', 'enise', '–'])('%s finds no unit of the table', (text) => {
  expect(unitsFound([named('B-114 (10x15 ft)', 'U 900-4', 'Denise Whitfield')], text)).toEqual([]);
});

it('a search is no more than the beginning of a text', () => {
  expect(searchText({ q: '1 '.repeat(7_500) })).toHaveLength(255);
});
