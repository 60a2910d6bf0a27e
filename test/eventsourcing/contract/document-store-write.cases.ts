import type { DocumentWrite, WriteOutcome } from '#eventsourcing/documents/document-store.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { expectRejection } from './contract-case.js';
import {
  duplicate,
  idsFound,
  notNewer,
  numbered,
  type Sample,
  sampleCollection,
  versionConflict,
  written,
  type DocumentStoreCase,
} from './document-store.samples.js';

function count(outcomes: readonly WriteOutcome[], kind: WriteOutcome['kind']): number {
  return outcomes.filter((outcome) => outcome.kind === kind).length;
}

const kinds: DocumentStoreCase[] = [
  {
    name: 'insert writes a new document and refuses a taken _id',
    async run({ store }) {
      const samples = await sampleCollection(store);
      expect(await samples.insert({ _id: 'a', text: 'first' })).toEqual(written);
      expect(await samples.insert({ _id: 'a', text: 'second' })).toEqual(duplicate('_id'));
      expect(await samples.get('a')).toEqual({ _id: 'a', text: 'first' });
    },
  },
  {
    name: 'put writes whatever stands there, and whole',
    async run({ store }) {
      const samples = await sampleCollection(store);
      expect(await samples.put({ _id: 'a', one: 1 })).toEqual(written);
      expect(await samples.put({ _id: 'a', two: 2 })).toEqual(written);
      expect(await samples.get('a')).toEqual({ _id: 'a', two: 2 });
    },
  },
  {
    name: 'put_if_newer writes a first document and newer ones, and refuses equal and older ones',
    async run({ store }) {
      const samples = await sampleCollection(store);
      expect(await samples.putIfNewer({ _id: 'a', revision: 3 })).toEqual(written);
      expect(await samples.putIfNewer({ _id: 'a', revision: 3, late: true })).toEqual(notNewer);
      expect(await samples.putIfNewer({ _id: 'a', revision: 2, late: true })).toEqual(notNewer);
      expect(await samples.get('a')).toEqual({ _id: 'a', revision: 3 });
      expect(await samples.putIfNewer({ _id: 'a', revision: 4, next: true })).toEqual(written);
      expect(await samples.get('a')).toEqual({ _id: 'a', revision: 4, next: true });
    },
  },
  {
    name: 'put_if_newer takes revision 0 as a first one',
    async run({ store }) {
      const samples = await sampleCollection(store);
      expect(await samples.putIfNewer({ _id: 'a', revision: 0 })).toEqual(written);
      expect(await samples.putIfNewer({ _id: 'a', revision: 0, late: true })).toEqual(notNewer);
      expect(await samples.get('a')).toEqual({ _id: 'a', revision: 0 });
    },
  },
  {
    name: 'compare_and_set that expects none creates one, and conflicts where there is one',
    async run({ store }) {
      const samples = await sampleCollection(store);
      expect(await samples.compareAndSet(null, { _id: 'a', version: 1 })).toEqual(written);
      expect(await samples.compareAndSet(null, { _id: 'a', version: 1, late: true })).toEqual(
        versionConflict,
      );
      expect(await samples.get('a')).toEqual({ _id: 'a', version: 1 });
    },
  },
  {
    name: 'compare_and_set replaces the version that it expects, and no other',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.put({ _id: 'a', version: 5 });
      expect(await samples.compareAndSet(4, { _id: 'a', version: 6 })).toEqual(versionConflict);
      expect(await samples.compareAndSet(6, { _id: 'a', version: 7 })).toEqual(versionConflict);
      expect(await samples.compareAndSet(5, { _id: 'a', version: 6 })).toEqual(written);
      expect(await samples.get('a')).toEqual({ _id: 'a', version: 6 });
    },
  },
  {
    name: 'compare_and_set and delete compare the revision where that is named',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([{ _id: 'a', revision: 4, rank: 1 }]);
      const { name: collection } = samples;
      const set = async (expected: number, rank: number) => {
        const document = { _id: 'a', revision: 4, rank };
        const write = { kind: 'compare_and_set', collection, expected, field: 'revision', document } as const;
        return (await store.write([write]))[0];
      };
      expect(await set(3, 2)).toEqual(versionConflict);
      expect(await set(4, 3)).toEqual(written);
      expect(await samples.get('a')).toMatchObject({ revision: 4, rank: 3 });
      const remove = async (expected: number) =>
        (await store.write([{ kind: 'delete', collection, id: 'a', expected, field: 'revision' }]))[0];
      expect(await remove(3)).toEqual(versionConflict);
      expect(await remove(4)).toEqual(written);
      expect(await samples.get('a')).toBeUndefined();
    },
  },
  {
    name: 'compare_and_set conflicts where the document that it expects is absent',
    async run({ store }) {
      const samples = await sampleCollection(store);
      expect(await samples.compareAndSet(1, { _id: 'a', version: 2 })).toEqual(versionConflict);
      expect(await samples.get('a')).toBeUndefined();
    },
  },
  {
    name: 'delete removes a document, and an absent one too',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.put({ _id: 'a', company: 'c', name: 'n' });
      expect(await idsFound(samples, 'by_company_name', { equals: ['c'] })).toEqual(['a']);
      expect(await samples.delete('a')).toEqual(written);
      expect(await samples.delete('a')).toEqual(written);
      expect(await samples.get('a')).toBeUndefined();
      expect(await idsFound(samples, 'by_company_name', { equals: ['c'] })).toEqual([]);
    },
  },
  {
    name: 'a document that the caller knows is read as it is stored now, after every kind of write',
    async run({ store }) {
      const samples = await sampleCollection(store);
      let last: Sample | undefined;
      const read = async () => {
        [last] = await samples.getMany(['a'], { known: () => last });
        return last;
      };
      expect(await read()).toBeUndefined();
      await samples.insert({ _id: 'a', revision: 1, version: 1 });
      expect(await read()).toEqual({ _id: 'a', revision: 1, version: 1 });
      expect(await read()).toEqual({ _id: 'a', revision: 1, version: 1 });
      await samples.put({ _id: 'a', revision: 1, version: 1, text: 'other' });
      expect(await read()).toEqual({ _id: 'a', revision: 1, version: 1, text: 'other' });
      await samples.putIfNewer({ _id: 'a', revision: 2, version: 1 });
      expect(await read()).toEqual({ _id: 'a', revision: 2, version: 1 });
      await samples.compareAndSet(1, { _id: 'a', version: 2 });
      expect(await read()).toEqual({ _id: 'a', version: 2 });
      await samples.delete('a');
      expect(await read()).toBeUndefined();
    },
  },
  {
    name: 'findAny returns documents that the caller knows as they are stored now, after every kind of write',
    async run({ store }) {
      const samples = await sampleCollection(store);
      let last: Sample | undefined;
      const read = async () => {
        [last] = await samples.findAny('by_rank', [1, 2], { known: () => last });
        return last;
      };
      expect(await read()).toBeUndefined();
      await samples.insert({ _id: 'a', rank: 1, revision: 1, version: 1 });
      expect(await read()).toEqual({ _id: 'a', rank: 1, revision: 1, version: 1 });
      expect(await read()).toEqual({ _id: 'a', rank: 1, revision: 1, version: 1 });
      await samples.put({ _id: 'a', rank: 2, revision: 1, version: 1 });
      expect(await read()).toEqual({ _id: 'a', rank: 2, revision: 1, version: 1 });
      await samples.putIfNewer({ _id: 'a', rank: 2, revision: 2, version: 1 });
      expect(await read()).toEqual({ _id: 'a', rank: 2, revision: 2, version: 1 });
      await samples.compareAndSet(1, { _id: 'a', rank: 3, version: 2 });
      expect(await read()).toBeUndefined();
    },
  },
  {
    name: 'delete at a version removes that version only',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.put({ _id: 'a', version: 2 });
      expect(await samples.delete('a', 1)).toEqual(versionConflict);
      expect(await samples.get('a')).toEqual({ _id: 'a', version: 2 });
      expect(await samples.delete('a', 2)).toEqual(written);
      expect(await samples.get('a')).toBeUndefined();
      expect(await samples.delete('a', 2)).toEqual(written);
    },
  },
];

