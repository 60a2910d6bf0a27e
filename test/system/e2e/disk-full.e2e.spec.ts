import { join } from 'node:path';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { ownStreams } from '../../support/own-streams.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { verifyAll } from '#eventsourcing/proof/verify.js';
import { STORE_FOLDER, VIEWS_FOLDER } from '#app/adapters.js';
import { upTo } from '../../support/campaign.js';
import { waitUntil } from '../../support/wait-until.js';
import type { Answer } from '../../support/http-client.js';
import {
  type Company,
  embeddedStores,
  Service,
  type StoresFactory,
  unitPath,
} from '../../support/service.js';

/** How a disk fails: which store it refuses, and from which commit on. */
interface Disk {
  /** Commits that still go through; undefined for any number. */
  store: number | undefined;
  views: number | undefined;
  /** Commits that were refused. */
  refused: number;
  /** Whether only one commit is refused, as where space is made at once. */
  briefly?: boolean;
}

let disk: Disk;
let service: Service;
let company: Company;

/** As a full disk: the commit is refused and nothing of it is stored. */
function refusing(name: 'store' | 'views') {
  return (commit: () => Promise<void>): Promise<void> => {
    const left = disk[name];
    if (left === undefined) return commit();
    if (left === 0) disk.refused += 1;
    disk[name] = left > 0 ? left - 1 : disk.briefly === true ? undefined : 0;
    return left > 0 ? commit() : Promise.reject(new StoreUnavailableError('The disk is full.', false));
  };
}

const stores: StoresFactory = {
  ...embeddedStores,
  async open(folder, clock) {
    const opened = async (name: 'store' | 'views', subfolder: string) =>
      openEmbeddedDatabase({
        folder: join(folder, subfolder),
        durable: false,
        writeBehind: name === 'views',
        clock,
        interceptCommit: refusing(name),
      });
    const [store, views] = [await opened('store', STORE_FOLDER), await opened('views', VIEWS_FOLDER)];
    return {
      eventStore: ownStreams(new EmbeddedEventStore(store)),
      records: new EmbeddedDocumentStore(store, clock),
      views: new EmbeddedDocumentStore(views, clock),
      embedded: true,
    };
  },
};

beforeEach(async () => {
  disk = { store: undefined, views: undefined, refused: 0 };
  service = await Service.start({ stores });
  company = await service.company();
  await company.moveIn('A-1');
});

afterEach(() => service.close());

function space(): void {
  disk = { store: undefined, views: undefined, refused: 0 };
}

const MOVE_IN = { pms_tenant_id: 't-2', move_in_date: '2025-12-01' };
const ENTRIES = Array.from({ length: 20 }, (_, index) => ({
  crm_unit_id: `B-${index}`,
  occupied: true,
  tenant: { pms_tenant_id: `t-${index % 3}`, first_name: 'Ada', last_name: `No ${index % 3}` },
  move_in_date: '2025-12-01',
}));

/** Views are flushed meanwhile. */
function mayFail(
  path: string,
  body: unknown,
  method: 'put' | 'patch' = 'put',
  key?: string,
): Promise<Answer> {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  service.manualClock.advance(FLUSHED_AFTER);
  return service.call(method, `/api/v2${path}`, { body, token: company.token, headers, mayFail: true });
}

/** Longer than the views wait for a flush, or to repeat one; milliseconds. */
const FLUSHED_AFTER = 1_000;

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(answer.body).toEqual({ code: 'store_unavailable', message: 'Service unavailable.' });
}

