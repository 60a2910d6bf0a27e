import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '../../src/documents/document-store.js';
import { ReplaceableDocumentStore } from '../../src/documents/replaceable-document-store.js';
import { openEmbeddedViews } from '../../src/adapters.js';
import { reopenable } from '../contract/contract-case.js';
import { documentStoreContract, type DocumentStoreFixture } from '../contract/document-store.contract.js';
import { ManualClock } from '../support/manual-clock.js';
import { waitUntil } from '../support/wait-until.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { withMembers } from '../support/with-members.js';

/** Every case of the contract, on a store that has just taken the place of another. */
async function replacedStore(): Promise<DocumentStoreFixture> {
  const [clock, folder, formerFolder] = [new ManualClock(), await temporaryFolder(), await temporaryFolder()];
  const open = async () => {
    const store = new ReplaceableDocumentStore(await openEmbeddedViews(formerFolder.path, clock));
    const next = await openEmbeddedViews(folder.path, clock);
    await (
      await store.replace(next, () => Promise.resolve())
    )();
    return store;
  };
  const fixture = await reopenable(open, async () => {
    await folder.remove();
    await formerFolder.remove();
    expect(clock.pending).toBe(0);
  });
  return Object.assign(fixture, { advance: clock.advance.bind(clock) });
}

documentStoreContract('a store that took the place of another', replacedStore, ['durable', 'clock']);

interface Named extends StoredDocument {
  readonly name: string;
}

const THINGS: CollectionDeclaration<Named> = { name: 'things', indexes: { by_name: { fields: ['name'] } } };

describe('the replacing of a store', () => {
  const folders: TemporaryFolder[] = [];
  const stores: DocumentStore[] = [];
  let replaceable: ReplaceableDocumentStore;
  let things: Collection<Named>;

  async function storeWith(name: string): Promise<DocumentStore> {
    const folder = await temporaryFolder();
    folders.push(folder);
    const store = await openEmbeddedViews(folder.path, new ManualClock());
    stores.push(store);
    await store.collection(THINGS);
    await store.write([{ kind: 'put', collection: THINGS.name, document: { _id: 'a', name } as Named }]);
    return store;
  }

  beforeEach(async () => {
    replaceable = new ReplaceableDocumentStore(await storeWith('old'));
    things = await replaceable.collection(THINGS);
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const folder of folders.splice(0)) await folder.remove();
  });

  it('lets collections that were opened before go on with the new one', async () => {
    const next = await storeWith('new');
    await replaceable.replace(next, async () => {
      expect(await things.get('a')).toEqual({ _id: 'a', name: 'old' });
    });
    expect(await things.get('a')).toEqual({ _id: 'a', name: 'new' });
    expect((await things.find('by_name', { equals: ['new'], limit: 1 })).documents).toHaveLength(1);
    expect(await things.findAny('by_name', ['old'])).toEqual([]);
    expect(await things.getMany(['a', 'b'])).toEqual([{ _id: 'a', name: 'new' }, undefined]);
  });

  it('does not begin where it cannot be committed', async () => {
    const full = () => Promise.reject(new Error('The disk is full.'));
    await expect(replaceable.replace(await storeWith('new'), full)).rejects.toThrow('full');
    expect(await things.get('a')).toEqual({ _id: 'a', name: 'old' });
  });

  it('closes the former one when what was under way on it has ended', async () => {
    const told: string[] = [];
    let answer: () => void = () => undefined;
    const former = await storeWith('slow');
    const slow = withMembers(former, { ping: () => new Promise<void>((resolve) => (answer = resolve)) });
    const store = new ReplaceableDocumentStore(slow);
    const pinging = store.ping().then(() => told.push('answered'));
    const replacing = store
      .replace(await storeWith('new'), () => Promise.resolve())
      .then((closeFormer) => closeFormer())
      .then(() => told.push('closed'));
    const read = async () => (await store.collection(THINGS)).get('a');
    await waitUntil(read, (found) => found?.name === 'new');
    expect(told).toEqual([]);
    answer();
    await Promise.all([pinging, replacing]);
    expect(told).toEqual(['answered', 'closed']);
  });
});
