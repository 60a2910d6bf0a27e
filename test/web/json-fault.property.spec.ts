import fc from 'fast-check';
import { jsonFaultIn } from '#web/pipeline/json-fault.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const SIGNS = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '"a"',
  '\\',
  '\\u00e9',
  '1',
  '0',
  '-',
  '.',
  'e',
  '+',
  'true',
  'nul',
  ' ',
  '\n',
  '\u0001',
];
const almostJson = fc.oneof(
  fc.json(),
  fc.array(fc.constantFrom(...SIGNS), { maxLength: 8 }).map((signs) => signs.join('')),
  fc.tuple(fc.json({ maxDepth: 2 }), fc.nat(), fc.constantFrom('', ...SIGNS)).map(([text, at, sign]) => {
    const offset = at % (text.length + 1);
    return text.slice(0, offset) + sign + text.slice(offset + 1);
  }),
);

it('a fault is found in exactly the texts that JSON.parse refuses', () => {
  fc.assert(
    fc.property(almostJson, (text) => {
      expect(jsonFaultIn(text) === undefined).toBe(isJson(text));
    }),
  );
});

it('the fault is at the place that JSON.parse names, where it names one', () => {
  expect(() => JSON.parse('[1,\n2 3]')).toThrow('position 6');
  expect(jsonFaultIn('[1,\n2 3]')).toEqual({ line: 2, column: 3, isEnd: false });
});

it('columns count characters', () => {
  expect(jsonFaultIn('["😀" x]')).toEqual({ line: 1, column: 6, isEnd: false });
});

it('a string as long as a body may be is read', () => {
  expect(jsonFaultIn(`["${'x'.repeat(2_000_000)}`)).toMatchObject({ line: 1, isEnd: true });
});
