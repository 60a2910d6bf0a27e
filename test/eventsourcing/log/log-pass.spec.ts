import type { EventStore, ReadAllOptions, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { pagesOf } from '#eventsourcing/log/log-pass.js';
import { OwnStreams } from '#eventsourcing/log/own-streams.js';
import { soundLog, storeOf } from '../proof/small-log.js';

/** A log of so many events, three of four from others. It records requests and answers. */
function watched(events: number) {
  const log = soundLog(
    ...Array.from({ length: events }, (_, place) => (place % 4 === 3 ? 'own.a' : 'other')),
  );
  const store = storeOf(log);
  const asked: ReadAllOptions[] = [];
  const reading: EventStore = {
    ...store,
    readAll: (options) => {
      asked.push(options);
      return store.readAll(options);
    },
  };
  return { log, asked, store: reading };
}

async function positions(pages: AsyncIterable<RecordedEvent[]>): Promise<bigint[]> {
  const found: bigint[] = [];
  for await (const page of pages) found.push(...page.map(({ position }) => position));
  return found;
}

describe('a pass over the log', () => {
  it('reads each event once, from the beginning or from behind a position', async () => {
    const { log, store } = watched(2_500);
    const all = log.map(({ position }) => position);
    expect(await positions(pagesOf(store))).toEqual(all);
    expect(await positions(pagesOf(store, undefined, all[1_200]))).toEqual(all.slice(1_201));
    expect(await positions(pagesOf(store, undefined, all.at(-1)))).toEqual([]);
    expect(await positions(pagesOf(storeOf([])))).toEqual([]);
  });

  it('goes by what was looked at, however few of it are its own', async () => {
    const { asked, store, log } = watched(4_000);
    const own = log.filter(({ stream }) => stream === 'own.a').map(({ position }) => position);
    expect(await positions(pagesOf(new OwnStreams(store, 'own.')))).toEqual(own);
    expect(asked).toHaveLength(5);
  });

  it('tells the share of its own events, whatever others wrote before and after', async () => {
    const streams = Array.from({ length: 4_500 }, (_, place) =>
      place >= 1_000 && place < 3_000 ? 'own.a' : 'other',
    );
    const shares: [number, number][] = [];
    const own = new OwnStreams(storeOf(soundLog(...streams)), 'own.');
    const pages = pagesOf(own, (events, share) => shares.push([events, Math.round(100 * share)]));
    expect(await positions(pages)).toHaveLength(2_000);
    expect(shares).toEqual(
      expect.arrayContaining([
        [0, 0],
        [1_000, 50],
        [2_000, 100],
      ]),
    );
  });

  it('has the next page read while one is worked on, and no more than that', async () => {
    const { asked, store } = watched(5_000);
    const pages = pagesOf(store);
    await pages.next();
    expect(asked).toHaveLength(2);
    await pages.next();
    expect(asked).toHaveLength(3);
  });

  it('rejects with what a reading met, once it is its turn', async () => {
    const { store } = watched(2_500);
    const failing: EventStore = {
      ...store,
      readAll: (options) =>
        options.after === undefined ? store.readAll(options) : Promise.reject(new Error('gone')),
    };
    const pages = pagesOf(failing);
    expect((await pages.next()).done).toBe(false);
    await expect(pages.next()).rejects.toThrow('gone');
  });
});
