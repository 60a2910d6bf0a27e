import { unitsIn } from '#dashboard/locations/typed-units.js';
import type { ApiError } from '#kernel/errors/api-error.js';

const unit = (unit_name: string, crm_unit_id = `PMS ${unit_name}`) => ({
  unit_id: unit_name,
  unit_name,
  crm_unit_id,
});
const UNITS = [...['A9', 'A10', 'A11', 'B10', '101', '102'].map((name) => unit(name)), unit('Loft')];

const found = (text: string, units = UNITS) => unitsIn(text, units).map(({ unit_name }) => unit_name);

function messageOf(text: string, units = UNITS): string | undefined {
  try {
    unitsIn(text, units);
    return undefined;
  } catch (error) {
    return (error as ApiError).errors?.['units']?.[0];
  }
}

it('names are found whatever their case, each unit once', () => {
  expect(found('loft, a9;A9\nLOFT')).toEqual(['Loft', 'A9']);
});

it('a unit is found by its identifier of the PMS', () => {
  expect(found('PMS B10')).toEqual(['B10']);
});

it('a range takes the units of its letters whose number is within', () => {
  expect(found('A9 to A10')).toEqual(['A9', 'A10']);
});

it('a range is written with a dash between spaces, and its end without the letters', () => {
  expect([found('A10 – A11'), found('A10 - 11'), found('101 to 102')]).toEqual([
    ['A10', 'A11'],
    ['A10', 'A11'],
    ['101', '102'],
  ]);
});

it('a unit whose name reads like a range is found by its name', () => {
  expect(found('A9 to A10', [...UNITS, unit('A9 to A10')])).toEqual(['A9 to A10']);
});

it.each([
  ['', 'Type at least one unit.'],
  ['A9, C1', 'No unit is called C1.'],
  ['C1 to C9', 'No unit is within C1 to C9.'],
  ['A9 to B10', 'No unit is called A9 to B10.'],
])('%j is refused: %s', (text, message) => {
  expect(messageOf(text)).toBe(message);
});

it('a name of two units is refused', () => {
  expect(messageOf('twin', [unit('Twin'), { ...unit('Twin', 'other'), unit_id: '2' }])).toBe(
    'Several units are called twin. Use the identifier of the PMS.',
  );
});

it('more than 500 units are refused', () => {
  const many = Array.from({ length: 501 }, (_, place) => unit(`U${place}`));
  expect(messageOf('U0 to U500', many)).toBe('Type at most 500 units at once.');
});
