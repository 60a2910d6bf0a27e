import { basename } from 'node:path';
import { TENANT_ACCESS } from '../../../src/access/tenant-access/tenant-access.documents.js';
import type { DocumentStore, DocumentWrite } from '../../../src/documents/document-store.js';
import type { NextStore, StoreReplacement } from '../../../src/documents/replacement.js';
import type { EventStore } from '../../../src/log/event-store.js';
import { StoreUnavailableError } from '../../../src/storage/store.errors.js';
import { ViewsRebuild } from '../../../src/projecting/rebuild/index.js';
import { UNITS } from '../../../src/units/index.js';
import { type Company, embeddedStores, Service, type StoresFactory } from '../../support/service.js';
import { viewsInUse } from '../../support/views-in-use.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

/** What a test puts between the service and the views that take the place of others. */
interface Hooks {
  /** Before they take over. */
  takeOver: (next: DocumentStore) => Promise<void>;
  /** Before each write while they are filled. */
  write: (writes: readonly DocumentWrite[], next: DocumentStore) => Promise<void>;
  /** What becomes of somebody who begins to follow the log. */
  subscribe: () => 'told' | 'told nothing' | 'refused';
}

const usual: Hooks = {
  takeOver: () => Promise.resolve(),
  write: () => Promise.resolve(),
  subscribe: () => 'told',
};
const FULL = new StoreUnavailableError('The disk is full.', false);

let hooks: Hooks = usual;
let service: Service;
let company: Company;

const stores: StoresFactory = {
  ...embeddedStores,
  async open(folder, clock) {
    const opened = await embeddedStores.open(folder, clock);
    const { viewsReplacement, eventStore } = opened;
    return { ...opened, viewsReplacement: hooked(viewsReplacement!), eventStore: hookedLog(eventStore) };
  },
};

function hookedLog(log: EventStore): EventStore {
  const subscribe: EventStore['subscribe'] = (after, handler) => {
    const fate = hooks.subscribe();
    if (fate === 'told') return log.subscribe(after, handler);
    if (fate === 'refused') queueMicrotask(() => handler.failed?.(FULL));
    return { stop: () => Promise.resolve() };
  };
  return withMembers(log, { subscribe });
}

function hooked(replacement: StoreReplacement): StoreReplacement {
  return {
    async open(): Promise<NextStore> {
      const next = await replacement.open();
      return {
        store: hookedStore(next.store),
        announce: () => next.announce(),
        takeOver: () => hooks.takeOver(next.store).then(() => next.takeOver()),
        discard: () => next.discard(),
      };
    },
  };
}

function hookedStore(store: DocumentStore): DocumentStore {
  const write: DocumentStore['write'] = (writes) =>
    hooks.write(writes, store).then(() => store.write(writes));
  return withMembers(store, { write });
}

beforeAll(async () => void (service = await Service.start({ stores })));
afterAll(() => service.close());
beforeEach(async () => {
  hooks = { ...usual };
  company = await service.company();
  for (const unit of ['A-1', 'A-2', 'A-3']) await company.moveIn(unit, { pms_tenant_id: unit });
});

const rebuild = () => service.part(ViewsRebuild).run(() => undefined);

/** The number of the views in use. */
const generation = async () => Number(basename(await viewsInUse(service.path)));

const lag = async () => (await service.call('get', '/health/ready')).body.data.projection.lag as number;

/** A promise and what settles it. */
function latch() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** Holds at a hook; `reached` tells when the rebuild has come there. */
function holdAt(hook: 'takeOver' | 'write') {
  const [reached, released] = [latch(), latch()];
  hooks[hook] = () => {
    reached.open();
    return released.opened;
  };
  return { reached: reached.opened, release: () => released.open() };
}

