import { encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import { expectRejection } from './contract-case.js';
import {
  idsByPages,
  idsFound,
  numbered,
  sampleCollection,
  type DocumentStoreCase,
  type Sample,
} from './document-store.samples.js';

const reads: DocumentStoreCase[] = [
  {
    name: 'a document comes back as it was written',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const document: Sample = {
        _id: 'ïd 😀',
        unicode: 'naïve – 東京 – \u{10ffff} – "quoted" \\ \n\u0000\u2028',
        fraction: 0.1,
        safe: Number.MAX_SAFE_INTEGER,
        negative: -1.5e-300,
        nested: { list: [1, 'two', null, { deep: [[]] }], empty: {} },
        flags: [true, false, null],
      };
      await samples.put(document);
      expect(await samples.get('ïd 😀')).toEqual(document);
    },
  },
  {
    name: 'changing what was written or read does not change the store, and may be refused',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const document = { _id: 'a', tags: ['one'], list: [1] };
      await samples.put(document);
      const found = await samples.find('by_tag', { equals: ['one'], limit: 1 });
      for (const one of [document, await samples.get('a'), found.documents[0]]) {
        const change = () => (one!['list'] as number[]).push(2);
        if (Object.isFrozen(one)) expect(change).toThrow(TypeError);
        else change();
      }
      expect(await samples.get('a')).toEqual({ _id: 'a', tags: ['one'], list: [1] });
    },
  },
  {
    name: 'getMany returns 500 in the order asked, undefined where there is none',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill(numbered(250, (number) => ({ _id: `id-${number * 2}`, number })));
      const ids = numbered(500, (number) => `id-${499 - number}`);
      const found = await samples.getMany([...ids, 'id-0']);
      expect(found.map((document) => document?._id)).toEqual(
        [...ids, 'id-0'].map((id) => (Number(id.slice(3)) % 2 === 0 ? id : undefined)),
      );
    },
  },
  {
    name: 'findAny returns all documents of 500 values, each once',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill(numbered(600, (rank) => ({ _id: `id-${rank}`, rank })));
      await samples.fill([{ _id: 'twin', rank: 7 }]);
      const found = await samples.findAny('by_rank', [...numbered(500, (number) => number), 7, 10_000]);
      const expected = [...numbered(500, (number) => `id-${number}`), 'twin'];
      expect(found.map(({ _id }) => _id).sort()).toEqual(expected.sort());
    },
  },
  {
    name: 'findAny finds by the leading field of a unique index, and by the elements of an array',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([
        { _id: 'a', company: 'x', email: 'e', tags: ['red', 'blue'] },
        { _id: 'b', company: 'x', email: 'f', tags: ['blue'] },
        { _id: 'c', company: 'y', email: 'e', tags: 'green' },
      ]);
      const companies = await samples.findAny('by_company_email', ['x']);
      expect(companies.map(({ _id }) => _id).sort()).toEqual(['a', 'b']);
      const tags = await samples.findAny('by_tag', ['red', 'blue']);
      expect(tags.map(({ _id }) => _id).sort()).toEqual(['a', 'b']);
      expect(await samples.findAny('by_tag', [])).toEqual([]);
    },
  },
  {
    name: 'page walks all documents that have not expired, by their ids, each once',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const other = await sampleCollection(store);
      await other.fill([{ _id: 'another' }]);
      await samples.fill(numbered(120, (number) => ({ _id: `id-${number}`, rank: number })));
      await samples.fill([{ _id: 'gone', expires_at: 1 }]);
      const seen: string[] = [];
      for (let after: string | undefined; ;) {
        const page = await samples.page(after, 50);
        if (page.length === 0) break;
        seen.push(...page.map(({ _id }) => _id));
        after = seen.at(-1);
      }
      expect(seen).toHaveLength(120);
      expect([...new Set(seen)].sort()).toEqual(numbered(120, (number) => `id-${number}`).sort());
    },
  },
  {
    name: 'find on an index that was not declared is a TypeError',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const isTypeError = (error: unknown): boolean => error instanceof TypeError;
      await expectRejection(samples.find('by_nothing', { equals: [], limit: 1 }), isTypeError);
      await expectRejection(samples.findAny('by_nothing', ['a']), isTypeError);
    },
  },
];

