import { Announcer } from '#domain/announcements/index.js';
import { TENANT_ACCESS, type TenantAccessDocument } from '#domain/access/index.js';
import { COMPANIES } from '#domain/companies/company.documents.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { LOCATION_VIEWS, LOCATIONS, UNIT_ZONES_AND_LOCKS } from '#domain/locations/location.documents.js';
import { LOCK_VIEWS } from '#domain/locks/activity/activity.projector.js';
import { UNIT_ACTIVITY } from '#domain/locks/activity/unit-activity.js';
import { FillMark } from '#eventsourcing/projecting/fill-mark.js';
import { unitStream, UNITS } from '#domain/units/index.js';
import { Gate } from '../../support/gate.js';
import { type Company, demand, Service, type Stores } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

const ALL = [
  UNITS,
  TENANT_ACCESS,
  COMPANIES,
  ...LOCATION_VIEWS,
  ...LOCK_VIEWS,
] as readonly CollectionDeclaration[];
/** What every rebuild forgets, to be gathered again. */
const REGATHERED = ['announcement_progress', 'staff_events'];
/** The longest that a request may go on by a document that it read before. */
const REQUEST = 10_000;

/** What a test has happen around calls of the fill: the service's own are not told apart, so it is set for a moment. */
interface Hooks {
  afterPage?: ((collection: string, ids: readonly string[]) => Promise<void>) | undefined;
  beforeWrite?: ((writes: readonly DocumentWrite[]) => Promise<void>) | undefined;
  afterRead?: (() => Promise<void>) | undefined;
}
const hooks: Hooks = {};

function hooked(stores: Stores): Stores {
  const { views, eventStore } = stores;
  return {
    ...stores,
    eventStore: withMembers(eventStore, {
      readAll: async (options) => {
        const events = await eventStore.readAll(options);
        if (options.scan !== undefined && options.limit === 1_000) await hooks.afterRead?.();
        return events;
      },
    }),
    views: withMembers<DocumentStore>(views, {
      collection: async <D extends StoredDocument>(declaration: CollectionDeclaration<D>) => {
        const opened = await views.collection(declaration);
        return withMembers(opened, {
          page: async (after: string | undefined, limit: number) => {
            const page = await opened.page(after, limit);
            await hooks.afterPage?.(
              declaration.name,
              page.map(({ _id }) => _id),
            );
            return page;
          },
        });
      },
      write: async (writes) => {
        await hooks.beforeWrite?.(writes);
        return views.write(writes);
      },
    }),
  };
}

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start({ wrap: hooked });
  // It writes views, too.
  await service.part(Announcer).stop();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  for (const unit of ['A-1', 'A-2', 'A-3']) await company.moveIn(unit, { pms_tenant_id: unit });
  await company.moveIn('A-1', { pms_tenant_id: 'A-3' });
  await company.patch('A-2', { balance_due: 7, paid_through_date: '2025-12-01' });
  const location = company.locations.get('MAIN')!;
  const { zone_id } = demand(
    201,
    await service.operator('post', `/locations/${location}/zones`, { name: 'Z' }),
  );
  const { lock_id } = demand(
    201,
    await service.operator('post', `/locations/${location}/locks`, { name: 'L' }),
  );
  const { unit_id } = await company.unit('A-2');
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
});
afterEach(() => {
  for (const name of Object.keys(hooks) as (keyof Hooks)[]) hooks[name] = undefined;
});

const streamOf = (unit: string) => unitStream(company.id, unit);

/** Every document of the views, by its collection and id. */
async function allDocuments(): Promise<Map<string, StoredDocument>> {
  const found = new Map<string, StoredDocument>();
  for (const declaration of ALL) {
    const documents = await service.stores.views.collection(declaration);
    for (const one of await documents.page(undefined, 10_000))
      found.set(`${declaration.name} ${one._id}`, withoutVersion(one));
  }
  return found;
}

/** Versions tell how often a document was written, the order of units and the revision of former ones when. */
function withoutVersion(document: StoredDocument): StoredDocument {
  if (!('version' in document)) return document;
  const { units } = document as unknown as TenantAccessDocument;
  const settled = units.map((unit) => (unit.relationship === 'former' ? { ...unit, revision: 0 } : unit));
  const sorted = settled.sort((one, other) => (one.unit_id < other.unit_id ? -1 : 1));
  return { ...document, version: 0, units: sorted } as StoredDocument;
}

async function get<D extends StoredDocument>(declaration: CollectionDeclaration<D>, id: string): Promise<D> {
  return (await (await service.stores.views.collection(declaration)).get(id))!;
}

async function put(declaration: CollectionDeclaration<never>, document: StoredDocument): Promise<void> {
  await service.stores.views.collection(declaration);
  await service.stores.views.write([{ kind: 'put', collection: declaration.name, document }]);
}

