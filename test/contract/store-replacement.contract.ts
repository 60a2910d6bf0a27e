import type {
  Collection,
  CollectionDeclaration,
  StoredDocument,
} from '../../src/documents/document-store.js';
import type { ReplaceableDocumentStore } from '../../src/documents/replaceable-document-store.js';
import type { NextStore, StoreReplacement } from '../../src/documents/replacement.js';
import { type ContractCase, describeContract } from './contract-case.js';

/** A store in service and what replaces it. */
export interface StoreReplacementFixture {
  readonly inService: ReplaceableDocumentStore;
  readonly replacement: StoreReplacement;
  /** Lets the waiting that is due in the call pass. */
  passing<T>(call: Promise<T>): Promise<T>;
  /** The store that a process finds which starts now; closed by the fixture. */
  started(): Promise<Pick<ReplaceableDocumentStore, 'collection'>>;
  close(): Promise<void>;
}

interface Named extends StoredDocument {
  readonly name: string;
}
const THINGS: CollectionDeclaration<Named> = { name: 'things', indexes: { by_name: { fields: ['name'] } } };

const put = (name: string) =>
  ({ kind: 'put', collection: THINGS.name, document: { _id: 'one', name } as Named }) as const;

async function inService(
  { inService: store }: StoreReplacementFixture,
  name: string,
): Promise<Collection<Named>> {
  const things = await store.collection(THINGS);
  await store.write([put(name)]);
  return things;
}

async function filled({ replacement }: StoreReplacementFixture, name: string): Promise<NextStore> {
  const next = await replacement.open();
  await next.store.collection(THINGS);
  await next.store.write([put(name)]);
  return next;
}

async function takeOver(fixture: StoreReplacementFixture, next: NextStore): Promise<void> {
  await fixture.passing(next.announce());
  const removeFormer = await fixture.passing(next.takeOver());
  await removeFormer();
}

const storeReplacementCases: readonly ContractCase<StoreReplacementFixture>[] = [
  {
    name: 'what is built is seen by nobody before it takes over, and by all after it',
    async run(fixture) {
      const things = await inService(fixture, 'former');
      const next = await filled(fixture, 'next');
      expect((await things.get('one'))?.name).toBe('former');
      await fixture.passing(next.announce());
      expect((await things.get('one'))?.name).toBe('former');
      await (
        await fixture.passing(next.takeOver())
      )();
      expect((await things.get('one'))?.name).toBe('next');
      const found = await (await fixture.started()).collection(THINGS);
      expect((await found.find('by_name', { equals: ['next'], limit: 1 })).documents).toHaveLength(1);
    },
  },
  {
    name: 'what is discarded leaves the one in service as it was, announced or not',
    async run(fixture) {
      const things = await inService(fixture, 'former');
      await (await filled(fixture, 'first')).discard();
      const second = await filled(fixture, 'second');
      await fixture.passing(second.announce());
      await second.discard();
      await fixture.inService.write([put('later')]);
      expect((await things.get('one'))?.name).toBe('later');
      const found = await (await fixture.started()).collection(THINGS);
      expect((await found.get('one'))?.name).toBe('later');
    },
  },
  {
    name: 'one begins with nothing, whatever was discarded or served before',
    async run(fixture) {
      await inService(fixture, 'former');
      await (await filled(fixture, 'discarded')).discard();
      const next = await fixture.replacement.open();
      expect(await (await next.store.collection(THINGS)).get('one')).toBeUndefined();
      await takeOver(fixture, next);
      const after = await fixture.replacement.open();
      expect(await (await after.store.collection(THINGS)).get('one')).toBeUndefined();
      await after.discard();
    },
  },
  {
    name: 'to discard what has taken over changes nothing',
    async run(fixture) {
      const things = await inService(fixture, 'former');
      const next = await filled(fixture, 'next');
      await takeOver(fixture, next);
      await next.discard();
      expect((await things.get('one'))?.name).toBe('next');
    },
  },
];

export function storeReplacementContract(
  name: string,
  makeFixture: () => Promise<StoreReplacementFixture>,
): void {
  describeContract(name, storeReplacementCases, makeFixture, []);
}