describe('while the log cannot grow', () => {
  test('writes answer 503 and store nothing, reads go on, and writes go on when there is space', async () => {
    const before = await service.events();
    disk.store = 0;
    expectUnavailable(await mayFail(`${unitPath('A-2')}/tenancy`, MOVE_IN));
    expectUnavailable(await mayFail(unitPath('A-1'), { balance_due: 1 }, 'patch'));
    expectUnavailable(await mayFail('/units', { units: ENTRIES }, 'patch'));
    expectUnavailable(await mayFail('/units', { units: ENTRIES }, 'patch', 'a key'));
    expect(await service.events()).toEqual(before);
    expect(await company.access('A-1')).toBe('tenant_permitted active');
    expect(await company.list()).toHaveLength(1);
    space();
    const { body } = await mayFail('/units', { units: ENTRIES }, 'patch', 'a key');
    expect(body.data).toMatchObject({ total: 20, created: 20, errors: [] });
    expect((await company.moveIn('A-2')).status).toBe(201);
  });
});

describe('while the views cannot be written', () => {
  test('writes answer 503, reads go on, and the retry finds the writes done', async () => {
    // The first read of all makes the collections that it looks into.
    await company.access('A-1');
    disk.views = 0;
    const path = `${unitPath('A-2')}/tenancy`;
    service.manualClock.advance(FLUSHED_AFTER);
    await waitUntil(() => disk.refused, Boolean);
    expectUnavailable(await mayFail(path, MOVE_IN, 'put', 'single'));
    expectUnavailable(await mayFail('/units', { units: ENTRIES }, 'patch', 'bulk'));
    expect(await company.access('A-1')).toBe('tenant_permitted active');
    space();
    expect((await mayFail(path, MOVE_IN, 'put', 'single')).status).toBe(201);
    const { body } = await mayFail('/units', { units: ENTRIES }, 'patch', 'bulk');
    expect(body.data).toMatchObject({ total: 20, created: 20, updated: 0, unchanged: 0, errors: [] });
    expect(await company.eventTypes()).toHaveLength(2 + 2 + 2 * ENTRIES.length);
    expect(await company.list()).toHaveLength(2 + ENTRIES.length);
  });
});

describe('where a single commit fails', () => {
  test.each([0, 1, 2, 3, 4])('after %d commits, a keyed move-in is done exactly once', async (commits) => {
    const path = `${unitPath('A-2')}/tenancy`;
    disk = { store: commits, views: undefined, refused: 0, briefly: true };
    const first = await mayFail(path, MOVE_IN, 'put', 'single');
    space();
    const again = await mayFail(path, MOVE_IN, 'put', 'single');
    expect(again.status).toBe(201);
    expect(first.status === 201 ? again.text : 503).toBe(first.status === 201 ? first.text : first.status);
    expect(await company.eventTypes()).toHaveLength(2 + 2);
  });
});

describe('wherever the space ends', () => {
  const ends = (['store', 'views'] as const).flatMap((name) =>
    upTo([0, 2, 3], [0, 1, 2, 3, 4, 5, 6]).map((commits) => [commits, name] as const),
  );

  test.each(ends)('after %d commits of the %s, a keyed write is done exactly once', async (commits, name) => {
    disk[name] = commits;
    const first = await mayFail('/units', { units: ENTRIES }, 'patch', 'bulk');
    const single = await mayFail(unitPath('A-1'), { balance_due: 7 }, 'patch', 'single');
    space();
    const again = await mayFail('/units', { units: ENTRIES }, 'patch', 'bulk');
    expect(again.body.data).toMatchObject({ total: 20, created: 20, updated: 0, unchanged: 0, errors: [] });
    if (first.status === 200) expect(again.text).toBe(first.text);
    const singleAgain = await mayFail(unitPath('A-1'), { balance_due: 7 }, 'patch', 'single');
    expect(singleAgain.status).toBe(200);
    if (single.status === 200) expect(singleAgain.text).toBe(single.text);
    expect(await company.eventTypes()).toHaveLength(2 + 2 * ENTRIES.length + 1);
    expect(await verifyAll(service.stores.eventStore, { readsEachStream: true })).toMatchObject({ ok: true });
    const units = await company.list();
    await service.restart({ keepViews: false });
    expect(await company.list()).toEqual(units);
  });
});