const remove = (collection: string, id: string) =>
  service.stores.views.write([{ kind: 'delete', collection, id }]);

/** Asks for a rebuild as an operator does and lets time pass until it has ended. */
async function rebuild(): Promise<object> {
  demand(202, await service.operator('post', '/views/rebuild'));
  return ended();
}

const ended = () =>
  waitUntil(
    async () => {
      service.manualClock.advance(1_000);
      return demand(200, await service.operator('get', '/views/rebuild'));
    },
    ({ state }) => state === 'done' || state === 'failed',
  );

describe('a rebuild in place', () => {
  it('writes no document that is right', async () => {
    const before = await allDocuments();
    const written: string[] = [];
    hooks.beforeWrite = (writes) => {
      for (const { collection } of writes) if (collection !== 'checkpoints') written.push(collection);
      return Promise.resolve();
    };
    expect(await rebuild()).toMatchObject({ state: 'done', share_done: 1, seconds_left: null });
    // The announcer is told to look at all units. What staff did is forgotten, and gathered again.
    const byRebuild = written.filter((collection) => !collection.startsWith('staff_events'));
    expect([...new Set(byRebuild)]).toEqual(['announcement_progress', 'fills']);
    expect(await allDocuments()).toEqual(before);
  });

  it('corrects wrong documents, removes those without events and brings back lost ones', async () => {
    const right = await allDocuments();
    const [first, second, location] = await Promise.all([
      get(UNITS, streamOf('A-1')),
      get(UNITS, streamOf('A-2')),
      get(LOCATIONS, company.locations.get('MAIN')!),
    ]);
    const tenant = await get(TENANT_ACCESS, second.tenancy!.tenant_id);
    // At its revision, beyond the log, without a source, and gone.
    await put(UNITS as never, { ...first, unit_name: 'wrong' } as never);
    await put(
      UNITS as never,
      { ...second, revision: 90, facts: { ...second.facts, balance_due: 0 } } as never,
    );
    await put(UNITS as never, { ...first, _id: streamOf('never'), unit_id: 'never' } as never);
    await remove(UNITS.name, streamOf('A-3'));
    await put(
      LOCATIONS as never,
      { ...location, name: 'wrong', policy: { ...location.policy, grace_period_days: 99 } } as never,
    );
    await put({ name: 'location_heads', indexes: {} }, { _id: location._id, revision: 90 } as never);
    await put(UNIT_ZONES_AND_LOCKS as never, {
      ...(await get(UNIT_ZONES_AND_LOCKS, second.unit_id)),
      _id: 'nowhere',
    });
    await put(
      UNIT_ACTIVITY as never,
      { _id: second.unit_id, last_accessed_at: 9e12, lock_id: 'none', revision: 9e12 } as never,
    );
    // A unit of somebody else, and one that nobody has heard of; and a tenant without any.
    const stranger = { unit_id: 'never', stream: streamOf('never'), revision: 4, relationship: 'shared' };
    const other = {
      unit_id: first.unit_id,
      stream: first._id,
      revision: first.revision,
      relationship: 'shared',
    };
    await put(TENANT_ACCESS as never, { ...tenant, units: [...tenant.units, stranger, other] } as never);
    await put(
      TENANT_ACCESS as never,
      { ...tenant, _id: 'nobody', tenant_id: 'nobody', units: [stranger] } as never,
    );
    expect(await rebuild()).toMatchObject({ state: 'done' });
    const found = await allDocuments();
    expect(found).toEqual(right);
  });

  it('neither loses nor reverts a write that is made while it reads events or checks documents', async () => {
    let balance = 10;
    const write = async () => {
      const wanted = (balance += 1);
      demand(200, await company.patch('A-2', { balance_due: wanted }));
      expect((await company.unit('A-2')).facts.balance_due).toBe(wanted);
      demand(201, await company.moveIn(`B-${wanted}`, { pms_tenant_id: `B-${wanted}` }));
    };
    const once = async (name: keyof Hooks) => {
      hooks[name] = undefined;
      await write();
      expect((await company.unit('A-2')).facts.balance_due).toBe(balance);
    };
    hooks.afterRead = () => once('afterRead');
    hooks.afterPage = () => once('afterPage');
    const deleted: DocumentWrite[] = [];
    hooks.beforeWrite = (writes) => {
      deleted.push(
        ...writes.filter(({ kind, collection }) => kind === 'delete' && !REGATHERED.includes(collection)),
      );
      return Promise.resolve();
    };
    expect(await rebuild()).toMatchObject({ state: 'done' });
    expect(deleted).toEqual([]);
    expect(balance).toBe(12);
    expect((await company.unit('A-2')).facts.balance_due).toBe(12);
    const after = await allDocuments();
    await service.restart({ keepViews: false });
    expect(await allDocuments()).toEqual(after);
  });

  it('keeps a document whose first event comes just before it is removed as one without events', async () => {
    const first = await get(UNITS, streamOf('A-1'));
    const late = streamOf('late');
    await put(
      UNITS as never,
      { ...first, _id: late, crm_unit_id: 'late', unit_id: 'wrong', revision: 50 } as never,
    );
    hooks.beforeWrite = async (writes) => {
      if (!writes.some((write) => write.kind === 'delete' && write.id === late)) return;
      hooks.beforeWrite = undefined;
      // As another process does that has not met the wrong document.
      const [event] = await service.stores.eventStore.readStream(streamOf('A-3'), { limit: 1 });
      const data = { ...event!.data, crm_unit_id: 'late', unit_id: 'unit of late' };
      const metadata = { ...event!.metadata, part: { n: 1, of: 1 } };
      const events = [{ id: '8c5d1a1e-0000-4000-8000-000000000009', type: event!.type, data, metadata }];
      await service.stores.eventStore.append([{ stream: late, expected: 'no_stream', events } as never]);
    };
    expect(await rebuild()).toMatchObject({ state: 'done' });
    expect(await get(UNITS, late)).toMatchObject({ unit_id: 'unit of late', revision: 0 });
  });

  it.each([
    ['the wrong one', 0],
    ['a wrong one that was behind the log, too', 1],
  ])('corrects a document again that a request wrote after it had read %s', async (_which, behind) => {
    const right = await get(UNITS, streamOf('A-2'));
    const revision = right.revision - behind;
    // Else the check of new events would find the document that is behind.
    await waitUntil(async () => {
      service.manualClock.advance(1_000);
      return demand(200, await service.call('get', '/health/ready')).projection.lag === 0;
    });
    await put(UNITS as never, { ...right, unit_name: 'wrong', revision } as never);
    let overtaken: Promise<unknown> | undefined;
    hooks.afterPage = (collection) => {
      // The fold has corrected the document; now the request writes that had read it before.
      if (collection !== UNITS.name || overtaken !== undefined) return Promise.resolve();
      overtaken = (async () => {
        demand(200, await company.patch('A-2', { balance_due: 3 }));
        const written = await get(UNITS, streamOf('A-2'));
        await put(UNITS as never, { ...written, unit_name: 'wrong' } as never);
      })();
      return overtaken.then(() => undefined);
    };
    const began = service.manualClock.now();
    expect(await rebuild()).toMatchObject({ state: 'done' });
    expect(service.manualClock.now() - began).toBeGreaterThanOrEqual(REQUEST);
    expect(await get(UNITS, streamOf('A-2'))).toMatchObject({
      unit_name: right.unit_name,
      facts: { balance_due: 300 },
    });
  });

  it('does not begin a second time while it runs, and answers how far it is', async () => {
    expect(demand(200, await service.operator('get', '/views/rebuild'))).toMatchObject({ state: 'done' });
    const gate = new Gate();
    gate.close();
    hooks.afterRead = () => gate.pass();
    const { requested_at } = demand(202, await service.operator('post', '/views/rebuild'));
    service.manualClock.advance(1_000);
    await waitUntil(
      async () => demand(200, await service.operator('get', '/views/rebuild')).state === 'running',
    );
    service.manualClock.advance(1);
    expect(demand(202, await service.operator('post', '/views/rebuild'))).toMatchObject({
      state: 'running',
      requested_at,
    });
    gate.open();
    expect(await ended()).toMatchObject({ state: 'done', requested_at });
  });

  it('can be run again after a restart cut it off', async () => {
    hooks.afterPage = () => Promise.reject(new Error('The process ends, as the test wants it.'));
    const stopping = service.operator('post', '/views/rebuild');
    await stopping;
    hooks.afterPage = undefined;
    await service.restart();
    await put({ name: 'view_rebuilds', indexes: {} }, { _id: 'unused' });
    expect(await rebuild()).toMatchObject({ state: 'done' });
  });
});

describe('a first fill', () => {
  it('that was cut off is completed by the next start before it serves', async () => {
    const before = await allDocuments();
    await service.restart({ keepViews: false });
    expect(await allDocuments()).toEqual(before);
    // As a kill in its midst leaves them: some documents, and no mark.
    for (const id of [streamOf('A-1'), streamOf('A-2')]) await remove(UNITS.name, id);
    await remove('fills', 'views');
    await service.restart();
    expect(await allDocuments()).toEqual(before);
    expect(await new FillMark(service.stores.views).isSet()).toBe(true);
  });
});
