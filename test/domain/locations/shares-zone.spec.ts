import { sharesZone } from '#domain/locations/core/shares-zone.js';

it('an entry point leads to a unit with one of its zones', () => {
  expect(sharesZone(['yard', 'hall'], ['hall', 'loft'])).toBe(true);
});

it('an entry point leads to no unit whose zones are all others', () => {
  expect(sharesZone(['yard'], ['hall', 'loft'])).toBe(false);
});

it('an entry point without zones leads to no unit', () => {
  expect(sharesZone(['yard'], [])).toBe(false);
});
