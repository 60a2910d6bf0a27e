import { searchName, searchNames } from '../../src/base/core/search-name.js';

it.each(['h110', 'H 110', 'H-110', ' h.110 '])('“%s” is searched as h110', (text) => {
  expect(searchName(text)).toBe('h110');
});

it('a name is found from each of its words on', () => {
  expect(searchNames(' Main – North gate ')).toEqual(['mainnorthgate', 'northgate', 'gate']);
});

it('a name is found from its first eight words on', () => {
  const names = searchNames(Array.from({ length: 100 }, (_, index) => index).join(' '));
  expect(names).toHaveLength(8);
  expect(names.at(-1)).toMatch(/^78910/);
});
