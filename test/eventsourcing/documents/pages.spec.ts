import { everyPage, wholeList } from '#eventsourcing/documents/pages.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../../support/embedded-world.js';

describe('a list in pages', () => {
  it('is asked for a page when the one before has been dealt with, up to the last', async () => {
    const asked: (string | undefined)[] = [];
    const read = (cursor: string | undefined) => {
      asked.push(cursor);
      return Promise.resolve({ next_cursor: [null, 'a', 'b'][3 - asked.length]! });
    };
    const known: number[] = [];
    for await (const page of everyPage(read)) {
      expect(page).toBeDefined();
      known.push(asked.length);
    }
    expect(asked).toEqual([undefined, 'b', 'a']);
    expect(known).toEqual([1, 2, 3]);
  });
});

describe('a whole list', () => {
  let world: EmbeddedWorld;
  beforeEach(async () => {
    world = await openEmbeddedWorld();
  });
  afterEach(() => world.close());

  it('holds what stands in the range and nothing else, in its order, however much it is', async () => {
    const things = { name: 'things', indexes: { by_kind: { fields: ['kind', 'place'] } } };
    const collection = await world.records.collection(things);
    const documents = Array.from({ length: 1_001 }, (_, place) => {
      return { _id: `${1_001 - place}`, kind: place === 7 ? 'other' : 'one', place };
    });
    await world.records.write(
      documents.map((document) => ({ kind: 'insert', collection: things.name, document })),
    );
    expect(await wholeList(collection, 'by_kind', { equals: ['one'], from: 1 })).toEqual(
      documents.filter(({ kind, place }) => kind === 'one' && place >= 1),
    );
    expect(await wholeList(collection, 'by_kind', { equals: ['none'] })).toEqual([]);
  });
});
