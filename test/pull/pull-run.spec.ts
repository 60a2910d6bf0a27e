import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemIds } from '#kernel/ids.js';
import { PageReader } from '#pull/fetching/page-reader.js';
import type { PullAnswer, PullHttp } from '#pull/fetching/pull-http.js';
import { KnownPages } from '#pull/known-pages.js';
import { PullRun, type RunPermit } from '#pull/pull-run.js';
import type { PullCounts } from '#pull/pull-runs.js';
import type { PullSourceRecord } from '#pull/pull-sources.js';
import { SecretBox } from '#kernel/secret-box.js';
import { readPart, syncsOf } from '#api/push/bulk/bulk-entries.js';
import type { BulkSync } from '#api/push/index.js';
import type { BulkResult } from '#api/push/unit-write.schemas.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { worldsClock } from '../support/company-clocks.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../support/embedded-world.js';

const URL_OF = 'https://pms.example.com/units.json';
const secrets = new SecretBox(Buffer.alloc(32, 1));

const source = (fields: Partial<PullSourceRecord> = {}): PullSourceRecord => ({
  _id: 'P',
  version: 1,
  company_id: 'C',
  name: 'Main',
  url: URL_OF,
  url_by_admin: true,
  sealed_auth: null,
  interval_seconds: 60,
  mapping: null,
  enabled: true,
  created_at: 0,
  turn: 1,
  next_run_at: null,
  requested_run_id: null,
  running: 0,
  run_id: 'R',
  ...fields,
});

let world: EmbeddedWorld;
beforeEach(async () => {
  world = await openEmbeddedWorld();
});
afterEach(() => world.close());

type Sync = BulkSync['syncPart'];

/** Applies nothing. */
const countOnly: Sync = (_writer, { entries: { length: total } }) => {
  const counts = { total, created: total, updated: 0, unchanged: 0 };
  return Promise.resolve({ synced_at: '', ...counts, errors: [] } satisfies BulkResult);
};