const upkeep: DocumentStoreCase[] = [
  {
    name: 'an index follows its documents as they change',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([
        { _id: 'a', company: 'x', name: 'one' },
        { _id: 'b', company: 'x', name: 'two' },
      ]);
      await samples.fill([{ _id: 'a', company: 'y', name: 'one' }]);
      expect(await idsFound(samples, 'by_company_name', { equals: ['x'] })).toEqual(['b']);
      expect(await idsFound(samples, 'by_company_name', { equals: ['y', 'one'] })).toEqual(['a']);
      await samples.fill([{ _id: 'b', company: 'x' }]);
      expect(await idsFound(samples, 'by_company_name', { equals: ['x', 'two'] })).toEqual([]);
      expect(await idsFound(samples, 'by_company_name', { equals: ['x', null] })).toEqual(['b']);
    },
  },
  {
    name: 'an array is indexed once for each element, and follows its changes',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([
        { _id: 'a', tags: ['red', 'blue', 'red'] },
        { _id: 'b', tags: ['blue'] },
      ]);
      expect(await idsFound(samples, 'by_tag', { equals: ['red'] })).toEqual(['a']);
      expect(await idsFound(samples, 'by_tag', { equals: ['blue'] })).toEqual(['a', 'b']);
      await samples.fill([{ _id: 'a', tags: ['green', 'blue'] }]);
      expect(await idsFound(samples, 'by_tag', { equals: ['red'] })).toEqual([]);
      expect(await idsFound(samples, 'by_tag', { equals: ['green'] })).toEqual(['a']);
      expect(await idsFound(samples, 'by_tag', { equals: ['blue'] })).toEqual(['a', 'b']);
    },
  },
  {
    name: 'declaring a collection again keeps its documents, and a new index finds them',
    async run({ store }) {
      const samples = await sampleCollection(store, { indexes: {} });
      await samples.fill(numbered(20, (number) => ({ _id: `id-${number}`, rank: number % 2 })));
      const again = await sampleCollection(store, {
        name: samples.name,
        indexes: { by_rank: { fields: ['rank'] } },
      });
      expect(await idsFound(again, 'by_rank', { equals: [1] })).toHaveLength(10);
      expect(await samples.get('id-3')).toEqual({ _id: 'id-3', rank: 1 });
    },
  },
];

/** The order of UTF-8 bytes: a code unit beyond the surrogates comes before the characters that they make. */
const byBytes = ['', ' ', 'A', 'Z', 'a', 'aa', 'ab', 'b', 'é', '東', '\uffee', '😀', '\u{10ffff}'];

