import { sortInTurns } from '#kernel/sort-in-turns.js';
import { GivenUpError, Yielder } from '#kernel/yielder.js';
import { clockOfLongTurns, longestStretch } from '../support/turns.js';

afterEach(() => jest.restoreAllMocks());

/** In no order, with three items of each key. */
const items = (length: number) =>
  Array.from({ length }, (_, place) => ({ key: (place * 7_919) % Math.ceil(length / 3), place }));
const byKey = (one: { readonly key: number }, other: { readonly key: number }) => one.key - other.key;

describe('a sort in turns', () => {
  it.each([0, 1, 255, 256, 257, 512, 1_000, 3_001])(
    'of %s items keeps equal ones in their order',
    async (length) => {
      const all = items(length);
      expect(await sortInTurns(all, byKey, new Yielder())).toEqual(all.toSorted(byKey));
    },
  );

  it('leaves the event loop to others', async () => {
    let compared = 0;
    const compare: typeof byKey = (one, other) => {
      compared += 1;
      return byKey(one, other);
    };
    jest.spyOn(performance, 'now').mockImplementation(clockOfLongTurns());
    const longest = await longestStretch(
      () => compared,
      () => sortInTurns(items(5_000), compare, new Yielder()),
    );
    expect(compared).toBeGreaterThan(20_000);
    expect(longest).toBeLessThan(6_000);
  });

  it('ends at the deadline', async () => {
    const sorting = sortInTurns(items(1_000), byKey, new Yielder({ isOver: true }));
    await expect(sorting).rejects.toThrow(GivenUpError);
  });
});
