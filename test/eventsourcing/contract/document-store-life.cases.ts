import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { expectRejection } from './contract-case.js';
import {
  duplicate,
  idsFound,
  numbered,
  sampleCollection,
  written,
  type DocumentStoreCase,
} from './document-store.samples.js';

const past = 1;
const never = 8_000_000_000_000_000;

const expiry: DocumentStoreCase[] = [
  {
    name: 'an expired document is absent from every read, one that has not expired is there',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([
        { _id: 'gone', rank: 1, expires_at: past },
        { _id: 'later', rank: 1, expires_at: never },
        { _id: 'null', rank: 1, expires_at: null },
        { _id: 'without', rank: 1 },
      ]);
      expect(await samples.get('gone')).toBeUndefined();
      expect((await samples.getMany(['gone', 'later'])).map((found) => found?._id)).toEqual([
        undefined,
        'later',
      ]);
      expect(await idsFound(samples, 'by_rank')).toEqual(['later', 'null', 'without']);
      expect((await samples.findAny('by_rank', [1])).map(({ _id }) => _id).sort()).toEqual([
        'later',
        'null',
        'without',
      ]);
    },
  },
  {
    name: 'an expired document counts as absent for every condition of a write',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const document = { revision: 9, version: 9, expires_at: past };
      await samples.fill(['a', 'b', 'c', 'd'].map((_id) => ({ _id, ...document })));
      expect(await samples.insert({ _id: 'a' })).toEqual(written);
      expect(await samples.putIfNewer({ _id: 'b', revision: 1 })).toEqual(written);
      expect(await samples.compareAndSet(null, { _id: 'c', version: 1 })).toEqual(written);
      expect(await samples.delete('d', 1)).toEqual(written);
      expect(await samples.getMany(['a', 'b', 'c', 'd'])).toEqual([
        { _id: 'a' },
        { _id: 'b', revision: 1 },
        { _id: 'c', version: 1 },
        undefined,
      ]);
    },
  },
  {
    name: 'an expired document holds no unique key',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([{ _id: 'gone', code: 'one', rank: 1, expires_at: past }]);
      expect(await samples.insert({ _id: 'next', code: 'one', rank: 1 })).toEqual(written);
      expect(await samples.insert({ _id: 'third', code: 'one' })).toEqual(duplicate('by_code'));
      expect(await idsFound(samples, 'by_code', { equals: ['one'] })).toEqual(['next']);
      expect(await idsFound(samples, 'by_rank')).toEqual(['next']);
    },
  },
  {
    name: 'expired documents do not count towards a page',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill(
        numbered(40, (number) => ({
          _id: `id-${String(number).padStart(2, '0')}`,
          rank: 1,
          expires_at: number % 4 === 0 ? null : past,
        })),
      );
      const page = await samples.find('by_rank', { equals: [1], limit: 10 });
      expect(page.documents).toHaveLength(10);
      expect(page.next_cursor).toBeNull();
    },
  },
  {
    name: 'a document expires when the clock reaches its instant, not before, unless a write gave it more',
    needs: 'clock',
    async run({ store, advance }) {
      const samples = await sampleCollection(store);
      await samples.fill([{ _id: 'probe' }]);
      const soon = Date.UTC(2026, 0, 1) + 1_000;
      await samples.fill([
        { _id: 'a', code: 'a', expires_at: soon },
        { _id: 'b', code: 'b', expires_at: soon },
      ]);
      advance!(999);
      expect((await samples.getMany(['a', 'b'])).map((found) => found?._id)).toEqual(['a', 'b']);
      await samples.fill([{ _id: 'b', code: 'b', expires_at: soon + 1_000 }]);
      advance!(1);
      expect((await samples.getMany(['a', 'b'])).map((found) => found?._id)).toEqual([undefined, 'b']);
      advance!(1_000);
      expect(await samples.getMany(['a', 'b'])).toEqual([undefined, undefined]);
      expect(await samples.insert({ _id: 'c', code: 'a' })).toEqual(written);
    },
  },
];

const life: DocumentStoreCase[] = [
  {
    name: 'collections declared at once are each there, and one declared twice is one',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const [again, other] = await Promise.all([
        sampleCollection(store, { name: samples.name }),
        sampleCollection(store),
        sampleCollection(store, { name: samples.name }),
      ]);
      await samples.fill([{ _id: 'a' }]);
      expect(await again.get('a')).toEqual({ _id: 'a' });
      expect(await other.get('a')).toBeUndefined();
    },
  },
  {
    name: 'an acknowledged write is read at once, by every way of reading',
    async run({ store }) {
      const samples = await sampleCollection(store);
      for (let rank = 0; rank < 20; rank += 1) {
        await samples.put({ _id: 'a', rank });
        expect(await samples.get('a')).toEqual({ _id: 'a', rank });
        expect(await idsFound(samples, 'by_rank', { equals: [rank] })).toEqual(['a']);
        expect(await samples.findAny('by_rank', [rank - 1])).toEqual([]);
      }
    },
  },
  {
    name: 'a store that answers answers a ping, a closed one does not',
    async run({ store }) {
      await expect(store.ping()).resolves.toBeUndefined();
      await store.close();
      await expectRejection(store.ping(), (error) => error instanceof StoreUnavailableError);
    },
  },
  {
    name: 'closing finishes what was accepted, may be repeated, and refuses what comes later',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const accepted = samples.insert({ _id: 'a' });
      await Promise.all([store.close(), store.close()]);
      expect(await accepted).toEqual(written);
      await expectRejection(samples.get('a'), (error) => error instanceof StoreUnavailableError);
      await expectRejection(samples.put({ _id: 'a' }), (error) => error instanceof StoreUnavailableError);
      await expectRejection(
        samples.find('by_rank', { equals: [], limit: 1 }),
        (error) => error instanceof StoreUnavailableError,
      );
    },
  },
  {
    name: 'documents, indexes and unique keys are there after closing and opening again',
    needs: 'durable',
    async run(fixture) {
      const samples = await sampleCollection(fixture.store);
      await samples.fill([{ _id: 'a', rank: 1, code: 'one', version: 3 }]);
      await fixture.reopen!();
      const again = await sampleCollection(fixture.store, { name: samples.name });
      expect(await again.get('a')).toEqual({ _id: 'a', rank: 1, code: 'one', version: 3 });
      expect(await idsFound(again, 'by_rank', { equals: [1] })).toEqual(['a']);
      expect(await again.insert({ _id: 'b', code: 'one' })).toEqual(duplicate('by_code'));
      expect(await again.compareAndSet(3, { _id: 'a', version: 4 })).toEqual(written);
    },
  },
];

export const lifeCases: DocumentStoreCase[] = [...expiry, ...life];
