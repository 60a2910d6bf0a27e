import type { ReadAllOptions, RecordedEvent } from '../../src/log/event-store.js';
import { PositionLostError } from '../../src/log/event-store.errors.js';
import { StoreUnavailableError } from '../../src/storage/store.errors.js';
import { LogTail } from '../../src/writing/log-tail.js';
import type { Snapshot } from '../../src/writing/aggregate.js';
import { ManualClock } from '../support/manual-clock.js';

const FIRST = 8n;

/** A log of so many events behind the views, the last of them of the stream `moved`, that tells how it was read. */
function logOf(waiting: number) {
  const reads: { after: bigint; found: number }[] = [];
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
  /** An older log, up to this position. */
  const putBack = (position: bigint) => {
    events.length = Number(position - FIRST + 1n);
    end = position;
  };
  const log = {
    reads,
    add,
    addOthers,
    putBack,
    /** Of a place beyond its end a log may tell, or hold nothing there. */
    tellsOfLostPlaces: false,
    beforeRead: () => undefined as unknown,
    /** What was found is answered after this. */
    beforeAnswer: () => Promise.resolve(),
  };
  const readAll = async ({ after = 0n, limit, look }: ReadAllOptions) => {
    const { beforeAnswer } = log;
    log.beforeRead();
    if (log.tellsOfLostPlaces && after > end) throw new PositionLostError(after);
    const found = events.filter(({ position }) => position > after).slice(0, limit);
    const upTo = found.length < limit ? end : found.at(-1)!.position;
    reads.push({ after, found: found.length });
    await beforeAnswer();
    if (upTo >= after) look?.upTo(upTo);
    return found as RecordedEvent[];
  };
  return Object.assign(log, { store: { readAll, head: () => Promise.resolve(end) } });
}

const tailOf = (store: ReturnType<typeof logOf>['store'], mostRemembered?: number) =>
  new LogTail(store, () => Promise.resolve(undefined), new ManualClock(), mostRemembered);

/** A tail that learns these checkpoints, one with each call. */
function tailBehind(store: ReturnType<typeof logOf>['store'], checkpoints: (bigint | undefined)[]) {
  const clock = new ManualClock();
  const tail = new LogTail(store, () => Promise.resolve(checkpoints.shift()), clock);
  const learn = async () => {
    clock.advance(1_000);
    tail.refresh();
    await new Promise(setImmediate);
  };
  return { tail, learn };
}

const names = (moved: readonly { readonly stream: string }[]) => moved.map(({ stream }) => stream);

const shown = (streams: number, shownUpTo?: bigint) =>
  Array.from({ length: streams }, (_, number) => {
    const stream = number === 0 ? 'moved' : `still-${number}`;
    return { stream, snapshot: undefined, shownUpTo };
  });

/** A look at a stream that has just moved on, whose answer comes when the one who called ends it. */
function beginSlowLook(log: ReturnType<typeof logOf>, tail: LogTail): () => Promise<void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  log.beforeAnswer = () => released;
  log.add('moved');
  const slow = tail.movedOn(shown(20, 7n));
  log.beforeAnswer = () => Promise.resolve();
  return async () => {
    release();
    await slow;
  };
}

