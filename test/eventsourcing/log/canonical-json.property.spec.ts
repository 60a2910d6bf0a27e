import fc from 'fast-check';
import { canonicalJson, TooDeepError } from '#eventsourcing/log/canonical-json.js';
import type { Json } from '#eventsourcing/log/event-store.js';
import { anyCharacter } from '../../support/any-text.js';

const json = fc.jsonValue() as fc.Arbitrary<Json>;

function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.create(null) as Record<string, Json>;
  for (const key of Object.keys(value).reverse()) copy[key] = shuffled(value[key] ?? null);
  return copy;
}

describe('canonical JSON', () => {
  it('means the same as what it was made of', () => {
    fc.assert(
      fc.property(json, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Json;
        expect(JSON.parse(canonicalJson(value))).toEqual(plain);
      }),
    );
  });

  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(json, (value) => expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value))),
    );
  });

  it('has no text of another value for a number that is too large', () => {
    const [large, small] = JSON.parse('[1e999,-1e999]') as [number, number];
    expect([large, small].map((value) => canonicalJson({ value }))).toEqual([
      '{"value":Infinity}',
      '{"value":-Infinity}',
    ]);
  });

  it('sorts by UTF-16 code units and writes no space', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'é' }], a: 1.5, '\u{1f600}': true, ﬀ: false })).toBe(
      '{"a":1.5,"b":[1,{"c":"é","d":null}],"😀":true,"ﬀ":false}',
    );
  });

  it('sorts and quotes any names', () => {
    const names = fc.uniqueArray(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(names, (some) => {
        const object = Object.fromEntries(some.map((name, place) => [name, place]));
        const members = some.sort().map((name) => `${JSON.stringify(name)}:${object[name]}`);
        expect(canonicalJson(object)).toBe(`{${members.join()}}`);
      }),
    );
  });

  it('ends before the stack does', () => {
    let deep: Json = 1;
    for (let level = 0; level < 200; level += 1) deep = [deep];
    expect(canonicalJson(deep)).toHaveLength(401);
    expect(() => canonicalJson([deep])).toThrow(TooDeepError);
  });
});
