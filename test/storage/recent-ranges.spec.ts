import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { RecentRanges } from '../../src/storage/lmdb-table.js';
import { Random } from '../campaigns/faults/random.js';
import { ManualClock } from '../support/manual-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('ranges of an index that are kept', () => {
  it.each([true, false])(
    'hold what the table holds, whatever is written (behind: %s)',
    async (writeBehind) => {
      const random = new Random(7);
      const folder = await temporaryFolder();
      const clock = new ManualClock();
      const database = await openEmbeddedDatabase({
        folder: folder.path,
        durable: false,
        writeBehind,
        clock,
      });
      const table = database.table('indexes');
      const model = new Map<string, string>();
      const anyKey = () => `collection-${random.whole(1, 3)}${'abcdef'[random.whole(0, 5)]!.repeat(3)}`;
      for (let step = 0; step < 600; step += 1) {
        const [one, other] = [anyKey(), anyKey()].sort() as [string, string];
        const reverse = random.chance(0.3);
        const limits = random.chance(0.3) ? { limit: random.whole(1, 4) } : {};
        const range = reverse ? { start: other, end: one, reverse } : { start: one, end: other };
        const within = [...model]
          .filter(([key]) => key >= one && (reverse ? key <= other : key < other))
          .sort();
        if (reverse) within.reverse();
        const expected = within.slice(0, limits.limit).map(([key, value]) => ({ key, value }));
        expect([...table.entries({ ...range, ...limits })]).toEqual(expected);
        // Whoever stops on the way must not have a part be taken for the whole.
        for (const entry of table.entries(range)) if (entry.key !== '') break;
        if (random.chance(0.6)) continue;
        const [key, value] = [anyKey(), String(step)];
        const isRemoval = random.chance(0.4);
        if (isRemoval) model.delete(key);
        else model.set(key, value);
        await database.enqueue((group) =>
          isRemoval ? group.remove(table, key) : group.put(table, key, value),
        );
        if (random.chance(0.3)) await database.flush();
      }
      await database.close();
      await folder.remove();
    },
  );

  it('are forgotten with a key of their prefix alone, and kept only where they are short', () => {
    const ranges = new RecentRanges<string>(2);
    const entries = [{ key: 'aa1', value: 'x' }];
    ranges.keep({ start: 'aa', end: 'aa9' }, entries);
    ranges.keep({ start: 'ab', end: 'ab9' }, []);
    ranges.keep({ start: 'aa', end: 'ab' }, entries);
    const many = Array.from({ length: 65 }, (_, place) => ({ key: `ac${place}`, value: 'x' }));
    ranges.keep({ start: 'ac', end: 'ac9' }, many);
    expect(ranges.get({ start: 'aa', end: 'aa9' })).toBe(entries);
    ranges.changed('aa2');
    expect(ranges.get({ start: 'aa', end: 'aa9' })).toBeUndefined();
    expect(ranges.get({ start: 'ab', end: 'ab9' })).toEqual([]);
    expect(ranges.get({ start: 'aa', end: 'ab' })).toBeUndefined();
    expect(ranges.get({ start: 'ac', end: 'ac9' })).toBeUndefined();
  });

  it('do not grow without bound', () => {
    const ranges = new RecentRanges<string>(1);
    for (let place = 0; place < 60_000; place += 1) ranges.keep({ start: `a${place}`, end: 'b' }, []);
    for (let place = 0; place < 60_000; place += 1) ranges.keep({ start: `a${place}`, end: 'az' }, []);
    expect(ranges.get({ start: 'a0', end: 'az' })).toBeUndefined();
    expect(ranges.get({ start: 'a59999', end: 'az' })).toEqual([]);
  });
});