const races: DocumentStoreCase[] = [
  {
    name: '20 concurrent inserts of one _id: one wins',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const outcomes = await resultsAtOnce(numbered(20, (by) => () => samples.insert({ _id: 'a', by })));
      expect([count(outcomes, 'written'), count(outcomes, 'duplicate')]).toEqual([1, 19]);
      const winner = outcomes.findIndex(({ kind }) => kind === 'written');
      expect(await samples.get('a')).toEqual({ _id: 'a', by: winner });
    },
  },
  {
    name: '20 concurrent inserts of one unique key: one wins',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const outcomes = await resultsAtOnce(
        numbered(20, (by) => () => samples.insert({ _id: `id-${by}`, code: 'one' })),
      );
      expect([count(outcomes, 'written'), count(outcomes, 'duplicate')]).toEqual([1, 19]);
      const winner = outcomes.findIndex(({ kind }) => kind === 'written');
      expect(await idsFound(samples, 'by_code', { equals: ['one'] })).toEqual([`id-${winner}`]);
    },
  },
  {
    name: '20 concurrent compare_and_sets of one version: one wins',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.put({ _id: 'a', version: 1 });
      const outcomes = await resultsAtOnce(
        numbered(20, (by) => () => samples.compareAndSet(1, { _id: 'a', version: 2, by })),
      );
      expect([count(outcomes, 'written'), count(outcomes, 'version_conflict')]).toEqual([1, 19]);
      const winner = outcomes.findIndex(({ kind }) => kind === 'written');
      expect(await samples.get('a')).toEqual({ _id: 'a', version: 2, by: winner });
    },
  },
  {
    name: '20 concurrent first compare_and_sets: one wins',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const outcomes = await resultsAtOnce(
        numbered(20, (by) => () => samples.compareAndSet(null, { _id: 'a', version: 1, by })),
      );
      expect([count(outcomes, 'written'), count(outcomes, 'version_conflict')]).toEqual([1, 19]);
    },
  },
  {
    name: 'concurrent first put_if_newers end with the newest',
    async run({ store }) {
      const samples = await sampleCollection(store);
      for (const order of [
        [1, 2, 3, 4],
        [4, 3, 2, 1],
        [2, 4, 1, 3],
      ]) {
        const id = `id-${order.join('')}`;
        const outcomes = await resultsAtOnce(
          order.map((revision) => () => samples.putIfNewer({ _id: id, revision })),
        );
        expect(await samples.get(id)).toEqual({ _id: id, revision: 4 });
        expect(outcomes[order.indexOf(4)]).toEqual(written);
      }
    },
  },
];

