import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { ANNOUNCED_VIEW } from '#domain/announcements/announced.documents.js';
import { TENANT_ACCESS } from '#domain/access/index.js';
import { openViewsBuilder } from '#app/app.module.js';
import { COMPANIES } from '#domain/companies/company.documents.js';
import { PORTS } from '#app/ports.module.js';
import { CheckpointKeeper } from '#eventsourcing/projecting/checkpoint-keeper.js';
import { FillMark } from '#eventsourcing/projecting/fill-mark.js';
import { LONGEST_REQUEST_MS } from '#kernel/longest-request.js';
import type { Ports } from '#app/adapters.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { LOCATIONS, LOCKS, UNIT_ZONES_AND_LOCKS } from '#domain/locations/location.documents.js';
import { UNIT_ACTIVITY } from '#domain/locks/activity/unit-activity.js';
import {
  compareViews,
  type ComparisonPorts,
  type ViewsFound,
} from '#eventsourcing/projecting/views-comparison.js';
import { unitStream, UNITS } from '#domain/units/index.js';
import { type Company, demand, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company();
  for (const unit of ['A-1', 'A-2', 'A-3']) await company.moveIn(unit, { pms_tenant_id: unit });
  await company.patch('A-2', { balance_due: 7, paid_through_date: '2025-12-01' });
  const location = company.locations.get('MAIN')!;
  const [zone, lock] = await Promise.all(
    ['zones', 'locks'].map((part) =>
      service.operator('post', `/locations/${location}/${part}`, { name: 'X' }),
    ),
  );
  const { unit_id } = await company.unit('A-2');
  demand(200, await service.operator('put', `/zones/${demand(201, zone!).zone_id}/units/${unit_id}`));
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${demand(201, lock!).lock_id}`));
  await waitUntil(async () => {
    service.manualClock.advance(1_000);
    return (await service.announcements()).length === 3;
  });
});
afterAll(() => service.close());
beforeEach(() => {
  waited_ms = 0;
  return allHandled();
});

const streamOf = (unit: string) => unitStream(company.id, unit);
const ports = () => service.application.get<Ports>(PORTS, { strict: false });

/** Milliseconds that the comparisons of a test have waited. No time passes for the service meanwhile. */
let waited_ms = 0;

/** Compares as `audit verify` does. */
function compare(changed: Partial<ComparisonPorts> = {}): Promise<ViewsFound> {
  const { eventStore: store, records, views, clock } = ports();
  const after = (milliseconds: number, task: () => void) => {
    waited_ms += milliseconds;
    setImmediate(task);
    return () => undefined;
  };
  return compareViews({
    ...{ store, damaged: new DamagedStreams(), records, views, clock: { now: () => clock.now(), after } },
    progress: () => undefined,
    signal: new AbortController().signal,
    openBuilder: (replaced) => openViewsBuilder({ ...ports(), views: replaced }),
    ...changed,
  });
}

/** Waits until the service has checked that the views show every event. */
async function allHandled(): Promise<void> {
  const { eventStore, views, clock } = ports();
  const handled = new CheckpointKeeper(views, clock);
  await waitUntil(async () => {
    service.manualClock.advance(1_000);
    return (await handled.read()) === (await eventStore.head());
  });
}

const wrongIn = async (changed?: Partial<ComparisonPorts>) => {
  const found = await compare(changed);
  return found.kind === 'compared' ? found.wrong.map(({ collection, id }) => `${collection} ${id}`) : found;
};

async function get<D extends StoredDocument>(declaration: CollectionDeclaration<D>, id: string): Promise<D> {
  return (await (await service.stores.views.collection(declaration)).get(id))!;
}

async function first<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<D> {
  return (await (await service.stores.views.collection(declaration)).page(undefined, 1))[0]!;
}

async function put(declaration: CollectionDeclaration<never>, document: object): Promise<string> {
  await service.stores.views.collection(declaration);
  const write = { kind: 'put', collection: declaration.name, document: document as StoredDocument } as const;
  await service.stores.views.write([write]);
  return `${declaration.name} ${write.document._id}`;
}

async function edit<D extends StoredDocument>(
  declaration: CollectionDeclaration<D>,
  change: (document: D) => object,
): Promise<string> {
  const document = await first(declaration);
  return put(declaration as never, { ...document, ...change(document) });
}

async function remove({ name }: CollectionDeclaration<never>, id: string): Promise<string> {
  await service.stores.views.write([{ kind: 'delete', collection: name, id }]);
  return `${name} ${id}`;
}

async function rebuild(): Promise<void> {
  demand(202, await service.operator('post', '/views/rebuild'));
  await waitUntil(
    async () => {
      service.manualClock.advance(1_000);
      return demand(200, await service.operator('get', '/views/rebuild'));
    },
    ({ state }) => state === 'done',
  );
}

it('views that nobody edited are as the log gives them', async () => {
  expect(await compare()).toEqual({ kind: 'compared', documents: 14, moving: 0, wrong: [] });
});

describe('the document of a tenant whose unit changed without him', () => {
  beforeAll(async () => {
    demand(201, await company.moveIn('C-1', { pms_tenant_id: 'former' }));
    demand(201, await company.moveIn('C-2', { pms_tenant_id: 'owner' }));
    demand(201, await company.moveIn('C-3', { pms_tenant_id: 'guest' }));
    const [owned, guest] = await Promise.all(['C-2', 'C-3'].map((unit) => company.unit(unit)));
    const { tenant_id } = demand(200, await service.operator('get', `/units/${guest!.unit_id}`)).tenant;
    demand(200, await service.operator('put', `/units/${owned!.unit_id}/shares/${tenant_id}`));
    demand(200, await company.moveOut('C-1'));
  });

  it('is right after the unit was let again', async () => {
    demand(200, await company.moveIn('C-1', { pms_tenant_id: 'next' }));
    await allHandled();
    expect(await wrongIn()).toEqual([]);
  });

  it('is right after a shared unit was changed', async () => {
    demand(200, await company.patch('C-2', { balance_due: 3 }));
    await allHandled();
    expect(await wrongIn()).toEqual([]);
  });
});

const EDITS: Readonly<Record<string, () => Promise<string>>> = {
  'the facts of a unit': () =>
    edit(UNITS, ({ facts }) => ({ facts: { ...facts, balance_due: 0, lien_status: 'none' } })),
  'the revision of a unit, beyond the log': () => edit(UNITS, () => ({ revision: 90 })),
  'a unit back to its first revision': async () => {
    const unit = await get(UNITS, streamOf('A-2'));
    return put(UNITS as never, { ...unit, revision: 0 });
  },
  'a unit of no event': () => edit(UNITS, () => ({ _id: streamOf('never'), unit_id: 'never' })),
  'a unit under a name that no stream has': () => edit(UNITS, () => ({ _id: '0' })),
  'a unit without its revision': () => edit(UNITS, () => ({ revision: undefined })),
  'a unit that is gone': () => remove(UNITS as never, streamOf('A-3')),
  'a field that no event gives': () => edit(UNITS, () => ({ opens: 'always' })),
  'the policy of a location': () =>
    edit(LOCATIONS, ({ policy }) => ({ policy: { ...policy, grace_period_days: 99 } })),
  'the decision for a tenant': () =>
    edit(TENANT_ACCESS, ({ units }) => ({
      units: units.map((unit) => ({
        ...unit,
        decision: { state: 'locked_out', reason: null, valid_until: null },
      })),
    })),
  'the location of a tenant': async () => {
    const other = await company.addLocation({ pms_location_code: 'LAX' });
    return edit(TENANT_ACCESS, () => ({ location_id: other }));
  },
  "a unit of another tenant's": async () => {
    const { _id, unit_id, revision } = await get(UNITS, streamOf('A-2'));
    const added = { unit_id, stream: _id, revision, relationship: 'shared' };
    return edit(TENANT_ACCESS, ({ units }) => ({
      units: [...units.filter((one) => one.unit_id !== unit_id), added],
    }));
  },
  'a tenant of no event': () =>
    edit(TENANT_ACCESS, () => ({
      _id: 'nobody',
      tenant_id: 'nobody',
      units: [{ unit_id: 'never', stream: streamOf('never'), revision: 1, relationship: 'shared' }],
    })),
  'a tenant who is gone': async () => remove(TENANT_ACCESS as never, (await first(TENANT_ACCESS))._id),
  'what was announced about a unit': () => edit(ANNOUNCED_VIEW, () => ({ reason: 'pms_exempt' })),
  'the name of a company': () => edit(COMPANIES, () => ({ name: 'Another' })),
  'the name of a lock': () => edit(LOCKS, () => ({ name: 'Y' })),
  'the zones of a unit': () => edit(UNIT_ZONES_AND_LOCKS, () => ({ zone_ids: [] })),
  'the progress of a location': () => edit({ name: 'location_heads', indexes: {} }, () => ({ revision: 90 })),
  'an access that no lock reported': async () => {
    const { unit_id: _id } = await company.unit('A-1');
    return put(UNIT_ACTIVITY as never, { _id, last_accessed_at: 9e12, lock_id: 'none', revision: 9e12 });
  },
};

describe('a view that was edited by hand', () => {
  it.each(Object.entries(EDITS))('is found, and mended by a rebuild: %s', async (_, doEdit) => {
    const edited = await doEdit();
    await allHandled();
    expect(await wrongIn()).toEqual([edited]);
    await rebuild();
    expect(await wrongIn()).toEqual([]);
  });

  it('stays as it is when the views are compared', async () => {
    const before = await get(UNITS, streamOf('A-1'));
    await put(UNITS as never, { ...before, unit_name: 'wrong' });
    const written: DocumentWrite[] = [];
    const views = withMembers<DocumentStore>(ports().views, {
      write: async (writes) => {
        written.push(...writes);
        return ports().views.write(writes);
      },
    });
    expect(await wrongIn({ views })).toEqual([`units ${before._id}`]);
    expect(written).toEqual([]);
    await rebuild();
  });

  it('is not told before the longest request since the first look has ended', async () => {
    await edit(UNITS, () => ({ unit_name: 'wrong' }));
    await compare();
    expect(waited_ms).toBeGreaterThanOrEqual(LONGEST_REQUEST_MS);
    await rebuild();
  });
});

describe('beside a service that writes', () => {
  /** Runs `write` once, at each of the calls that a comparison makes. */
  function racing(write: () => Promise<unknown>): Partial<ComparisonPorts> {
    const { eventStore, views } = ports();
    const once = new Set<string>();
    const race = async (where: string) => {
      if (once.has(where)) return;
      once.add(where);
      await write();
    };
    return {
      store: withMembers<EventStore>(eventStore, {
        readAll: async (options) => {
          const events = await eventStore.readAll(options);
          await race('after a page of the log');
          return events;
        },
        readStream: async (...given) => {
          const events = await eventStore.readStream(...given);
          await race('after a read of a stream');
          return events;
        },
      }),
      views: withMembers<DocumentStore>(views, {
        collection: async <D extends StoredDocument>(declaration: CollectionDeclaration<D>) => {
          const opened = await views.collection(declaration);
          return withMembers(opened, {
            getMany: async (ids: readonly string[]) => {
              await race(`before a read of ${declaration.name}`);
              const found = await opened.getMany(ids);
              await race(`after a read of ${declaration.name}`);
              return found;
            },
            page: async (after: string | undefined, limit: number) => {
              const page = await opened.page(after, limit);
              await race(`after a page of ${declaration.name}`);
              return page;
            },
          });
        },
      }),
    };
  }

  it('finds nothing wrong, whenever a write comes between', async () => {
    let writes = 0;
    const write = async () => {
      writes += 1;
      demand(200, await company.patch('A-2', { balance_due: writes }));
      demand(200, await company.patch('A-1', { balance_due: writes }));
      demand(201, await company.moveIn(`B-${writes}`, { pms_tenant_id: 'A-2', pms_location_code: 'MAIN' }));
      demand(200, await company.moveOut(`B-${writes}`));
      const policy = { grace_period_days: writes };
      demand(200, await service.operator('patch', `/locations/${company.locations.get('MAIN')}`, policy));
    };
    expect(await wrongIn(racing(write))).toEqual([]);
    expect(writes).toBeGreaterThan(10);
  });

  it('finds an edited document all the same', async () => {
    const edited = await edit(COMPANIES, () => ({ name: 'Another' }));
    const write = () => company.patch('A-2', { balance_due: service.manualClock.now() % 100 });
    expect(await wrongIn(racing(write))).toEqual([edited]);
    await rebuild();
  });
});

describe('views that are behind', () => {
  it('are not wrong, while the service has not handled the newest events', async () => {
    const former = await get(UNITS, streamOf('A-1'));
    demand(200, await company.patch('A-1', { balance_due: 5 }));
    await allHandled();
    await put(UNITS as never, former);
    const { views } = ports();
    const checkpoint = { _id: 'views', position: '1', version: 1, fence: 0 };
    const behind = withMembers<DocumentStore>(views, {
      collection: async <D extends StoredDocument>(declaration: CollectionDeclaration<D>) => {
        const opened = await views.collection(declaration);
        if (declaration.name !== 'checkpoints') return opened;
        return withMembers(opened, { get: () => Promise.resolve(checkpoint as unknown as D) });
      },
    });
    expect(await compare({ views: behind })).toMatchObject({ kind: 'compared', moving: 1, wrong: [] });
    expect(await wrongIn()).toEqual([`units ${former._id}`]);
    await rebuild();
  });

  it('are not wrong by time alone: no service runs that would decide again', async () => {
    await company.patch('A-2', { balance_due: 7, paid_through_date: '2025-12-31' });
    const { valid_until } = (
      await (await service.stores.views.collection(TENANT_ACCESS)).page(undefined, 9)
    ).find((one) => one.valid_until !== null)!;
    const later = { now: () => valid_until! + 1, after: ports().clock.after.bind(ports().clock) };
    const openBuilder = (views: DocumentStore) => openViewsBuilder({ ...ports(), views, clock: later });
    expect(await wrongIn({ openBuilder })).toEqual([]);
    const edited = await edit(TENANT_ACCESS, () => ({ states: ['available'] }));
    expect(await wrongIn({ openBuilder })).toEqual([edited]);
    await rebuild();
  });
});

describe('views that cannot be compared', () => {
  const reasonOf = async (changed?: Partial<ComparisonPorts>) => {
    const found = await compare(changed);
    return found.kind === 'not_compared' ? found.reason : found;
  };

  it.each([
    [4, 'an earlier release filled them; this one fills them again when it starts'],
    [99, 'a later release filled them'],
  ])('are named if their format is %i', async (format, reason) => {
    await put({ name: 'fills', indexes: {} }, { _id: 'views', format, filled_at: 0 });
    expect(await reasonOf()).toBe(reason);
    await new FillMark(ports().views).set(0);
  });

  it('are named if they are absent, or not filled yet', async () => {
    expect(await reasonOf({ views: undefined })).toBe('there are none yet');
    await remove({ name: 'fills', indexes: {} }, 'views');
    expect(await reasonOf()).toBe('they are not filled yet');
    await new FillMark(ports().views).set(0);
  });

  it('are named while they are rebuilt', async () => {
    const { records } = ports();
    await records.collection({ name: 'view_rebuilds', indexes: {} });
    const document = { _id: 'views', state: 'running', share: 0.375 } as StoredDocument;
    await records.write([{ kind: 'put', collection: 'view_rebuilds', document }]);
    expect(await reasonOf()).toBe('they are being rebuilt (37 %)');
    await records.write([{ kind: 'delete', collection: 'view_rebuilds', id: 'views' }]);
  });
});