const order: DocumentStoreCase[] = [
  {
    name: 'strings sort by their UTF-8 bytes, also beyond U+FFFF',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([...byBytes].reverse().map((name) => ({ _id: `id-${name}`, company: 'x', name })));
      const ids = await idsFound(samples, 'by_company_name', { equals: ['x'] });
      expect(ids).toEqual(byBytes.map((name) => `id-${name}`));
    },
  },
  {
    name: 'ties are in the order of _id, by UTF-8 bytes',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const ids = byBytes.filter((id) => id !== '');
      await samples.fill([...ids].reverse().map((_id) => ({ _id, rank: 1 })));
      expect(await idsFound(samples, 'by_rank', { equals: [1] })).toEqual(ids);
      expect(await idsFound(samples, 'by_rank', { equals: [1], descending: true })).toEqual(
        [...ids].reverse(),
      );
    },
  },
  {
    name: 'numbers sort by size',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const ranks = [
        -1e300, -1000, -2, -1.5, -1, -1e-300, 0, 1e-300, 0.1, 1, 2, 10, 100, 9_007_199_254_740_991, 1e300,
      ];
      await samples.fill([...ranks].reverse().map((rank) => ({ _id: `id-${rank}`, rank })));
      expect(await idsFound(samples, 'by_rank')).toEqual(ranks.map((rank) => `id-${rank}`));
    },
  },
  {
    name: 'null and absent values come first, then numbers, then strings',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([
        { _id: 'string', rank: '' },
        { _id: 'number', rank: -5 },
        { _id: 'a-null', rank: null },
        { _id: 'b-absent' },
      ]);
      expect(await idsFound(samples, 'by_rank')).toEqual(['a-null', 'b-absent', 'number', 'string']);
      expect(await idsFound(samples, 'by_rank', { equals: [null] })).toEqual(['a-null', 'b-absent']);
      const descending = await idsFound(samples, 'by_rank', { descending: true });
      expect(descending).toEqual(['string', 'number', 'b-absent', 'a-null']);
    },
  },
  {
    name: 'null and absent values are not found by a sparse index, and follow their changes',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([
        { _id: 'a', company: 'x', phone: '2' },
        { _id: 'b', company: 'x', phone: null },
        { _id: 'c', company: 'x' },
        { _id: 'd', company: 'x', phone: '1' },
        { _id: 'e', phone: '1' },
      ]);
      const find = (options: object): Promise<string[]> => idsFound(samples, 'by_company_phone', options);
      for (const descending of [false, true]) {
        const expected = descending ? ['a', 'd'] : ['d', 'a'];
        expect(await find({ descending })).toEqual(expected);
        expect(await find({ equals: ['x'], descending })).toEqual(expected);
        expect(
          await idsByPages(samples, 'by_company_phone', { equals: ['x'], descending, limit: 1 }),
        ).toEqual(expected);
      }
      expect(await find({ equals: ['x', null] })).toEqual([]);
      expect(await find({ equals: [null] })).toEqual([]);
      expect((await samples.findAny('by_company_phone', ['x', null])).map(({ _id }) => _id).sort()).toEqual([
        'a',
        'd',
      ]);
      await samples.fill([
        { _id: 'a', company: 'x' },
        { _id: 'b', company: 'x', phone: '1' },
      ]);
      expect(await find({ equals: ['x'] })).toEqual(['b', 'd']);
    },
  },
  {
    name: 'bounds are inclusive, hold in both directions, and leave out null and absent values',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill(
        numbered(10, (number) => ({ _id: `id-${number}`, company: 'x', name: `n${number}` })),
      );
      await samples.fill([
        { _id: 'null', company: 'x', name: null },
        { _id: 'absent', company: 'x' },
        { _id: 'other', company: 'y', name: 'n3' },
      ]);
      const find = (options: object): Promise<string[]> =>
        idsFound(samples, 'by_company_name', { equals: ['x'], ...options });
      expect(await find({ from: 'n3', to: 'n5' })).toEqual(['id-3', 'id-4', 'id-5']);
      expect(await find({ from: 'n3', to: 'n5', descending: true })).toEqual(['id-5', 'id-4', 'id-3']);
      expect(await find({ from: 'n8' })).toEqual(['id-8', 'id-9']);
      expect(await find({ to: 'n1' })).toEqual(['id-0', 'id-1']);
      expect(await find({ to: 'n1', descending: true })).toEqual(['id-1', 'id-0']);
      expect(await find({ from: 'n55', to: 'n65' })).toEqual(['id-6']);
      expect(await find({ from: 'n5', to: 'n4' })).toEqual([]);
    },
  },
  {
    name: 'bounds on numbers',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([-2, -1, 0, 1, 2, 10].map((rank) => ({ _id: `id${rank}`, rank })));
      await samples.fill([{ _id: 'null', rank: null }]);
      expect(await idsFound(samples, 'by_rank', { from: -1, to: 2 })).toEqual(['id-1', 'id0', 'id1', 'id2']);
      expect(await idsFound(samples, 'by_rank', { from: 2 })).toEqual(['id2', 'id10']);
      expect(await idsFound(samples, 'by_rank', { to: -1 })).toEqual(['id-2', 'id-1']);
    },
  },
  {
    name: 'equal values do not find those that only begin alike',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const names = ['a', 'a\u0000', 'a\u0000b', 'a\u0001', 'ab', 'a '];
      await samples.fill(names.map((company, number) => ({ _id: `id-${number}`, company, name: 'x' })));
      for (const [number, company] of names.entries()) {
        expect(await idsFound(samples, 'by_company_name', { equals: [company] })).toEqual([`id-${number}`]);
      }
    },
  },
  {
    name: 'ids of 1,200 bytes with values of 1,020 bytes are kept, found and sorted',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const id = (last: string): string => '東'.repeat(399) + last.padEnd(3, '-');
      const long = 'é'.repeat(509);
      await samples.fill(
        ['c', 'a', 'b'].map((last) => ({
          _id: id(last),
          company: `${long}x`,
          name: `${long}${last}`,
          code: `${long}${last}`,
        })),
      );
      expect((await samples.get(id('b')))?.['name']).toBe(`${long}b`);
      const equals = [`${long}x`];
      expect(await idsFound(samples, 'by_company_name', { equals })).toEqual(['a', 'b', 'c'].map(id));
      expect(await idsFound(samples, 'by_company_name', { equals: [`${long}x`, `${long}b`] })).toEqual([
        id('b'),
      ]);
      expect(await idsFound(samples, 'by_code', { equals: [`${long}c`] })).toEqual([id('c')]);
      expect(await idsByPages(samples, 'by_company_name', { equals, limit: 1 })).toEqual(
        ['a', 'b', 'c'].map(id),
      );
      await samples.delete(id('b'));
      expect(await idsFound(samples, 'by_company_name', { equals })).toEqual(['a', 'c'].map(id));
    },
  },
];