function runOf(answer: (url: string) => PullAnswer, syncPart: Sync = countOnly) {
  const http: PullHttp = {
    get: ({ url }) => Promise.resolve(answer(url)),
    refusalOf: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
  const reader = new PageReader(http, world.clock, systemIds);
  const bulk = { syncPart } as BulkSync;
  const clocks = worldsClock(world.clock);
  return new PullRun(reader, bulk, new KnownPages(world.records), secrets, clocks, systemIds);
}

const page = (document: object, url = URL_OF): PullAnswer => ({
  kind: 'page',
  url,
  etag: null,
  body: Buffer.from(JSON.stringify(document)),
});

const permit = (fields: Partial<RunPermit> = {}): RunPermit => ({
  run_id: 'R',
  signal: new AbortController().signal,
  demand: () => Promise.resolve(),
  isOver: false,
  ...fields,
});
const nothing = () => Promise.resolve();

test('what is read is written as the source, under the run, and only while the run may go on', async () => {
  const contexts: WriteContext[] = [];
  const sync: Sync = (writer, part, context) => {
    expect(writer).toEqual({ company_id: 'C', source: 'pull' });
    contexts.push(context);
    return countOnly(writer, part, context);
  };
  const mayGoOn = permit();
  await runOf(() => page({ units: [{}] }), sync).run(source(), mayGoOn, nothing);
  expect(contexts[0]).toMatchObject({ request_id: 'R', actor: { kind: 'pull', id: 'P' }, recovering: false });
  expect(contexts[0]!.deadline).toBe(mayGoOn);
});

test('the instant at which a page was taken goes with each of its entries, and what it skips is counted', async () => {
  const snapshots: unknown[] = [];
  const sync: Sync = async (writer, part, context) => {
    snapshots.push(...syncsOf(await readPart(part), writer.source).map(({ command }) => command.snapshot_at));
    const written_at = new Date(0).toISOString();
    const result = await countOnly(writer, part, context);
    return { ...result, created: 0, skipped: part.entries.map(() => ({ crm_unit_id: 'A', written_at })) };
  };
  const units = Array.from({ length: 501 }, (_, place) => ({ crm_unit_id: `U-${place}`, occupied: false }));
  const snapshot_at = new Date(world.clock.now()).toISOString();
  let counts: PullCounts | undefined;
  await runOf(() => page({ units, snapshot_at }), sync).run(source(), permit(), (now) => {
    counts = now;
    return Promise.resolve();
  });
  expect(snapshots).toEqual(units.map(() => world.clock.now()));
  expect(counts).toMatchObject({ total: 501, created: 0, skipped: 501 });
});

test('a run that may not go on applies nothing of what it has fetched', async () => {
  let applied = 0;
  const sync: Sync = (writer, part, context) => {
    applied += 1;
    return countOnly(writer, part, context);
  };
  const lost = permit({
    demand: () => Promise.reject(new StoreUnavailableError('It was taken over.', false)),
  });
  await expect(runOf(() => page({ units: [{}] }), sync).run(source(), lost, nothing)).rejects.toThrow(
    'taken over',
  );
  expect(applied).toBe(0);
});

/** Refuses every entry, under an identifier of 300 characters. */
const refuseAll: Sync = (_writer, { entries, first }) => {
  const errors = entries.map((_, place) => ({
    crm_unit_id: `U-${first + place}`,
    error: 'No.',
    code: 'unit_retired' as const,
  }));
  const counts = { total: entries.length, created: 0, updated: 0, unchanged: 0 };
  return Promise.resolve({ synced_at: '', ...counts, errors });
};
/** The counts of a run, for pages with so many entries each. */
async function countsOf(pages: number, entries: number, sync: Sync): Promise<PullCounts> {
  let counts: PullCounts | undefined;
  const answer = (url: string) => {
    const number = Number(new URL(url).searchParams.get('page') ?? 1);
    return page({ units: Array(entries).fill({}), next: number < pages ? `?page=${number + 1}` : null }, url);
  };
  await runOf(answer, sync).run(source(), permit(), (now) => {
    counts = now;
    return Promise.resolve();
  });
  return counts!;
}

test('the first five errors of a page and the first hundred of a run are kept; all are counted', async () => {
  const one = await countsOf(1, 1_200, refuseAll);
  expect(one).toMatchObject({ total: 1_200, error_count: 1_200, pages: 1 });
  expect(one.errors.map(({ crm_unit_id }) => crm_unit_id)).toEqual(['U-0', 'U-1', 'U-2', 'U-3', 'U-4']);
  const many = await countsOf(22, 10, refuseAll);
  expect([many.error_count, many.errors.length, many.pages]).toEqual([220, 100, 22]);
});

test('the event loop turns after every 500 entries', async () => {
  let turns = 0;
  let ticking = setImmediate(tick);
  function tick(): void {
    turns += 1;
    ticking = setImmediate(tick);
  }
  const turnsOfParts: number[] = [];
  const sync: Sync = (writer, part, context) => {
    turnsOfParts.push(turns);
    return countOnly(writer, part, context);
  };
  expect((await countsOf(1, 2_100, sync)).total).toBe(2_100);
  clearImmediate(ticking);
  expect(turnsOfParts).toHaveLength(5);
  expect(new Set(turnsOfParts).size).toBe(5);
});

test('a credential that was sealed under another master secret is asked for again', async () => {
  const sealed_auth = new SecretBox(Buffer.alloc(32, 2)).seal('x', 'P');
  const run = runOf(() => page({ units: [] })).run(source({ sealed_auth }), permit(), nothing);
  await expect(run).rejects.toMatchObject({ code: 'secret_unreadable' });
});

test('pages without end are given up', async () => {
  let count = 0;
  const run = runOf((url) => page({ units: [], next: `?page=${(count += 1)}` }, url));
  await expect(run.run(source(), permit(), nothing)).rejects.toMatchObject({ code: 'too_many_pages' });
  expect(count).toBe(2_000);
});

test('pages that were applied do not stay in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const pages = 10;
  // Objects are counted, not bytes: other suites of this worker allocate, too.
  const kept: WeakRef<object>[] = [];
  let alive = NaN;
  const sync: Sync = (writer, part, context) => {
    kept.push(new WeakRef(part.entries), new WeakRef(part.entries[0] as object));
    return countOnly(writer, part, context);
  };
  const run = runOf((url) => {
    const number = Number(new URL(url).searchParams.get('page') ?? 1);
    if (number === pages) {
      collect();
      alive = kept.filter((ref) => ref.deref() !== undefined).length;
    }
    const answer = page(
      { units: [{ page: number }], next: number < pages ? `?page=${number + 1}` : null },
      url,
    );
    if (answer.kind === 'page') kept.push(new WeakRef(answer.body));
    return answer;
  }, sync);
  await run.run(source(), permit(), nothing);
  expect(kept).toHaveLength(3 * pages);
  // The page before may still be under way.
  expect(alive).toBeLessThanOrEqual(3);
});
