import { unitSearchNames } from '#domain/units/core/unit.state.js';

it.each([
  ['H-110', 'H-110', ['h110', '110']],
  ['B-114 (10x15 ft)', 'B-114', ['b11410x15ft', 'b114ft', 'ft', '114', 'b114']],
  ['C-7 5 × 10', 'c7', ['c7510', 'c7', '7']],
  ['Building 2, unit 15a', 'u 900-4', ['building2unit15a', '2unit15a', 'unit15a', '15a', '2', 'u9004', '4']],
  ["5.5' × 10 no 7", '7', ['5510no7', 'no7', '7']],
  ['110', '110', ['110']],
  [
    'Über',
    '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    ['uber', '3f2504e04f8941d39a0c0305e82c3301', '0305e82c3301'],
  ],
  ['–', '–', []],
])('a unit called %s with the identifier %s is found by %j', (name, crm_unit_id, names) => {
  expect(unitSearchNames(name, crm_unit_id)).toEqual(names);
});

/** With patterns that are not linear these would not end. */
it.each(['1', ' ', '1 ', '1.', "1' ", 'a', 'x', '1a'])(
  'a unit and an identifier that repeat %j are read at once',
  (repeated) => {
    const text = `${'1'.repeat(50_000)}${repeated.repeat(100_000 / repeated.length)}${' '.repeat(50_000)} 114y`;
    expect(unitSearchNames(text, `${text} 9`)).toEqual(expect.arrayContaining(['114y', '9']));
  },
);
