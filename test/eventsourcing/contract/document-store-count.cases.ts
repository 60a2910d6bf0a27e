import { resultsAtOnce } from '../../support/barrier.js';
import { uniqueName } from './contract-case.js';
import { numbered, type DocumentStoreCase } from './document-store.samples.js';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Short windows and long ones are kept in different ways. */
function inBoth(
  name: string,
  run: (fixture: Parameters<DocumentStoreCase['run']>[0], window: number) => Promise<void>,
) {
  return [minute, day].map((window): DocumentStoreCase => ({
    name: `${name} (${window === day ? 'a day' : 'a minute'})`,
    run: (fixture) => run(fixture, window),
  }));
}

export const countCases: DocumentStoreCase[] = [
  ...inBoth('a count adds up in the window that the first opened, by name', async ({ store }, window) => {
    const name = uniqueName('count');
    const first = await store.count(name, 1, window);
    expect(first.count).toBe(1);
    expect(await store.count(name, 4, window)).toEqual({ count: 5, ends_at: first.ends_at });
    expect(await store.count(uniqueName('count'), 1, window)).toMatchObject({ count: 1 });
  }),
  ...inBoth('each of many counts at once is told its own number', async ({ store }, window) => {
    const name = uniqueName('count');
    const windows = await resultsAtOnce(numbered(30, () => () => store.count(name, 1, window)));
    const counts = windows.map(({ count }) => count).sort((left, right) => left - right);
    expect(counts).toEqual(numbered(30, (number) => number + 1));
  }),
  ...inBoth('0 looks and opens no window', async ({ store }, window) => {
    const name = uniqueName('count');
    expect(await store.count(name, 0, window)).toMatchObject({ count: 0 });
    const opened = await store.count(name, 2, window);
    expect(await store.count(name, 0, window)).toEqual(opened);
  }),
  ...inBoth('what is counted is taken back, but no more than that', async ({ store }, window) => {
    const name = uniqueName('count');
    expect(await store.count(name, -1, window)).toMatchObject({ count: 0 });
    const { ends_at } = await store.count(name, 3, window);
    expect(await store.count(name, -2, window)).toEqual({ count: 1, ends_at });
    expect(await store.count(name, -2, window)).toEqual({ count: 1, ends_at });
    expect(await store.count(name, 1, window)).toEqual({ count: 2, ends_at });
  }),
  ...[minute, day].map((window): DocumentStoreCase => ({
    name: `a count after the end opens the next window (${window === day ? 'a day' : 'a minute'})`,
    needs: 'clock',
    async run({ store, advance }) {
      const name = uniqueName('count');
      const { ends_at } = await store.count(name, 3, window);
      advance!(window - 1);
      expect(await store.count(name, 1, window)).toEqual({ count: 4, ends_at });
      advance!(1);
      expect(await store.count(name, 0, window)).toEqual({ count: 0, ends_at: ends_at + window });
      expect(await store.count(name, -1, window)).toMatchObject({ count: 0 });
      expect(await store.count(name, 2, window)).toEqual({ count: 2, ends_at: ends_at + window });
    },
  })),
  {
    name: 'a window of a day outlives the process',
    needs: 'durable',
    async run(fixture) {
      const name = uniqueName('count');
      const counted = await fixture.store.count(name, 3, day);
      await fixture.reopen!();
      expect(await fixture.store.count(name, 1, day)).toEqual({ ...counted, count: 4 });
    },
  },
];
