import type { DocumentStore } from '../../../src/documents/document-store.js';
import { EmbeddedDocumentStore } from '../../../src/documents/embedded/embedded-document-store.js';
import { MongoDbReplacement } from '../../../src/documents/mongodb/mongodb-replacement.js';
import { ViewsInUse, WAITED } from '../../../src/documents/mongodb/views-in-use.js';
import { type ViewsPointer, ViewsPointers } from '../../../src/documents/mongodb/views-pointer.js';
import { ReplaceableDocumentStore } from '../../../src/documents/replaceable-document-store.js';
import type { NextStore } from '../../../src/documents/replacement.js';
import { openEmbeddedDatabase } from '../../../src/storage/embedded-database.js';
import { isStoreUnavailableError, StoreUnavailableError } from '../../../src/storage/store.errors.js';
import { storeReplacementContract } from '../../contract/store-replacement.contract.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

/** What several processes share, on embedded stores in the place of MongoDB: how views take over knows only the port. */
async function sharedStores() {
  const clock = new ManualClock();
  const closings: (() => Promise<void>)[] = [];
  const openStore = async () => {
    const folder = await temporaryFolder();
    const database = await openEmbeddedDatabase({ folder: folder.path, durable: false, clock });
    const store = new EmbeddedDocumentStore(database, clock);
    closings.push(async () => {
      await store.close();
      await folder.remove();
    });
    return store;
  };
  const records = await openStore();
  const generations: DocumentStore[] = [];
  for (let number = 0; number < 6; number += 1) generations.push(kept(await openStore()));
  /** A process of its own on the same records and views. */
  const startProcess = async (own: DocumentStore = records) => {
    const pointers = new ViewsPointers(own, clock);
    const { number } = await pointers.read();
    const inUse = new ViewsInUse(pointers, number, clock, () => clock.now());
    const views = new ReplaceableDocumentStore(generations[number - 1]!, (call) => inUse.use(call));
    const open = (other: number) => generations[other - 1]!;
    return { inUse, views, replacement: new MongoDbReplacement(inUse, open, clock, views) };
  };
  const close = async () => {
    for (const closing of closings) await closing();
  };
  return { clock, records, startProcess, close };
}

/** Others may still use the store: closing is the fixture's. */
function kept(store: DocumentStore): DocumentStore {
  return withMembers(store, { close: () => Promise.resolve() });
}

/** Lets a call's timers come due, one after another. */
async function passing<T>(clock: ManualClock, call: Promise<T>): Promise<T> {
  let isOver = false;
  const end = call.finally(() => (isOver = true));
  end.catch(() => undefined);
  while (!isOver) {
    await new Promise((turn) => setImmediate(turn));
    clock.advance(50);
  }
  return end;
}

storeReplacementContract('replacing a store that several processes share', async () => {
  const { clock, startProcess, close } = await sharedStores();
  const { views: inService, replacement } = await startProcess();
  return {
    inService,
    replacement,
    passing: (call) => passing(clock, call),
    started: async () => (await startProcess()).views,
    close,
  };
});

describe('processes that share views', () => {
  let shared: Awaited<ReturnType<typeof sharedStores>>;
  let other: Awaited<ReturnType<typeof shared.startProcess>>;
  let next: NextStore;

  beforeEach(async () => {
    shared = await sharedStores();
    other = await shared.startProcess();
    next = await (await shared.startProcess()).replacement.open();
  });
  afterEach(() => shared.close());

  const turn = async () => {
    for (let count = 0; count < 20; count += 1) await new Promise((resume) => setImmediate(resume));
  };
  const isUnavailable = (call: Promise<unknown>) =>
    passing(shared.clock, call).then(() => false, isStoreUnavailableError);

  /** What is resolved never is so while the other process goes by what was before. */
  async function isWaitedFor(
    call: Promise<unknown>,
    begun: (pointer: ViewsPointer) => boolean,
    isPassed: () => Promise<boolean>,
  ): Promise<void> {
    let isOver = false;
    void call.then(() => (isOver = true));
    await waitUntil(() => other.inUse.pointers.read(), begun);
    await turn();
    let passed = 0;
    for (let waited = 0; waited <= WAITED; waited += 100) {
      await turn();
      if (isOver) break;
      passed += Number(await isPassed());
      shared.clock.advance(100);
    }
    await turn();
    expect(passed).toBeGreaterThan(10);
    expect(isOver).toBe(true);
  }

  /** Whether it passes at once, as a process does that has asked a moment ago. */
  async function passesAtOnce(call: Promise<unknown>): Promise<boolean> {
    let passed = false;
    call.then(
      () => (passed = true),
      () => undefined,
    );
    await turn();
    return passed;
  }

  it('answer what they wrote only where it will be served, however long they stood still', async () => {
    await other.inUse.poll();
    // The other process stands still from here on: nobody polls for it.
    await isWaitedFor(
      next.announce(),
      ({ closing }) => closing,
      () => passesAtOnce(other.inUse.demandOpen()),
    );
    expect(await isUnavailable(other.inUse.demandOpen())).toBe(true);
    expect(await isUnavailable(other.inUse.demandReadable())).toBe(false);
    await next.discard();
    expect(await isUnavailable(other.inUse.demandOpen())).toBe(false);
  });

  it('serve from the former views only while nobody can have answered a write to the next', async () => {
    await passing(shared.clock, next.announce());
    await other.inUse.poll();
    await isWaitedFor(
      next.takeOver(),
      ({ number }) => number === 2,
      () => passesAtOnce(other.inUse.demandReadable()),
    );
    const things = { name: 'things', indexes: {} };
    expect(await isUnavailable(other.views.collection(things))).toBe(true);
  });

  it('believe no call that took so long that what it read may be gone', async () => {
    const late = other.inUse.use(() => {
      shared.clock.advance(30_001);
      return Promise.resolve('read');
    });
    await expect(late).rejects.toThrow('took too long');
  });

  it('put nothing in place after another has begun, announced or not', async () => {
    const second = await (await shared.startProcess()).replacement.open();
    await expect(next.announce()).rejects.toThrow('Another process replaces the views.');
    await passing(shared.clock, second.announce());
    const third = await (await shared.startProcess()).replacement.open();
    await expect(second.takeOver()).rejects.toThrow('Another process replaces the views.');
    await second.discard();
    await passing(shared.clock, third.announce());
    await passing(shared.clock, third.takeOver());
    expect((await shared.startProcess()).inUse.number).toBe(4);
  });

  it('know what became of a change whose answer was lost', async () => {
    let losses = 2;
    const write: DocumentStore['write'] = async (writes) => {
      const outcomes = await shared.records.write(writes);
      if (losses-- > 0) throw new StoreUnavailableError('lost', true);
      return outcomes;
    };
    const lossy = withMembers(shared.records, { write });
    const { pointers } = (await shared.startProcess(lossy)).inUse;
    const known = await pointers.read();
    expect(await passing(shared.clock, pointers.change(known, { closing: true }))).toMatchObject({
      closing: true,
    });
    expect(await pointers.read()).toMatchObject({ closing: true, version: known.version + 1 });
    expect(await pointers.change(known, { closing: false })).toBeUndefined();
  });
});
