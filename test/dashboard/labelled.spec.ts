import { Fragment, h } from 'preact';
import { Choices } from '#dashboard/parts/choices.js';
import { Danger, Field } from '#dashboard/parts/form.js';
import { labelled, labelsIn } from '#dashboard/parts/labelled.js';

describe('the labels among elements', () => {
  const name = h(Field, { name: 'unit_name', label: 'Name of the unit' });
  const zones = h(Choices, { name: 'zone_ids', legend: 'Leads to the zones', options: [] });

  it('are those of fields, and the legends of choices', () => {
    const labels = labelsIn([name, 'text', null, h('input', { name: 'zone' }), zones]);
    expect([...labels]).toEqual([
      ['unit_name', 'Name of the unit'],
      ['zone_ids', 'Leads to the zones'],
    ]);
  });

  it('are found however deep fields stand in what is handed to other elements', () => {
    const nested = h('div', {}, [
      h(Fragment, {}, h(Danger, { summary: 'Rename it', children: name })),
      zones,
    ]);
    expect([...labelsIn(nested).keys()]).toEqual(['unit_name', 'zone_ids']);
  });

  it('are not those of fields that a component makes by itself', () => {
    const Naming = () => name;
    expect([...labelsIn(h(Naming, {}))]).toEqual([]);
  });
});

describe('a fault', () => {
  const labels = new Map([
    ['unit_name', 'Name of the unit'],
    ['zone_ids', 'Leads to the zones'],
    ['odd__name', 'Odd'],
  ]);

  it.each([
    [
      'unit_name',
      'The unit name has already been taken by A.',
      '“Name of the unit” has already been taken by A.',
    ],
    ['unit_name', 'The unit name field is required.', '“Name of the unit” is required.'],
    ['odd__name', 'The odd__name field is required.', '“Odd” is required.'],
    ['zone_ids', 'The zone ids field must be a list.', '“Leads to the zones” must be a list.'],
    ['unit_name', 'The unit name has already been taken.', '“Name of the unit” has already been taken.'],
    ['zone_ids.12', 'The zone ids.12 field must be a zone.', '“Leads to the zones” must be a zone.'],
  ])('of %s calls the field by its label', (path, fault, told) => {
    expect(labelled({ [path]: [fault] }, labels)).toEqual({ [path]: [told] });
  });

  it.each([
    ['kind', 'The kind field is required.'],
    ['unit_name.kind', 'The kind field is not allowed.'],
    ['unit_name', 'Another unit has this name.'],
    ['unit_name', 'The unit name is on another unit.'],
  ])('of %s is told as it is where no label fits: %s', (path, fault) => {
    expect(labelled({ [path]: [fault] }, labels)).toEqual({ [path]: [fault] });
  });
});
