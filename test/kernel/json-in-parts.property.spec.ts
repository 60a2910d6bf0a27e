import fc from 'fast-check';
import { JsonBeyondBoundsError, JsonSyntaxError, parseInParts } from '#kernel/json-in-parts.js';
import { finished } from '../support/finished.js';

const BOUNDS = { depth: 64, values: 1_000_000 };
/** So small that almost every document is divided, down to single values. */
const PART_BYTES = [1, 8, 40];

const parse = (text: string, partBytes?: number) =>
  finished(parseInParts(Buffer.from(text), BOUNDS, partBytes));

/** The value, or what refused the text. */
function outcomeOf(parseText: () => unknown): unknown {
  try {
    return { value: parseText() };
  } catch (error) {
    return error instanceof SyntaxError || error instanceof JsonSyntaxError ? 'refused' : error;
  }
}

/** Like a JSON text: its pieces are those of one, but their order need not be. */
const almostJson = fc
  .array(
    fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"a":',
        '"__proto__":',
        '"\\""',
        '"[,{"',
        '"',
        '\\',
        ' ',
        '\n',
      ],
      ...['1', '-0.5e3', '01', 'true', 'null', 'nul', 'é', '\ufeff', '[]', '{}', '[1,2]', '{"b":[{}]}'],
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));

test('parsing in parts gives what JSON.parse gives, whatever the size of the parts', () => {
  const spaces = fc.constantFrom(0, 1, '\n\t ');
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), spaces, (value, space) => {
      const text = JSON.stringify(value, null, space);
      for (const bytes of PART_BYTES) expect(parse(text, bytes)).toEqual(JSON.parse(text));
    }),
  );
});

test('parsing in parts accepts and refuses what JSON.parse accepts and refuses', () => {
  fc.assert(
    fc.property(almostJson, (text) => {
      // As a decoder does, one byte order mark at the beginning is left out.
      const expected = outcomeOf(() => JSON.parse(text.replace(/^\ufeff/, '')));
      for (const bytes of PART_BYTES) expect(outcomeOf(() => parse(text, bytes))).toEqual(expected);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  '[1,,2]',
  '[,1]',
  '[1,]',
  '[ , ]',
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1 "b":2}',
  '[1}',
  '{"a":1]',
  '"a',
  '',
])('parsing in parts refuses %j', (text) => {
  for (const bytes of PART_BYTES) expect(outcomeOf(() => parse(text, bytes))).toBe('refused');
});

test('parsing in parts keeps the last of two members of one name, and makes a member of __proto__', () => {
  const text = '{"a":1,"b":2,"a":3,"__proto__":{"isAdmin":true},"1":0}';
  for (const bytes of PART_BYTES) {
    const value = parse(text, bytes) as object;
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect('isAdmin' in value).toBe(false);
  }
});

test('parsing in parts refuses bytes that are not UTF-8', () => {
  const bytes = Buffer.from([0x5b, 0x22, 0xc3, 0x22, 0x5d]);
  expect(() => finished(parseInParts(bytes, BOUNDS))).toThrow(JsonSyntaxError);
});

test('a document of megabytes is parsed in parts of at most 64 KB', () => {
  const row = { name: 'x'.repeat(1_000) };
  const text = JSON.stringify({ units: Array.from({ length: 2_000 }, () => row) });
  let parts = 0;
  for (const work = parseInParts(Buffer.from(text), BOUNDS); work.next().done !== true;) parts += 1;
  expect(parts).toBeGreaterThanOrEqual(text.length / 65_536);
});

test.each([
  ['a depth of 3', '[[[1]]]', { depth: 3, values: 100 }, true],
  ['a depth of 4', '[[{"a":[1]}]]', { depth: 3, values: 100 }, false],
  ['6 values', '[1,2,[3,4]]', { depth: 9, values: 6 }, true],
  ['7 values', '[1,2,{"a":3,"b":4,"c":5}]', { depth: 9, values: 6 }, false],
])('parsing in parts finds that %s is within its bounds, or beyond', (_what, text, bounds, isWithin) => {
  for (const bytes of [...PART_BYTES, undefined]) {
    const work = () => finished(parseInParts(Buffer.from(text), bounds, bytes));
    if (isWithin) expect(work()).toEqual(JSON.parse(text));
    else expect(work).toThrow(JsonBeyondBoundsError);
  }
});
