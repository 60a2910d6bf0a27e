import { matchedParts } from '#dashboard/find/matched-parts.js';

const marked = (text: string, q: string) =>
  matchedParts(text, q)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

it.each([
  ['B147', 'b147', '[B147]'],
  ['B147', 'b14', '[B14]7'],
  ['B-147', 'B147', '[B-147]'],
  ['B-147', '147', 'B-[147]'],
  ['Let in B147', 'let in B147', '[Let in B147]'],
  ['Katherine Brooks, Riverside', 'bro kath', '[Kath]erine [Bro]oks, Riverside'],
  ['O’Neil', 'oneil', '[O’Neil]'],
  ['Zoë Müller', 'zoe mull', '[Zoë Müll]er'],
  ['+1 312-555-0100', '0100', '+1 312-555-[0100]'],
  ['+1 312-555-0100', '5550100', '+1 312-[555-0100]'],
  ['Harbor', 'arb', 'Harbor'],
  ['<b>bold</b>', 'b', '<[b]>[b]old</[b]>'],
  ['', 'x', ''],
  ['Riverside', '', 'Riverside'],
])('of “%s” a search for “%s” marks %s', (text, q, expected) => {
  expect(marked(text, q)).toBe(expected);
});