describe('a rebuild beside requests', () => {
  it('leaves the same answers, in views of their own', async () => {
    const [units, before] = [await company.list(), await generation()];
    expect(await rebuild()).toBe((await service.events()).length);
    expect(await company.list()).toEqual(units);
    expect(await generation()).toBe(before + 1);
    await service.restart();
    expect(await company.list()).toEqual(units);
  });

  it('holds no write and no read while it fills, and misses none of those writes', async () => {
    const held = holdAt('write');
    const rebuilding = rebuild();
    await held.reached;
    await company.patch('A-1', { balance_due: 7 });
    await company.moveIn('A-4');
    expect((await company.unit('A-1')).facts.balance_due).toBe(7);
    held.release();
    await rebuilding;
    expect((await company.unit('A-1')).facts.balance_due).toBe(7);
    expect(await company.list()).toHaveLength(4);
  });

  it('holds writes and no reads while the views are exchanged', async () => {
    const held = holdAt('takeOver');
    const rebuilding = rebuild();
    await held.reached;
    let answered = false;
    const writing = company.patch('A-1', { balance_due: 7 }).then((answer) => {
      answered = true;
      return answer;
    });
    // Several requests go and come meanwhile.
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await company.unit('A-1')).facts.balance_due).toBe(0);
    }
    expect(answered).toBe(false);
    held.release();
    await rebuilding;
    expect((await writing).status).toBe(200);
    expect((await company.unit('A-1')).facts.balance_due).toBe(7);
  });

  it('has evaluated what the calendar brought meanwhile before anybody reads it', async () => {
    await company.moveIn('B-1', { pms_tenant_id: 'B-1', move_in_date: '2026-01-03' });
    const due = async (store: DocumentStore) => {
      const range = { equals: [], from: 0, to: service.clock.now(), limit: 10 };
      return (await (await store.collection(TENANT_ACCESS)).find('by_valid_until', range)).documents.length;
    };
    const found: number[] = [];
    hooks.write = async (writes, next) => {
      // The units' own documents are written after all was decided: then the day comes.
      if (found.length > 0 || !writes.some(({ collection }) => collection === UNITS.name)) return;
      service.manualClock.advance(3 * 24 * 60 * 60 * 1000);
      found.push(await due(next));
    };
    hooks.takeOver = async (next) => void found.push(await due(next));
    await rebuild();
    expect(found).toEqual([1, 0]);
  });

  it('is joined by whoever asks meanwhile', async () => {
    const before = await generation();
    const held = holdAt('takeOver');
    const rebuilds = [rebuild(), rebuild()];
    await held.reached;
    expect(service.part(ViewsRebuild).isRunning).toBe(true);
    held.release();
    const [one, other] = await Promise.all(rebuilds);
    expect(one).toBe(other);
    expect(await generation()).toBe(before + 1);
  });

  it('keeps a catch-up still that could not go on after the one before it', async () => {
    let [tookOver, subscriptions] = [false, 0];
    hooks.takeOver = () => Promise.resolve(void (tookOver = true));
    hooks.subscribe = () => {
      subscriptions += 1;
      return tookOver ? 'refused' : 'told';
    };
    await rebuild();
    // To be filled, to be finished, and to go on.
    await waitUntil(() => subscriptions === 3);
    // A request is answered long after the refusal has been heard of.
    await company.unit('A-1');
    tookOver = false;
    const held = holdAt('takeOver');
    const again = rebuild();
    await held.reached;
    const before = subscriptions;
    service.manualClock.advance(1_000);
    await company.unit('A-1');
    expect(subscriptions).toBe(before);
    held.release();
    await again;
    await waitUntil(() => subscriptions === before + 1);
    await company.patch('A-1', { balance_due: 7 });
    await waitUntil(lag, (events) => events === 0);
  });

  it('goes on to follow the log from where the new views stand', async () => {
    await rebuild();
    await company.patch('A-1', { balance_due: 7 });
    expect(await waitUntil(lag, (events) => events === 0)).toBe(0);
  });
});

describe('a rebuild that fails', () => {
  let units: unknown;
  let standing: number;
  beforeEach(async () => void ([units, standing] = [await company.list(), await generation()]));

  async function expectAsBefore(): Promise<void> {
    expect([await company.list(), await generation()]).toEqual([units, standing]);
    await company.patch('A-2', { balance_due: 3 });
    expect((await company.unit('A-2')).facts.balance_due).toBe(3);
  }

  it.each([0, 1, 2, 5])(
    'after %i writes leaves the views that stand, and may be tried again',
    async (writes) => {
      let left = writes;
      hooks.write = () => (left-- > 0 ? Promise.resolve() : Promise.reject(FULL));
      await expect(rebuild()).rejects.toThrow('full');
      await expectAsBefore();
      hooks.write = usual.write;
      await rebuild();
      expect((await company.unit('A-2')).facts.balance_due).toBe(3);
    },
  );

  it('as the views are exchanged leaves those that stand', async () => {
    hooks.takeOver = () => Promise.reject(FULL);
    await expect(rebuild()).rejects.toThrow('full');
    await expectAsBefore();
  });

  it('to hear of the newest events in time lets those go on who wait', async () => {
    const silent = latch();
    let subscriptions = 0;
    hooks.subscribe = () => {
      subscriptions += 1;
      // The first time the views are filled while nobody waits.
      if (subscriptions === 2) silent.open();
      return subscriptions === 2 ? 'told nothing' : 'told';
    };
    const rebuilding = rebuild().catch((error: unknown) => error);
    await silent.opened;
    const waiting = company.patch('A-1', { balance_due: 0 });
    service.manualClock.advance(5_000);
    expect(await rebuilding).toEqual(new Error('The log did not tell its newest events in time.'));
    expect((await waiting).status).toBe(200);
    await expectAsBefore();
  });

  it('as the service ends leaves the views that stand, and says why', async () => {
    const held = holdAt('write');
    const rebuilding = rebuild().catch((error: unknown) => error);
    await held.reached;
    const restarting = service.restart();
    held.release();
    expect(await rebuilding).toEqual(new Error('The service is ending.'));
    await restarting;
    await expectAsBefore();
  });
});
