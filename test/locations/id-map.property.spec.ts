import fc from 'fast-check';
import { IdMap } from '../../src/locations/core/id-map.js';

describe('an immutable map by id', () => {
  it('holds what a plain map holds, and leaves the maps before it as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.nat())), (entries) => {
        const model = new Map<string, number>();
        let map = IdMap.empty<number>();
        for (const [id, value] of entries) {
          const before = { map, size: map.size, value: map.get(id) };
          map = map.set(id, value);
          model.set(id, value);
          expect(before.map.get(id)).toBe(before.value);
          expect(before.map.size).toBe(before.size);
        }
        expect(map.size).toBe(model.size);
        expect([...map.values()].sort()).toEqual([...model.values()].sort());
        for (const [id, value] of model) expect(map.get(id)).toBe(value);
      }),
    );
  });
});
