import type { DocumentStore } from '../../src/documents/document-store.js';
import type { EventStore } from '../../src/log/event-store.js';
import { StoreUnavailableError } from '../../src/storage/store.errors.js';
import { logApart } from '../support/log-apart.js';
import {
  type Company,
  embeddedStores,
  Service,
  type Stores,
  type StoresFactory,
} from '../support/service.js';
import { withMembers } from '../support/with-members.js';

/** What a request asks of the embedded stores. */
interface Spent {
  /** Turns of the event loop in which something was asked for that is made durable: as many commits, at most. */
  commits: number;
  /** Documents that were written to the views. */
  puts: number;
  /** Calls that read, of views, records and log. */
  reads: number;
}

const spent: Spent = { commits: 0, puts: 0, reads: 0 };
/** Until then no answer is kept. */
let keeping: Promise<void> = Promise.resolve();
/** Settles when the answer of the newest keyed request has been kept. */
let kept: Promise<unknown> = Promise.resolve();
let isSameTurn = false;

function durable(): void {
  if (!isSameTurn) spent.commits += 1;
  isSameTurn = true;
  queueMicrotask(() => (isSameTurn = false));
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
  const eventStore = counting<EventStore>(stores.eventStore, {
    append: durable,
    readStream: read,
    readAll: read,
  });
  const write: DocumentStore['write'] = async (writes) => {
    durable();
    if (!writes.some((one) => one.kind === 'compare_and_set' && one.collection === 'idempotency'))
      return stores.records.write(writes);
    const written = keeping.then(() => stores.records.write(writes));
    kept = written;
    return written;
  };
  const records = reading(withMembers(stores.records, { write }));
  const put = (writes: readonly unknown[]) => void (spent.puts += writes.length);
  const views = reading(counting(stores.views, { write: put }));
  return { ...stores, eventStore, records, views };
}

let service: Service;
let company: Company;

async function start(stores: StoresFactory): Promise<void> {
  // These are the calls of the embedded stores; on servers an answer waits for its key to be kept.
  service = await Service.start({ stores, wrap });
  company = await service.company();
  await company.moveIn('warm');
}

beforeAll(() => start(embeddedStores));
afterAll(() => service.close());

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
  ['a new move-in', () => moveIn(`new-${names++}`), { commits: 1, puts: 2, reads: 6 }],
  ['a new move-in under a key', () => moveIn(`new-${names++}`, 'k-1'), { commits: 2, puts: 2, reads: 7 }],
  ['the same again under its key', () => moveIn('new-1', 'k-1'), { commits: 0, puts: 0, reads: 2 }],
  ['an unchanged move-in', () => moveIn('new-0'), { commits: 0, puts: 0, reads: 2 }],
  [
    'a changed fact',
    () => send('patch', '/units/new-0', { balance_due: 5 }),
    { commits: 1, puts: 2, reads: 4 },
  ],
  ['a move-out', () => send('delete', '/units/new-0/tenancy'), { commits: 1, puts: 2, reads: 3 }],
  [
    'a bulk of 500 new units',
    () => send('patch', '/units', { units: units(0) }),
    { commits: 1, puts: 1000, reads: 6 },
  ],
  [
    'the same, changed',
    () => send('patch', '/units', { units: units(7) }),
    { commits: 1, puts: 1000, reads: 4 },
  ],
  [
    'the same, unchanged',
    () => send('patch', '/units', { units: units(7) }),
    { commits: 0, puts: 0, reads: 3 },
  ],
  // The accounts are made with their persons, and stored with what names them.
  [
    'a bulk of new units with new persons',
    () => send('patch', '/units', { units: persons('Park') }),
    { commits: 1, puts: 4, reads: 7 },
  ],
  [
    'the same persons',
    () => send('patch', '/units', { units: persons('Park') }),
    { commits: 0, puts: 0, reads: 3 },
  ],
  // The event, and then the record: never the other way round.
  [
    'changed persons',
    () => send('patch', '/units', { units: persons('Moss') }),
    { commits: 2, puts: 0, reads: 3 },
  ],
];

const persons = (last_name: string) =>
  ['p-1', 'p-2'].map((name) => {
    const tenant = { pms_tenant_id: name, first_name: 'Ada', last_name };
    return { crm_unit_id: name, occupied: true, move_in_date: '2025-12-01', tenant };
  });

describe('an answer under a key', () => {
  it('that a retry would find in the log is sent before it is kept, and is given to whoever asks meanwhile', async () => {
    let release: () => void = () => undefined;
    keeping = new Promise((resolve) => (release = resolve));
    await moveIn('kept-late', 'k-late');
    await moveIn('kept-late', 'k-late');
    release();
    await moveIn('kept-late', 'k-late');
    expect((await company.eventTypes()).filter((type) => type === 'UnitRegistered')).toHaveLength(2);
  });
});

describe('what a request costs', () => {
  it.each(REQUESTS)('%s asks no more of the stores than it needs', async (_, request, budget) => {
    await kept;
    Object.assign(spent, { commits: 0, puts: 0, reads: 0 });
    await request();
    expect(spent).toEqual(budget);
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

describe('where the log is elsewhere', () => {
  beforeAll(async () => {
    await service.close();
    await start(logApart);
  });

  // What the events name and their key in one, the events in the next; then the persons, whom an event must name before
  // they are stored; and last the answer.
  it.each([
    ['a new move-in', () => moveIn('apart-0'), 2],
    ['one under a key', () => moveIn('apart-1', 'k-apart'), 3],
    ['a changed fact', () => send('patch', '/units/apart-0', { balance_due: 5 }), 1],
    ['a bulk of new units with new persons', () => send('patch', '/units', { units: persons('Park') }), 3],
  ])('%s is made durable in as few turns as can be', async (_, request, turns) => {
    await kept;
    spent.commits = 0;
    await request();
    expect(spent.commits).toBe(turns);
  });

  it('an answer is kept before it is sent, lest a retry be told of no replay', async () => {
    keeping = Promise.reject(new StoreUnavailableError('Away.', false));
    await expect(moveIn('apart-late', 'k-apart-late')).rejects.toThrow('503');
    keeping = Promise.resolve();
    await expect(moveIn('apart-late', 'k-apart-late')).resolves.toBeUndefined();
  });
});
