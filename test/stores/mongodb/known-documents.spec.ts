import { BSON, type Collection as DriverCollection, type Document } from 'mongodb';
import { ServerPresence } from '#kernel/server-presence.js';
import { CallBatcher } from '#stores/mongodb/call-batcher.js';
import { CallDeadline } from '#stores/mongodb/call-deadline.js';
import { CollectionPlan, type StoredRecord } from '#stores/mongodb/collection-plan.js';
import { MongoDbCollection } from '#stores/mongodb/mongodb-collection.js';
import { ManualClock } from '../../support/manual-clock.js';

interface Note {
  readonly _id: string;
  readonly text: string;
  readonly book?: string;
}

let stored: Map<string, StoredRecord>;
/** The ids of whole documents that were read. */
let readWhole: string[];
let notes: MongoDbCollection<Note>;
let known: Map<string, Note>;

function store(_id: string, text: string, writer?: string, more: Partial<Note> = {}): void {
  stored.set(_id, { _id, text, ...more, ...(writer !== undefined && { __writer: writer }) });
}

beforeEach(() => {
  stored = new Map();
  readWhole = [];
  known = new Map();
  const driver = {
    find(filter: Record<string, { $in: unknown[] }>, { projection }: Document) {
      const [[field, { $in: values }]] = Object.entries(filter) as [[string, { $in: unknown[] }]];
      const found = [...stored.values()].filter((record) => values.includes(record[field]));
      if (projection === undefined) readWhole.push(...found.map(({ _id }) => _id));
      const buffered =
        projection === undefined ? found : found.map(({ _id, book, __writer }) => ({ _id, book, __writer }));
      return {
        bufferedCount: () => buffered.length,
        hasNext: () => Promise.resolve(false),
        readBufferedDocuments: (number: number) =>
          buffered.splice(0, number).map((record) => BSON.serialize(record)),
        close: () => Promise.resolve(),
      };
    },
  } as unknown as DriverCollection<StoredRecord>;
  const deadline = new CallDeadline(60_000, new ServerPresence(new ManualClock()));
  const plan = new CollectionPlan({ name: 'notes', indexes: { by_book: { fields: ['book'] } } });
  notes = new MongoDbCollection(driver, plan, () => 0, {
    run: (read) => read(deadline),
    batcher: new CallBatcher(),
    isLinearizable: false,
  });
});

async function readAgain(...ids: string[]): Promise<(Note | undefined)[]> {
  const found = await notes.getMany(ids, { known: (id) => known.get(id) });
  for (const note of found) if (note !== undefined) known.set(note._id, note);
  return found;
}

async function findAgain(...books: string[]): Promise<Note[]> {
  const found = await notes.findAny('by_book', books, { known: (id) => known.get(id) });
  for (const note of found) known.set(note._id, note);
  return found;
}

test('a known document that is still stored is returned again, and is not read', async () => {
  store('a', 'one', 'w-1');
  const [first] = await readAgain('a');
  expect(first).toEqual({ _id: 'a', text: 'one' });
  readWhole = [];
  expect((await readAgain('a'))[0]).toBe(first);
  expect(readWhole).toEqual([]);
});

test('a known document that another write has replaced is read again, and others are not', async () => {
  store('a', 'one', 'w-1');
  store('b', 'two', 'w-2');
  await readAgain('a', 'b');
  store('b', 'three', 'w-3');
  readWhole = [];
  expect(await readAgain('a', 'b')).toEqual([
    { _id: 'a', text: 'one' },
    { _id: 'b', text: 'three' },
  ]);
  expect(readWhole).toEqual(['b']);
});

test.each(['w-1', undefined])(
  'a known document that was removed is absent (its writer: %s)',
  async (writer) => {
    store('a', 'one', writer);
    await readAgain('a');
    stored.clear();
    expect(await readAgain('a')).toEqual([undefined]);
  },
);

test('a known document of an unknown writer is read again', async () => {
  store('a', 'one');
  await readAgain('a');
  store('a', 'two');
  expect(await readAgain('a')).toEqual([{ _id: 'a', text: 'two' }]);
});

test('a document that an ordinary read has returned is read again', async () => {
  store('a', 'one', 'w-1');
  known.set('a', (await notes.get('a'))!);
  readWhole = [];
  expect(await readAgain('a')).toEqual([{ _id: 'a', text: 'one' }]);
  expect(readWhole).toEqual(['a']);
});

describe('a find by index', () => {
  beforeEach(async () => {
    store('a', 'one', 'w-1', { book: 'red' });
    store('b', 'two', 'w-2', { book: 'red' });
    await findAgain('red');
    readWhole = [];
  });

  it('returns known documents that are still stored, and reads none', async () => {
    expect(await findAgain('red')).toEqual([known.get('a'), known.get('b')]);
    expect(readWhole).toEqual([]);
  });

  it('spares the next read by id', async () => {
    expect((await readAgain('a'))[0]).toBe(known.get('a'));
    expect(readWhole).toEqual([]);
  });

  it('returns a document as another write has stored it', async () => {
    store('b', 'three', 'w-3', { book: 'red' });
    expect(await findAgain('red')).toMatchObject([{ text: 'one' }, { text: 'three' }]);
  });

  it('returns a document that is not known', async () => {
    store('c', 'three', 'w-3', { book: 'red' });
    expect(await findAgain('red')).toMatchObject([{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }]);
  });

  it('does not return a known document that now has another value', async () => {
    store('b', 'two', 'w-3', { book: 'blue' });
    expect(await findAgain('red')).toMatchObject([{ _id: 'a' }]);
  });

  it('does not return a known document that was removed', async () => {
    stored.delete('a');
    expect(await findAgain('red')).toMatchObject([{ _id: 'b' }]);
  });

  it('without known documents leaves none that spares a read', async () => {
    for (const note of await notes.findAny('by_book', ['red'])) known.set(note._id, note);
    readWhole = [];
    await findAgain('red');
    expect(readWhole).toEqual(['a', 'b']);
  });
});
