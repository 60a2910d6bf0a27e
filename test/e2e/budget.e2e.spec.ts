import type { DocumentStore } from '../../src/documents/document-store.js';
import type { EmbeddedDocumentStore } from '../../src/documents/embedded/embedded-document-store.js';
import { STORE_FOLDER } from '../../src/adapters.js';
import type { EventStore } from '../../src/log/event-store.js';
import { LmdbEnvironment } from '../../src/storage/lmdb-environment.js';
import { type Company, embeddedStores, Service, type Stores } from '../support/service.js';
import { withMembers } from '../support/with-members.js';

/** Calls of a request to the embedded stores. */
interface Spent {
  /** Commits of the log and the records before the answer. */
  commits: number;
  /** Documents that were written to the views. */
  puts: number;
  /** Calls that read, of views, records and log. */
  reads: number;
  /** Entries that commits write or remove until all is in the files, those of the views included. */
  entries: number;
}

const spent = { puts: 0, reads: 0 };

const committing = jest.spyOn(LmdbEnvironment.prototype, 'commit');

function committed(): Pick<Spent, 'commits' | 'entries'> {
  const { calls, contexts } = committing.mock;
  const tables = calls.flatMap(([changes]) => [...changes.values()]);
  return {
    commits: contexts.filter(({ options }) => options.folder.endsWith(STORE_FOLDER)).length,
    entries: tables.reduce((sum, { size }) => sum + size, 0),
  };
}

/** The same object, whose methods of these names are counted before they are called. */
function counting<T extends object>(
  target: T,
  count: Partial<Record<keyof T, (...given: never[]) => void>>,
): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const method = (value as (...given: never[]) => unknown).bind(target);
      const counted = count[name as keyof T];
      if (counted === undefined) return method;
      return (...given: never[]) => {
        counted(...given);
        return method(...given);
      };
    },
  });
}

const read = () => void (spent.reads += 1);

function reading(store: DocumentStore): DocumentStore {
  const collection: DocumentStore['collection'] = async (declaration) => {
    const opened = await store.collection(declaration);
    return counting(opened, { get: read, getMany: read, find: read, findAny: read });
  };
  return withMembers(store, { collection });
}

function wrap(stores: Stores): Stores {
  const eventStore = counting<EventStore>(stores.eventStore, { readStream: read, readAll: read });
  const records = reading(stores.records);
  const put = (writes: readonly unknown[]) => void (spent.puts += writes.length);
  const views = reading(counting(stores.views, { write: put }));
  return { ...stores, eventStore, records, views };
}

let service: Service;
let company: Company;

beforeAll(async () => {
  // These are the calls of the embedded stores. On servers an answer waits until its key is stored.
  service = await Service.start({ stores: embeddedStores, wrap });
  company = await service.company();
  await company.moveIn('warm');
});
afterAll(async () => {
  await service.close();
  committing.mockRestore();
});

const BODY = { pms_tenant_id: 't-1', move_in_date: '2025-12-01' };
let names = 0;
const units = (balance_due: number) =>
  Array.from({ length: 500 }, (_, number) => {
    return {
      crm_unit_id: `bulk-${number}`,
      occupied: true,
      ...BODY,
      pms_tenant_id: `b-${number}`,
      balance_due,
    };
  });

async function send(method: 'put' | 'patch' | 'delete', path: string, body?: object, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  const options = body === undefined ? {} : { body };
  const answer = await service.call(method, `/api/v2${path}`, { ...options, token: company.token, headers });
  expect(answer.status).toBeLessThan(300);
}

const moveIn = (unit: string, key?: string) =>
  send('put', `/units/${unit}/tenancy`, { ...BODY, pms_tenant_id: `of ${unit}` }, key);