const unique: DocumentStoreCase[] = [
  {
    name: 'a taken unique key refuses every kind of write and names its index',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.put({ _id: 'owner', code: 'taken' });
      expect(await samples.insert({ _id: 'a', code: 'taken' })).toEqual(duplicate('by_code'));
      expect(await samples.put({ _id: 'a', code: 'taken' })).toEqual(duplicate('by_code'));
      expect(await samples.putIfNewer({ _id: 'a', code: 'taken', revision: 1 })).toEqual(
        duplicate('by_code'),
      );
      expect(await samples.compareAndSet(null, { _id: 'a', code: 'taken', version: 1 })).toEqual(
        duplicate('by_code'),
      );
      expect(await samples.get('a')).toBeUndefined();
    },
  },
  {
    name: 'a unique key of two fields is taken only where both are equal',
    async run({ store }) {
      const samples = await sampleCollection(store);
      expect(await samples.insert({ _id: 'a', company: 'x', email: 'e' })).toEqual(written);
      expect(await samples.insert({ _id: 'b', company: 'y', email: 'e' })).toEqual(written);
      expect(await samples.insert({ _id: 'c', company: 'x', email: 'f' })).toEqual(written);
      expect(await samples.insert({ _id: 'd', company: 'x', email: 'e' })).toEqual(
        duplicate('by_company_email'),
      );
    },
  },
  {
    name: 'null and absent values are held to no uniqueness and not found by a unique index',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([
        { _id: 'a', company: 'x' },
        { _id: 'b', company: 'x', email: null },
        { _id: 'c', company: 'x' },
        { _id: 'd', company: 'x', email: 'e' },
      ]);
      expect(await idsFound(samples, 'by_company_email', { equals: ['x'] })).toEqual(['d']);
    },
  },
  {
    name: 'a document may keep its own unique key, and a change frees the one before',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.put({ _id: 'a', code: 'old' });
      expect(await samples.put({ _id: 'a', code: 'old', more: 1 })).toEqual(written);
      expect(await samples.put({ _id: 'a', code: 'new' })).toEqual(written);
      expect(await samples.insert({ _id: 'b', code: 'new' })).toEqual(duplicate('by_code'));
      expect(await samples.insert({ _id: 'b', code: 'old' })).toEqual(written);
    },
  },
  {
    name: 'deleting a document frees its unique key',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.put({ _id: 'a', code: 'one' });
      await samples.delete('a');
      expect(await samples.insert({ _id: 'b', code: 'one' })).toEqual(written);
      expect(await idsFound(samples, 'by_code', { equals: ['one'] })).toEqual(['b']);
    },
  },
  {
    name: 'a refused change leaves the document and its keys as they were',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([
        { _id: 'a', code: 'one', rank: 1 },
        { _id: 'b', code: 'two', rank: 2 },
      ]);
      expect(await samples.put({ _id: 'b', code: 'one', rank: 3 })).toEqual(duplicate('by_code'));
      expect(await samples.get('b')).toEqual({ _id: 'b', code: 'two', rank: 2 });
      expect(await idsFound(samples, 'by_rank')).toEqual(['a', 'b']);
      expect(await samples.insert({ _id: 'c', code: 'two' })).toEqual(duplicate('by_code'));
    },
  },
  {
    name: 'a number and a string of the same digits are different keys',
    async run({ store }) {
      const samples = await sampleCollection(store);
      expect(await samples.insert({ _id: 'a', code: 1 })).toEqual(written);
      expect(await samples.insert({ _id: 'b', code: '1' })).toEqual(written);
      expect(await samples.insert({ _id: 'c', code: 1 })).toEqual(duplicate('by_code'));
    },
  },
];

