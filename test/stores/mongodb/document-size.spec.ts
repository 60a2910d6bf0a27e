import { BSON } from 'mongodb';
import { sizeUpTo } from '#stores/mongodb/document-size.js';

test('the size of a document is about that of its BSON', () => {
  const gates = Array.from({ length: 20 }, (_, n) => ({
    name: `Gate ${n}`,
    zone_ids: ['a'.repeat(26)],
    no: n,
  }));
  const document = { _id: 'x', gates, nothing: null, undefined, at: 5.5 };
  const exact = BSON.calculateObjectSize(document);
  const size = sizeUpTo(document, 1_000_000);
  expect(size).toBeGreaterThan(0.7 * exact);
  expect(size).toBeLessThan(1.3 * exact);
});

test('what lies beyond the most bytes is not looked at', () => {
  const beyond = {
    get deep(): never {
      throw new Error('It was looked at.');
    },
  };
  expect(sizeUpTo({ text: 'x'.repeat(1_000), list: [beyond, beyond] }, 1_000)).toBe(1_000);
});
