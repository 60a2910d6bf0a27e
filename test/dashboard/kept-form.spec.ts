import { packForm, unpackForm } from '#dashboard/page/kept-form.js';

const packed = (values: Record<string, string>) =>
  packForm({ action: '/dashboard/x', page: undefined, values });

it.each([
  'password',
  'current',
  'next',
  'code',
  'secret',
  'setup',
  'ticket',
  'auth_header',
  'initial.auth_header',
  'form_id',
])('a kept form has no field %s', (name) => {
  expect(unpackForm(packed({ [name]: 'hidden', reason: 'told' })!)?.values).toEqual({ reason: 'told' });
});

it('a kept form has the code of its site, and the first values of its fields', () => {
  const values = { pms_location_code: 'MAIN', 'initial.name': 'A', name: 'B' };
  expect(unpackForm(packed(values)!)?.values).toEqual(values);
});

it('a form of a large text that shrinks well is not kept', () => {
  expect(packed({ csv: 'a'.repeat(17_000) })).toBeUndefined();
});
