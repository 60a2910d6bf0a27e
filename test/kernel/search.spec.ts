import { beginningsOf, isCalled, searchForms, searchName, searchWords } from '#kernel/core/search.js';

it.each(['h110', 'H 110', 'H-110', ' h.110 '])('“%s” is searched as h110', (text) => {
  expect(searchName(text)).toBe('h110');
});

it('a name is found from each of its words on', () => {
  expect(searchForms(' Main – North gate ')).toEqual(['mainnorthgate', 'northgate', 'gate']);
});

it('a name is found from its first eight words on', () => {
  const names = searchForms('a b c d e f g h i');
  expect(names).toHaveLength(8);
  expect(names.at(-1)).toBe('hi');
});

it.each(['north gate', 'gate north', 'gate', 'gat nor', 'NORTH-G', 'Nor thg'])(
  '“North gate” is called %s',
  (text) => {
    expect(isCalled('North gate', text)).toBe(true);
    const names = searchForms('North gate');
    expect(beginningsOf(text).some((beginning) => names.some((name) => name.startsWith(beginning)))).toBe(
      true,
    );
  },
);

it.each(['ΝΙΚΟΣ', 'Νίκος', 'νικοσ', 'ΠΑΠΠΑΣ', 'παππάς', 'Παππάς Νίκος'])(
  'a Greek name in capitals and in small letters is called %s, whose sigma ends a word',
  (text) => {
    for (const name of ['ΝΙΚΟΣ ΠΑΠΠΑΣ', 'Νίκος Παππάς']) {
      expect(isCalled(name, text)).toBe(true);
      const names = searchForms(name);
      expect(beginningsOf(text).some((beginning) => names.some((one) => one.startsWith(beginning)))).toBe(
        true,
      );
    }
  },
);

it.each(['ate', 'north door', '–', ''])('“North gate” is not called %s', (text) => {
  expect(isCalled('North gate', text)).toBe(false);
});

it('a name is found by each of its numbers', () => {
  expect(searchForms('Noke 3E-0044')).toEqual(['noke3e0044', '3e0044', '3e', '0044']);
});

it.each(['Whitfield, Denise', 'whitfield,den', 'Whitfield,', 'denise WHIT', 'Den, Whit'])(
  'Denise Whitfield is called %s',
  (text) => {
    expect(isCalled('Denise Whitfield', text)).toBe(true);
    expect(isCalled('Whitfield,Denise', text)).toBe(true);
  },
);

it.each([
  ['Владимир Петров', 'петров, влад'],
  ['محمد علي', 'علي محمد'],
  ['राम कुमार', 'कुमार'],
  ['Ли-Энн Ким', 'ким'],
  ['Mary-Jane Lopez', 'jane lopez'],
  ['Bldg–West 4', 'west'],
  ['وحدة ١٢٣', '١٢'],
])('%s is called %s', (name, text) => {
  expect(isCalled(name, text)).toBe(true);
});

it('a search has each word once, and eight words', () => {
  expect(searchWords('A-1 a1, park A-1')).toEqual(['a1', 'park']);
  expect(searchWords('a b c d e f g h i')).toHaveLength(8);
});

it('a number tells more than a word', () => {
  expect(beginningsOf('door A-105')).toEqual(['doora105', 'a105']);
  expect(beginningsOf('–')).toEqual([]);
});
