import { logBackwards, readBackwards } from '#domain/history/feed/read-backwards.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';

/**
 * A log of so many events, a second after each other, at positions from 1 on. Those of staff are what a test wants.
 * @param entryOf an event's entry, by its position; absent: each event is one
 */
function logOf(count: number, staff: readonly number[], entryOf?: (position: number) => string) {
  const wanted = new Set(staff.map(BigInt));
  const sizes: number[] = [];
  const log = {
    readAll: ({ limit, before, scan }: Parameters<EventStore['readAll']>[0]) => {
      sizes.push(limit);
      const newest = before === undefined ? count : Number(before) - 1;
      const oldest = Math.max(newest - limit + 1, 1);
      scan!.upTo(oldest === 1 ? 0n : BigInt(oldest));
      const events = [];
      for (let position = newest; position >= oldest; position -= 1)
        events.push({ position: BigInt(position) });
      return Promise.resolve(events as unknown as RecordedEvent[]);
    },
  } as unknown as EventStore;
  const select = (events: readonly RecordedEvent[]) =>
    Promise.resolve(events.filter(({ position }) => wanted.has(position)));
  const page = async (before: bigint | undefined, limit: number, oldest = 0n) => {
    const isOver = ({ position }: RecordedEvent) => position < oldest;
    const entries = entryOf && {
      keyOf: ({ position }: RecordedEvent) => entryOf(Number(position)),
      instantOf: ({ position }: RecordedEvent) => Number(position) * 1_000,
    };
    const found = await readBackwards(logBackwards(log), { before, limit, isOver, select, entries });
    return { positions: found.events.map(({ position }) => Number(position)), before: found.before };
  };
  return Object.assign(page, { sizes });
}

async function walk(page: ReturnType<typeof logOf>, limit: number): Promise<number[][]> {
  const pages = [];
  let before: bigint | undefined;
  do {
    const found = await page(before, limit);
    pages.push(found.positions);
    before = found.before;
  } while (before !== undefined);
  return pages;
}

describe('a log read backwards', () => {
  it('gives each event once, newest first, in pages of the size that is asked', async () => {
    expect(await walk(logOf(5_000, [4_999, 3_000, 2_999, 1]), 2)).toEqual([
      [4_999, 3_000],
      [2_999, 1],
    ]);
  });

  it('has pages that are empty or short where thousands of others lie between', async () => {
    const pages = await walk(logOf(17_000, [16_999, 3]), 10);
    expect(pages).toEqual([[16_999], [], [], [3]]);
  });

  it('ends at an event that is too old', async () => {
    expect(await logOf(5_000, [4_999, 4_000, 10])(undefined, 10, 3_000n)).toEqual({
      positions: [4_999, 4_000],
      before: undefined,
    });
  });

  it('is read no further than one event beyond the page where each event belongs to it', async () => {
    const page = logOf(
      5_000,
      Array.from({ length: 5_000 }, (_, index) => index + 1),
    );
    expect((await page(undefined, 20)).positions).toHaveLength(20);
    expect(page.sizes).toEqual([21]);
  });

  it('is read in parts that grow where few events belong to a page', async () => {
    const page = logOf(10_000, [9_999, 1]);
    await page(undefined, 20);
    expect(page.sizes).toEqual([21, 84, 336, 1_000, 1_000, 1_000, 1_000, 559]);
  });

  it('of a log without events is one empty page', async () => {
    expect(await walk(logOf(0, []), 10)).toEqual([[]]);
  });
});

describe('a page of whole entries', () => {
  const all = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const lengths = async (page: ReturnType<typeof logOf>, limit: number) =>
    (await walk(page, limit)).map(({ length }) => length);

  it('goes on to the end of the entry at its limit', async () => {
    const setUp = (position: number) => (position > 3 && position <= 9 ? 'set-up' : `${position}`);
    expect(await walk(logOf(10, all(10), setUp), 4)).toEqual([
      [10, 9, 8, 7, 6, 5, 4],
      [3, 2, 1],
    ]);
  });

  it('ends at its limit where an entry ends', async () => {
    expect(
      await lengths(
        logOf(10, all(10), (position) => `${position}`),
        4,
      ),
    ).toEqual([4, 4, 2]);
  });

  it('holds entries whole that run at the same time', async () => {
    const evenAndOdd = (position: number) => (position > 6 ? `request ${position % 2}` : `${position}`);
    expect(await lengths(logOf(12, all(12), evenAndOdd), 3)).toEqual([6, 3, 3]);
  });

  it('goes on where the entry begins in the next part of the log', async () => {
    const setUp = (position: number) => (position <= 2_000 ? 'set-up' : `${position}`);
    const page = logOf(2_001, [2_001, 1_002, 1_001, 1_000, 999], setUp);
    expect((await page(undefined, 3)).positions).toEqual([2_001, 1_002, 1_001, 1_000, 999]);
  });

  it('goes on where an entry lies at the end of what one page looks through', async () => {
    const staff = [5_002, 5_001, 5_000, 4_999];
    expect(
      await walk(
        logOf(10_000, staff, () => 'set-up'),
        10,
      ),
    ).toEqual([staff, []]);
  });

  it('goes on for a minute at most, where all requests of a client have the same name', async () => {
    const page = logOf(5_000, all(5_000), () => 'same');
    expect((await page(undefined, 10)).positions).toHaveLength(70);
  });
});
