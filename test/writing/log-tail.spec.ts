import type { ReadAllOptions, RecordedEvent } from '../../src/log/event-store.js';
import { LogTail } from '../../src/writing/log-tail.js';
import { ManualClock } from '../support/manual-clock.js';

/** A log of so many events behind the views, the last of them of the stream `moved`, that counts what is read of it. */
function logOf(waiting: number) {
  const reads: ReadAllOptions[] = [];
  const events = Array.from({ length: waiting }, (_, number) => {
    return { stream: number === waiting - 1 ? 'moved' : 'another', revision: number } as RecordedEvent;
  });
  const readAll = (options: ReadAllOptions) => {
    reads.push(options);
    return Promise.resolve(events.slice(0, options.limit));
  };
  return { reads, store: { readAll } };
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
    expect(reads).toEqual([{ after: 7n, limit: 1_001 }]);
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