/** In this order: a bulk is new, then changed, then unchanged. */
const REQUESTS: [string, () => Promise<void>, Spent][] = [
  ['a new move-in', () => moveIn(`new-${names++}`), { commits: 1, puts: 2, reads: 6, entries: 14 }],
  [
    'a new move-in under a key',
    () => moveIn(`new-${names++}`, 'k-1'),
    { commits: 1, puts: 2, reads: 8, entries: 17 },
  ],
  [
    'the same again under its key',
    () => moveIn('new-1', 'k-1'),
    { commits: 0, puts: 0, reads: 3, entries: 0 },
  ],
  ['an unchanged move-in', () => moveIn('new-0'), { commits: 0, puts: 0, reads: 2, entries: 0 }],
  [
    'a changed fact',
    () => send('patch', '/units/new-0', { balance_due: 5 }),
    { commits: 1, puts: 2, reads: 4, entries: 5 },
  ],
  ['a move-out', () => send('delete', '/units/new-0/tenancy'), { commits: 1, puts: 2, reads: 3, entries: 7 }],
  [
    'a bulk of 500 new units',
    () => send('patch', '/units', { units: units(0) }),
    { commits: 1, puts: 1000, reads: 6, entries: 7000 },
  ],
  [
    'the same, changed',
    () => send('patch', '/units', { units: units(7) }),
    { commits: 1, puts: 1000, reads: 4, entries: 2500 },
  ],
  [
    'the same, unchanged',
    () => send('patch', '/units', { units: units(7) }),
    { commits: 0, puts: 0, reads: 3, entries: 0 },
  ],
  // The accounts are made with their persons, and stored with what names them.
  [
    'a bulk of new units with new persons',
    () => send('patch', '/units', { units: persons('Park') }),
    { commits: 1, puts: 4, reads: 6, entries: 32 },
  ],
  [
    'the same persons',
    () => send('patch', '/units', { units: persons('Park') }),
    { commits: 0, puts: 0, reads: 3, entries: 0 },
  ],
  // The event, and then the record: never the other way round.
  [
    'changed persons',
    () => send('patch', '/units', { units: persons('Moss') }),
    { commits: 2, puts: 0, reads: 3, entries: 16 },
  ],
];

const persons = (last_name: string) =>
  ['p-1', 'p-2'].map((name) => {
    const tenant = { pms_tenant_id: name, first_name: 'Ada', last_name };
    return { crm_unit_id: name, occupied: true, move_in_date: '2025-12-01', tenant };
  });

describe('an answer under a key', () => {
  it('that a retry would find in the log is sent before it is kept, and is given to whoever asks meanwhile', async () => {
    await moveIn('kept-first', 'k-first');
    committing.mockClear();
    await moveIn('kept-late', 'k-late');
    await moveIn('kept-late', 'k-late');
    expect(committed().commits).toBe(1);
    await settled();
    expect(committed().commits).toBe(2);
    await moveIn('kept-late', 'k-late');
    expect((await company.eventTypes()).filter((type) => type === 'UnitRegistered')).toHaveLength(3);
  });
});

/** Everything that the requests so far have caused is in the files. */
async function settled(): Promise<void> {
  const { records, views } = service.stores as unknown as Record<string, EmbeddedDocumentStore>;
  await records!.flush();
  await views!.flush();
}

describe('what a request costs', () => {
  it.each(REQUESTS)('%s asks no more of the stores than it needs', async (_, request, budget) => {
    await settled();
    Object.assign(spent, { puts: 0, reads: 0 });
    committing.mockClear();
    await request();
    const { commits } = committed();
    await settled();
    expect({ ...spent, commits, entries: committed().entries }).toEqual(budget);
  });
});

/** How many of Express' layers are asked whether they match, before that of the route is. */
function triedBefore(method: string, path: string): number {
  interface Layer {
    readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  }
  const { router } = service.application.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return router.stack.findIndex(({ route }) => route?.path === path && route.methods[method] === true);
}

describe('the way to a handler', () => {
  it.each([
    ['put', '/api/v2/units/:crm_unit_id/tenancy', 5],
    ['patch', '/api/v2/units/:crm_unit_id', 10],
    ['get', '/api/v2/units/:crm_unit_id', 10],
    ['get', '/api/v2/tenant/access', 35],
    ['post', '/api/v2/locks/:id/logs', 40],
  ])('%s %s is past few others', (method, path, most) => {
    const tried = triedBefore(method, path);
    expect(tried).toBeGreaterThan(0);
    expect(tried).toBeLessThanOrEqual(most);
  });
});
