import type { ReadAllOptions, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { OwnLogTail, SharedLogTail } from '#eventsourcing/writing/log-tail.js';
import { ManualClock } from '../../support/manual-clock.js';

const FIRST = 8n;

/** A log of so many events behind the views, the last of them of the stream `moved`, that tells how it was read. */
function logOf(waiting: number) {
  const reads: { after: bigint; found: number; looked: bigint }[] = [];
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
  };
  const readAll = ({ after = 0n, limit, scan }: ReadAllOptions) => {
    log.beforeRead();
    if (log.tellsOfLostPlaces && after > end) throw new PositionLostError(after);
    const bound = after + BigInt(scan!.atMost);
    const whole = bound < end ? bound : end;
    const found = events
      .filter(({ position }) => position > after && position <= whole)
      .slice(0, limit) as RecordedEvent[];
    const upTo = found.length < limit ? whole : found.at(-1)!.position;
    reads.push({ after, found: found.length, looked: upTo - after });
    if (upTo >= after) scan?.upTo(upTo);
    return Promise.resolve(found);
  };
  return Object.assign(log, { store: { readAll, head: () => Promise.resolve(end) } });
}

const tailOf = (store: ReturnType<typeof logOf>['store']) =>
  new SharedLogTail(store, new ManualClock(), () => Promise.resolve(undefined));

/** A tail that learns these checkpoints, one with each call. */
function tailBehind(store: ReturnType<typeof logOf>['store'], checkpoints: (bigint | undefined)[]) {
  const clock = new ManualClock();
  const tail = new SharedLogTail(store, clock, () => Promise.resolve(checkpoints.shift()));
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

describe('which streams have moved on since the views were read', () => {
  it('is found by one read of the log from where the views ended', async () => {
    const { reads, store } = logOf(900);
    const head = jest.spyOn(store, 'head');
    const moved = await tailOf(store).movedOn(shown(20, 7n));
    expect(moved.map(({ stream }) => stream)).toEqual(['moved']);
    expect(reads).toMatchObject([{ after: 7n, found: 900 }]);
    expect(head).toHaveBeenCalledTimes(1);
  });

  it('takes no read when the log ends there', async () => {
    const { reads, store } = logOf(3);
    expect(await tailOf(store).movedOn(shown(20, 10n))).toEqual([]);
    expect(reads).toEqual([]);
  });

  it('is asked of each stream as soon as events of others would cost more to read than the streams', async () => {
    const { reads, addOthers, store } = logOf(3);
    addOthers(5_000_000n);
    expect(await tailOf(store).movedOn(shown(20, 7n))).toHaveLength(20);
    expect(await tailOf(store).movedOn(shown(100, 7n))).toHaveLength(100);
    expect(reads.map(({ looked }) => looked)).toEqual([1_000n, 2_000n]);
    addOthers(-4_999_500n);
    expect(names(await tailOf(store).movedOn(shown(20, 7n)))).toEqual(['moved']);
  });

  it('includes events that came after the last answer', async () => {
    const { add, store } = logOf(3);
    const tail = tailOf(store);
    await tail.movedOn(shown(20, 7n));
    add('still-4');
    const moved = await tail.movedOn(shown(20, 7n));
    expect(moved.map(({ stream }) => stream)).toEqual(['moved', 'still-4']);
  });

  it('is told to each caller from where the views ended when that caller read them', async () => {
    const { store } = logOf(3);
    const tail = tailOf(store);
    const [early, late] = await Promise.all([tail.movedOn(shown(20, 7n)), tail.movedOn(shown(20, 10n))]);
    expect([early, late].map((moved) => moved.length)).toEqual([1, 0]);
  });

  it.each([
    [1_001, 20],
    [2_001, 100],
  ])(
    'is asked of each stream when %i events wait and the answer is about %i streams',
    async (waiting, streams) => {
      expect(await tailOf(logOf(waiting).store).movedOn(shown(streams, 7n))).toHaveLength(streams);
    },
  );

  it('is found by further reads of the log when reads of each stream would cost more', async () => {
    expect(await tailOf(logOf(2_000).store).movedOn(shown(100, 7n))).toHaveLength(1);
  });

  it('rejects when the log cannot be read', async () => {
    const log = logOf(3);
    log.beforeRead = () => {
      throw new StoreUnavailableError('Away, as the test wants it.', false);
    };
    await expect(tailOf(log.store).movedOn(shown(20, 7n))).rejects.toThrow('Away');
  });

  it('is asked of each stream when nobody knows where the views ended', async () => {
    const { reads, store } = logOf(1);
    expect(await tailOf(store).movedOn(shown(3))).toHaveLength(3);
    expect(reads).toEqual([]);
  });
});

describe('an older log that is put back under a running service', () => {
  it('while it is read makes each stream be asked', async () => {
    const log = logOf(3);
    log.beforeRead = () => log.putBack(8n);
    expect(await tailOf(log.store).movedOn(shown(20, 7n))).toHaveLength(20);
  });

  it.each([true, false])(
    'and holds less than the views show makes each stream be asked (the log tells of lost positions: %s)',
    async (tells) => {
      const log = logOf(3);
      log.tellsOfLostPlaces = tells;
      log.putBack(8n);
      expect(await tailOf(log.store).movedOn(shown(20, 9n))).toHaveLength(20);
    },
  );

  it('is read from the new position of the views, although it has grown past the old one', async () => {
    const log = logOf(3);
    const { tail, learn } = tailBehind(log.store, [10n, 8n]);
    await learn();
    log.putBack(8n);
    for (let number = 1; number <= 5; number += 1) log.add(`still-${number}`);
    await learn();
    expect(await tail.movedOn(shown(20, tail.shownUpTo))).toHaveLength(5);
  });
});

describe('how far the views are', () => {
  it('stays as it was last known while nobody can tell', async () => {
    const { tail, learn } = tailBehind(logOf(3).store, [7n, undefined, 8n]);
    const learnt: unknown[] = [];
    for (let number = 1; number <= 3; number += 1) {
      await learn();
      learnt.push(tail.shownUpTo);
    }
    expect(learnt).toEqual([7n, 7n, 8n]);
  });
});

describe('a log that only this process writes', () => {
  const streams = (count: number) => Array.from({ length: count }, (_, number) => `stream-${number}`);

  it('is read again only for streams whose last write has failed in between', () => {
    const tail = new OwnLogTail();
    tail.unsettle(['failed']);
    expect([tail.mayBeBehind('failed'), tail.mayBeBehind('another')]).toEqual([true, false]);
    tail.settle(['failed']);
    expect(tail.mayBeBehind('failed')).toBe(false);
  });

  it('is read for each stream after more failures than it remembers', () => {
    const tail = new OwnLogTail();
    tail.unsettle(streams(10_000));
    expect(tail.mayBeBehind('another')).toBe(false);
    tail.unsettle(['one more']);
    expect(tail.mayBeBehind('another')).toBe(true);
    tail.settle(['another']);
    expect(tail.mayBeBehind('another')).toBe(true);
  });
});