const pages: DocumentStoreCase[] = [
  {
    name: 'pages join without gaps or repeats, and the last says so',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const documents = numbered(50, (number) => ({
        _id: `id-${String(number).padStart(2, '0')}`,
        rank: number % 3,
      }));
      await samples.fill(documents);
      for (const descending of [false, true]) {
        const ids = await idsByPages(samples, 'by_rank', { equals: [1], descending, limit: 4 });
        const expected = documents.filter(({ rank }) => rank === 1).map(({ _id }) => _id);
        expect(ids).toEqual(descending ? expected.reverse() : expected);
      }
      const whole = await samples.find('by_rank', { equals: [], limit: 50 });
      expect([whole.documents.length, whole.next_cursor]).toEqual([50, null]);
      const part = await samples.find('by_rank', { equals: [], limit: 49 });
      expect([part.documents.length, typeof part.next_cursor]).toEqual([49, 'string']);
    },
  },
  {
    name: 'pages are stable over inserts and deletes in between',
    async run({ store }) {
      const samples = await sampleCollection(store);
      const id = (number: number): string => `id-${String(number).padStart(3, '0')}`;
      await samples.fill(numbered(30, (number) => ({ _id: id(number * 10), rank: 1 })));
      const ids = await idsByPages(samples, 'by_rank', { equals: [1], limit: 7 }, async (seen) => {
        const last = Number(seen.at(-1)?.slice(3) ?? 0);
        // One before and one after where the page ended, and the page's own last document goes.
        await samples.fill([last - 5, last + 5].map((number) => ({ _id: id(Math.max(number, 1)), rank: 1 })));
        await samples.delete(id(last));
      });
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual([...ids].sort());
      for (let number = 0; number < 30; number += 1) expect(ids).toContain(id(number * 10));
    },
  },
  {
    name: 'pages keep to their bounds and their equal values',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill(
        numbered(40, (number) => ({
          _id: `id-${String(number).padStart(2, '0')}`,
          company: number % 2 === 0 ? 'x' : 'y',
          name: `n${String(number).padStart(2, '0')}`,
        })),
      );
      const options = { equals: ['x'], from: 'n10', to: 'n20', limit: 2 };
      const expected = ['id-10', 'id-12', 'id-14', 'id-16', 'id-18', 'id-20'];
      expect(await idsByPages(samples, 'by_company_name', options)).toEqual(expected);
      const descending = await idsByPages(samples, 'by_company_name', { ...options, descending: true });
      expect(descending).toEqual(expected.reverse());
    },
  },
  {
    name: 'bounds on a list find each document once that has one element within, in pages too',
    async run({ store }) {
      const samples = await sampleCollection(store, {
        indexes: { by_company_word: { fields: ['company', 'words', 'rank'], list: 'words' } },
      });
      const words = ['a', 'b', 'ba', 'bb', 'c', 'd'];
      const lists = numbered(40, (number) =>
        words.filter((_, place) => (number * 7 + place * 5) % 11 < 1 + (number % 4)),
      );
      await samples.fill(lists.map((list, rank) => ({ _id: `id-${rank}`, company: 'x', words: list, rank })));
      await samples.fill([
        { _id: 'around', company: 'x', words: ['a', 'd'], rank: 40 },
        { _id: 'other', company: 'y', words: ['b'], rank: 41 },
      ]);
      const expected = lists.flatMap((list, rank) =>
        list.some((word) => word.startsWith('b')) ? `id-${rank}` : [],
      );
      expect(expected.length).toBeGreaterThan(9);
      const options = { equals: ['x'], from: 'b', to: 'b\u{10ffff}' };
      for (const [descending, limit] of [[false, 1] as const, [false, 4] as const, [true, 3] as const]) {
        const ids = await idsByPages(samples, 'by_company_word', { ...options, descending, limit });
        expect(ids.toSorted()).toEqual(expected.toSorted());
      }
    },
  },
  {
    name: 'a unique index is paged as well',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill(numbered(9, (number) => ({ _id: `id-${9 - number}`, code: number })));
      const ids = await idsByPages(samples, 'by_code', { equals: [], limit: 2 });
      expect(ids).toEqual(numbered(9, (number) => `id-${9 - number}`));
    },
  },
  {
    name: 'a cursor that the store did not make is refused',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([
        { _id: 'a', rank: 1 },
        { _id: 'b', rank: 1 },
      ]);
      const { next_cursor: cursor } = await samples.find('by_rank', { equals: [], limit: 1 });
      for (const bad of ['', 'nonsense', '%%%', 'bm9uc2Vuc2U', '{}', `x${cursor}`, `${cursor}x`, 'null']) {
        await expectRejection(
          samples.find('by_rank', { equals: [], limit: 1, cursor: bad }),
          (error) => error instanceof InvalidCursorError,
        );
      }
      expect(await idsFound(samples, 'by_rank', { cursor: cursor! })).toEqual(['b']);
    },
  },
  {
    name: 'a forged cursor whose position is of another type is refused',
    async run({ store }) {
      const samples = await sampleCollection(store);
      await samples.fill([{ _id: 'a', rank: 1 }]);
      const positions: unknown[] = [
        { toString: 1 },
        null,
        1,
        ['a'],
        { values: [], id: 'a' },
        { values: [1], id: {} },
      ];
      // What each store's cursors name.
      const lists = [
        [samples.name, 'by_rank'],
        [samples.name, 'by_rank', [], false, []],
      ];
      for (const cursor of positions.flatMap((one) => lists.map((list) => encodeCursor(one, list)))) {
        await expectRejection(
          samples.find('by_rank', { equals: [], limit: 1, cursor }),
          (error) => error instanceof InvalidCursorError,
        );
      }
    },
  },
];

export const findCases: DocumentStoreCase[] = [...reads, ...upkeep, ...order, ...pages];