const bulk: DocumentStoreCase[] = [
  {
    name: 'a lazy write has its outcome, and those behind it see it',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const document = { _id: 'a', version: 1 };
      const write = {
        kind: 'compare_and_set',
        collection: samples.name,
        expected: null,
        document,
      } as const;
      const lazy = store.write([write], { lazy: true });
      await samples.put({ _id: 'b' });
      expect(await lazy).toEqual([written]);
      expect(await samples.get('a')).toEqual(document);
      const again = store.write([write], { lazy: true });
      await samples.put({ _id: 'c' });
      expect(await again).toEqual([versionConflict]);
    },
  },
  {
    name: '500 mixed writes in one call have their outcomes in order',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill(numbered(100, (number) => ({ _id: `old-${number}`, revision: 5, version: 5 })));
      const collection = samples.name;
      const writes = numbered(100, (number): [DocumentWrite, WriteOutcome][] => {
        const [old, fresh] = [`old-${number}`, `new-${number}`];
        return [
          [{ kind: 'insert', collection, document: { _id: old } }, duplicate('_id')],
          [{ kind: 'put_if_newer', collection, document: { _id: old, revision: 5 } }, notNewer],
          [
            { kind: 'compare_and_set', collection, expected: 4, document: { _id: old, version: 5 } },
            versionConflict,
          ],
          [{ kind: 'insert', collection, document: { _id: fresh } }, written],
          [{ kind: 'delete', collection, id: old }, written],
        ];
      }).flat();
      expect(await store.write(writes.map(([write]) => write))).toEqual(writes.map(([, outcome]) => outcome));
      const left = await samples.getMany(
        numbered(100, (number) => [`old-${number}`, `new-${number}`]).flat(),
      );
      expect(left.filter((document) => document !== undefined)).toHaveLength(100);
    },
  },
  {
    name: 'a document named twice in one call sees its writes in order',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const collection = samples.name;
      const outcomes = await store.write([
        { kind: 'insert', collection, document: { _id: 'a', code: 'one' } as { _id: string } },
        { kind: 'insert', collection, document: { _id: 'a' } },
        { kind: 'put_if_newer', collection, document: { _id: 'a', revision: 2 } },
        { kind: 'put_if_newer', collection, document: { _id: 'a', revision: 1 } },
        { kind: 'delete', collection, id: 'a' },
        { kind: 'compare_and_set', collection, expected: null, document: { _id: 'a', version: 1 } },
        { kind: 'compare_and_set', collection, expected: 1, document: { _id: 'a', version: 2 } },
      ]);
      expect(outcomes).toEqual([written, duplicate('_id'), written, notNewer, written, written, written]);
      expect(await samples.get('a')).toEqual({ _id: 'a', version: 2 });
    },
  },
  {
    name: 'one call writes to several collections',
    async run({ store }) {
      const [one, two] = [await sampleCollection(store), await sampleCollection(store)];
      await store.write([
        { kind: 'put', collection: one.name, document: { _id: 'a' } },
        { kind: 'put', collection: two.name, document: { _id: 'b' } },
      ]);
      expect([await one.get('a'), await one.get('b')]).toEqual([{ _id: 'a' }, undefined]);
      expect([await two.get('a'), await two.get('b')]).toEqual([undefined, { _id: 'b' }]);
    },
  },
  {
    name: 'no writes have no outcomes',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([{ _id: 'a' }]);
      expect(await store.write([])).toEqual([]);
      expect(await samples.get('a')).toEqual({ _id: 'a' });
    },
  },
  {
    name: 'a collection that was not declared is a TypeError',
    async run({ store }) {
      const write: DocumentWrite = { kind: 'put', collection: 'never-declared', document: { _id: 'a' } };
      await expectRejection(store.write([write]), (error) => error instanceof TypeError);
    },
  },
];

export const writeCases: DocumentStoreCase[] = [...kinds, ...races, ...unique, ...bulk];
