import type { ReadAllOptions, RecordedEvent } from '../../src/log/event-store.js';
import { LogTail } from '../../src/writing/log-tail.js';
import { ManualClock } from '../support/manual-clock.js';

const FIRST = 8n;

/** A log of so many events behind the views, the last of them of the stream `moved`, that tells how it was read. */
function logOf(waiting: number) {
  const reads: { after: bigint | undefined; found: number }[] = [];
  const events: Pick<RecordedEvent, 'stream' | 'revision' | 'position'>[] = [];
  /** Others' events stand before the end, too. */
  let end = FIRST - 1n;
  const add = (stream: string) => {
    end += 1n;
    events.push({ stream, revision: events.length, position: end });
  };
  const addOthers = (count: bigint) => (end += count);
  for (let number = 1; number < waiting; number += 1) add('another');
  add('moved');
  const readAll = async ({ after, limit, look }: ReadAllOptions) => {
    await Promise.resolve();
    const found = events.filter(({ position }) => position > (after ?? 0n)).slice(0, limit);
    reads.push({ after, found: found.length });
    look?.upTo(found.length < limit ? end : found.at(-1)!.position);
    return found as RecordedEvent[];
  };
  return { reads, add, addOthers, store: { readAll } };
}

const tailOf = (store: ReturnType<typeof logOf>['store']) =>
  new LogTail(store, () => Promise.resolve(undefined), new ManualClock());

const shown = (streams: number, shownUpTo?: bigint) =>
  Array.from({ length: streams }, (_, number) => {
    const stream = number === 0 ? 'moved' : `still-${number}`;
    return { stream, snapshot: undefined, shownUpTo };
  });

describe('which streams have moved on since the views were read', () => {
  it('takes one read of the log beyond what the views showed', async () => {
    const { reads, store } = logOf(900);
    const moved = await tailOf(store).movedOn(shown(20, 7n));
    expect(moved.map(({ stream }) => stream)).toEqual(['moved']);
    expect(reads).toEqual([{ after: 7n, found: 900 }]);
  });

  it('looks through what others wrote once, and still knows what moved on there', async () => {
    const { reads, addOthers, store } = logOf(3);
    addOthers(5_000_000n);
    const tail = tailOf(store);
    const first = await tail.movedOn(shown(20, 7n));
    const second = await tail.movedOn(shown(20, 7n));
    expect(reads).toEqual([
      { after: 7n, found: 3 },
      { after: 5_000_010n, found: 0 },
    ]);
    expect([first, second].map((moved) => moved.map(({ stream }) => stream))).toEqual([['moved'], ['moved']]);
  });

  it('finds what is added behind its last look', async () => {
    const { add, store } = logOf(3);
    const tail = tailOf(store);
    await tail.movedOn(shown(20, 7n));
    add('still-4');
    const moved = await tail.movedOn(shown(20, 7n));
    expect(moved.map(({ stream }) => stream)).toEqual(['moved', 'still-4']);
  });

  it('tells whoever read the views before they showed more, also beside one who read them after', async () => {
    const { reads, store } = logOf(3);
    const tail = tailOf(store);
    await tail.movedOn(shown(20, 7n));
    const [early, late] = await Promise.all([tail.movedOn(shown(20, 7n)), tail.movedOn(shown(20, 10n))]);
    const after = await tail.movedOn(shown(20, 7n));
    expect([early, late, after].map((moved) => moved.length)).toEqual([1, 0, 1]);
    expect(reads.map(({ found }) => found)).toEqual([3, 0, 0, 3]);
  });

  it('keeps what it found behind what the views show by now', async () => {
    const { reads, store } = logOf(3);
    const tail = tailOf(store);
    await tail.movedOn(shown(20, 7n));
    expect(await tail.movedOn(shown(20, 9n))).toHaveLength(1);
    expect(reads.map(({ found }) => found)).toEqual([3, 0]);
  });

  it('begins anew where the views show more than it looked through', async () => {
    const { add, store } = logOf(3);
    const tail = tailOf(store);
    await tail.movedOn(shown(20, 7n));
    for (const stream of ['still-1', 'still-2', 'still-3']) add(stream);
    const moved = await tail.movedOn(shown(20, 12n));
    expect(moved.map(({ stream }) => stream)).toEqual(['still-3']);
  });

  it.each([
    [1_001, 20],
    [2_001, 100],
  ])(
    'asks for each by itself where %i events wait and %i streams are asked for',
    async (waiting, streams) => {
      expect(await tailOf(logOf(waiting).store).movedOn(shown(streams, 7n))).toHaveLength(streams);
    },
  );

  it('reads on where a read of each stream would cost more', async () => {
    expect(await tailOf(logOf(2_000).store).movedOn(shown(100, 7n))).toHaveLength(1);
  });

  it('asks for each by itself where nobody knows what the views showed', async () => {
    const { reads, store } = logOf(1);
    expect(await tailOf(store).movedOn(shown(3))).toHaveLength(3);
    expect(reads).toEqual([]);
  });
});
