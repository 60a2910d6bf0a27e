import type { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { STORE_FOLDER } from '#app/adapters.js';
import { LmdbEnvironment } from '#stores/embedded/database/lmdb-environment.js';
import { type Company, embeddedStores, Service } from '../../support/service.js';

const committing = jest.spyOn(LmdbEnvironment.prototype, 'commit');

/** Commits of the log and the records since the last clearing. Each is a wait for the disk. */
function countCommits(): number {
  return committing.mock.contexts.filter(({ options }) => options.folder.endsWith(STORE_FOLDER)).length;
}

let service: Service;
let company: Company;

beforeAll(async () => {
  // On servers an answer waits until its key is stored.
  service = await Service.start({ stores: embeddedStores });
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
const persons = (last_name: string) =>
  ['p-1', 'p-2'].map((name) => {
    const tenant = { pms_tenant_id: name, first_name: 'Ada', last_name };
    return { crm_unit_id: name, occupied: true, move_in_date: '2025-12-01', tenant };
  });

async function send(method: 'put' | 'patch' | 'delete', path: string, body?: object, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  const options = body === undefined ? {} : { body };
  const answer = await service.call(method, `/api/v2${path}`, { ...options, token: company.token, headers });
  expect(answer.status).toBeLessThan(300);
}

const moveIn = (unit: string, key?: string) =>
  send('put', `/units/${unit}/tenancy`, { ...BODY, pms_tenant_id: `of ${unit}` }, key);
const sync = (entries: readonly object[]) => send('patch', '/units', { units: entries });

/** In this order: a bulk is new, then changed, then unchanged. */
const REQUESTS: [name: string, commits: number, request: () => Promise<void>][] = [
  ['a new move-in', 1, () => moveIn(`new-${names++}`)],
  ['a new move-in under a key', 1, () => moveIn(`new-${names++}`, 'k-1')],
  ['the same again under its key', 0, () => moveIn('new-1', 'k-1')],
  ['an unchanged move-in', 0, () => moveIn('new-0')],
  ['a changed fact', 1, () => send('patch', '/units/new-0', { balance_due: 5 })],
  ['a move-out', 1, () => send('delete', '/units/new-0/tenancy')],
  ['a bulk of 500 new units', 1, () => sync(units(0))],
  ['the same, changed', 1, () => sync(units(7))],
  ['the same, unchanged', 0, () => sync(units(7))],
  // The accounts are made with their persons.
  ['a bulk of new units with new persons', 1, () => sync(persons('Park'))],
  ['the same persons', 0, () => sync(persons('Park'))],
  // The event, and then the record: never the other way round.
  ['changed persons', 2, () => sync(persons('Moss'))],
];

/** Everything that the requests so far have caused is in the files. */
async function settled(): Promise<void> {
  const { records, views } = service.stores as unknown as Record<string, EmbeddedDocumentStore>;
  await records!.flush();
  await views!.flush();
}

describe('an answer under a key', () => {
  it('that a retry would find in the log is sent before it is kept, and is given to whoever asks meanwhile', async () => {
    await moveIn('kept-first', 'k-first');
    committing.mockClear();
    await moveIn('kept-late', 'k-late');
    await moveIn('kept-late', 'k-late');
    expect(countCommits()).toBe(1);
    await settled();
    expect(countCommits()).toBe(2);
    await moveIn('kept-late', 'k-late');
    expect((await company.eventTypes()).filter((type) => type === 'UnitRegistered')).toHaveLength(3);
  });
});

describe('commits of the log and the records before the answer', () => {
  it.each(REQUESTS)('%s: %d', async (_, commits, request) => {
    await settled();
    committing.mockClear();
    await request();
    expect(countCommits()).toBe(commits);
  });
});