describe('which streams have moved on since the views were read', () => {
  it('takes one read of the log beyond what the views showed', async () => {
    const { reads, store } = logOf(900);
    const head = jest.spyOn(store, 'head');
    const moved = await tailOf(store).movedOn(shown(20, 7n));
    expect(moved.map(({ stream }) => stream)).toEqual(['moved']);
    expect(reads).toEqual([{ after: 7n, found: 900 }]);
    expect(head).not.toHaveBeenCalled();
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

  it('reads on from where too many events waited for one read', async () => {
    const { reads, store } = logOf(1_500);
    const tail = tailOf(store);
    const all = await tail.movedOn(shown(20, 7n));
    const second = await tail.movedOn(shown(20, 7n));
    const third = await tail.movedOn(shown(20, 7n));
    expect([all.length, names(second), names(third)]).toEqual([20, ['moved'], ['moved']]);
    expect(reads.map(({ found }) => found)).toEqual([1_001, 499, 0]);
  });

  it('goes by the newest of each stream, also where a slower look answers later', async () => {
    const log = logOf(3);
    const tail = tailOf(log.store);
    await tail.movedOn(shown(20, 7n));
    const endSlowLook = beginSlowLook(log, tail);
    log.add('moved');
    await tail.movedOn(shown(20, 7n));
    await endSlowLook();
    const upToTheSlow = shown(20, 7n).map((one) => ({
      ...one,
      snapshot: { revision: 3 } as Snapshot<unknown>,
    }));
    expect(names(await tail.movedOn(upToTheSlow))).toEqual(['moved']);
    expect(log.reads.map(({ after, found }) => [after, found])).toEqual([
      [7n, 3],
      [10n, 1],
      [10n, 2],
      [12n, 0],
    ]);
  });

  it.each([
    [2, 10n],
    [1, 7n],
  ])('of two streams that moved on, where it may remember %i, looks on from %i', async (most, from) => {
    const { reads, store } = logOf(3);
    const tail = tailOf(store, most);
    await tail.movedOn(shown(20, 7n));
    expect(names(await tail.movedOn(shown(20, 7n)))).toEqual(['moved']);
    expect(reads[1]?.after).toBe(from);
  });

  it('passes on that the log cannot be read, and still knows where it was', async () => {
    const log = logOf(3);
    const tail = tailOf(log.store);
    await tail.movedOn(shown(20, 7n));
    log.beforeRead = () => {
      throw new StoreUnavailableError('Away, as the test wants it.', false);
    };
    await expect(tail.movedOn(shown(20, 7n))).rejects.toThrow('Away');
    log.beforeRead = () => undefined;
    await tail.movedOn(shown(20, 7n));
    expect(log.reads.map(({ after }) => after)).toEqual([7n, 10n]);
  });

  it('asks for each by itself where nobody knows what the views showed', async () => {
    const { reads, store } = logOf(1);
    expect(await tailOf(store).movedOn(shown(3))).toHaveLength(3);
    expect(reads).toEqual([]);
  });
});

describe('an older log that is put back under a running service', () => {
  it.each([
    ['tells that it does not reach as far', true],
    ['holds nothing there', false],
  ])('is looked through anew where it %s', async (_, tells) => {
    const log = logOf(3);
    log.tellsOfLostPlaces = tells;
    const tail = tailOf(log.store);
    await tail.movedOn(shown(20, 7n));
    log.putBack(8n);
    expect(await tail.movedOn(shown(20, 7n))).toHaveLength(20);
    log.add('still-4');
    expect(names(await tail.movedOn(shown(20, 7n)))).toEqual(['still-4']);
  });

  it('is noticed where that happens while it is looked through', async () => {
    const log = logOf(3);
    const tail = tailOf(log.store);
    await tail.movedOn(shown(20, 7n));
    log.beforeRead = () => log.putBack(8n);
    expect(await tail.movedOn(shown(20, 7n))).toHaveLength(20);
  });

  it.each([true, false])(
    'is asked for each stream where the views show more than it holds (%s)',
    async (tells) => {
      const log = logOf(3);
      log.tellsOfLostPlaces = tells;
      log.putBack(8n);
      expect(await tailOf(log.store).movedOn(shown(20, 9n))).toHaveLength(20);
    },
  );

  it('is not taken for the one that a slower look has seen', async () => {
    const log = logOf(3);
    const tail = tailOf(log.store);
    await tail.movedOn(shown(20, 7n));
    const endSlowLook = beginSlowLook(log, tail);
    log.putBack(8n);
    await tail.movedOn(shown(20, 7n));
    await endSlowLook();
    for (let number = 1; number <= 5; number += 1) log.add(`still-${number}`);
    expect(await tail.movedOn(shown(20, 7n))).toHaveLength(5);
  });

  it('is looked through anew where the views are shown anew, however far it reaches by then', async () => {
    const log = logOf(3);
    const { tail, learn } = tailBehind(log.store, [10n, 8n]);
    await learn();
    await tail.movedOn(shown(20, 8n));
    log.putBack(8n);
    for (let number = 1; number <= 5; number += 1) log.add(`still-${number}`);
    await learn();
    expect(await tail.movedOn(shown(20, tail.shownUpTo))).toHaveLength(5);
  });
});

describe('how far the views are', () => {
  it('is kept where nobody can tell, and costs no second look where they show more', async () => {
    const { reads, store } = logOf(3);
    const { tail, learn } = tailBehind(store, [7n, undefined, 7n, 8n]);
    await learn();
    await tail.movedOn(shown(20, tail.shownUpTo));
    const learnt: unknown[] = [];
    for (let number = 1; number <= 3; number += 1) {
      await learn();
      learnt.push(tail.shownUpTo);
      await tail.movedOn(shown(20, tail.shownUpTo));
    }
    expect(learnt).toEqual([7n, 7n, 8n]);
    expect(reads.map(({ after }) => after)).toEqual([7n, 10n, 10n, 10n]);
  });
});
