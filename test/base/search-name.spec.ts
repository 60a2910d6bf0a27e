import { beginningsOf, isCalled, searchName, searchNames } from '../../src/base/core/search-name.js';

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

it.each(['north gate', 'gate north', 'gate', 'gat nor', 'NORTH-G', 'Nor thg'])(
  '“North gate” is called %s',
  (text) => {
    expect(isCalled('North gate', text)).toBe(true);
    const names = searchNames('North gate');
    expect(beginningsOf(text).some((beginning) => names.some((name) => name.startsWith(beginning)))).toBe(
      true,
    );
  },
);

it.each(['ate', 'north door', '–', ''])('“North gate” is not called %s', (text) => {
  expect(isCalled('North gate', text)).toBe(false);
});

it('a number tells more than a word', () => {
  expect(beginningsOf('door A-105')).toEqual(['doora105', 'a105']);
  expect(beginningsOf('–')).toEqual([]);
});
