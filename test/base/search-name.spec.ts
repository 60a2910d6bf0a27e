import { searchName, searchNames } from '../../src/base/core/search-name.js';

it.each(['h110', 'H 110', 'H-110', ' h.110 '])('“%s” is searched as h110', (text) => {
  expect(searchName(text)).toBe('h110');
});

it('a name is found from each of its words on', () => {
  expect(searchNames(' Main – North gate ')).toEqual(['mainnorthgate', 'northgate', 'gate']);
});
