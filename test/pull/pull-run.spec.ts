import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemIds } from '../../src/config/ids.js';
import { PageReader } from '../../src/pull/fetching/page-reader.js';
import type { PullAnswer, PullHttp } from '../../src/pull/fetching/pull-http.js';
import { KnownPages } from '../../src/pull/known-pages.js';
import { PullRun, type RunPermit } from '../../src/pull/pull-run.js';
import type { PullCounts } from '../../src/pull/pull-runs.js';
import type { PullSourceRecord } from '../../src/pull/pull-sources.js';
import { SecretBox } from '../../src/pull/secret-box.js';
import type { BulkResult, BulkSync } from '../../src/push/index.js';
import { StoreUnavailableError } from '../../src/storage/store.errors.js';
import type { WriteContext } from '../../src/writing/write-context.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../support/embedded-world.js';

const URL_OF = 'https://pms.example.com/units.json';
const secrets = new SecretBox(Buffer.alloc(32, 1));

const source = (fields: Partial<PullSourceRecord> = {}): PullSourceRecord => ({
  _id: 'P',
  version: 1,
  company_id: 'C',
  name: 'Main',
  url: URL_OF,
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

type Sync = BulkSync['syncAll'];

/** Applies nothing, but asks for its context as the real one does. */
const countOnly: Sync = async (_writer, body, nextContext) => {
  await nextContext();
  const { length: total } = body['units'] as unknown[];
  return { synced_at: '', total, created: total, updated: 0, unchanged: 0, errors: [] } satisfies BulkResult;
};

function runOf(answer: (url: string) => PullAnswer, syncAll: Sync = countOnly) {
  const http: PullHttp = {
    get: ({ url }) => Promise.resolve(answer(url)),
    refusalOf: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
  const reader = new PageReader(http, world.clock, systemIds);
  return new PullRun(reader, { syncAll } as BulkSync, new KnownPages(world.records), secrets, systemIds);
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
  const sync: Sync = async (writer, body, nextContext) => {
    expect(writer).toEqual({ company_id: 'C', source: 'pull' });
    contexts.push(await nextContext());
    return countOnly(writer, body, nextContext);
  };
  const mayGoOn = permit();
  await runOf(() => page({ units: [{}] }), sync).run(source(), mayGoOn, nothing);
  expect(contexts[0]).toMatchObject({ request_id: 'R', actor: { kind: 'pull', id: 'P' }, recovering: false });
  expect(contexts[0]!.deadline).toBe(mayGoOn);
});

test('a run that may not go on applies nothing of what it has fetched', async () => {
  let applied = 0;
  const sync: Sync = async (writer, body, nextContext) => {
    const result = await countOnly(writer, body, nextContext);
    applied += 1;
    return result;
  };
  const lost = permit({
    demand: () => Promise.reject(new StoreUnavailableError('It was taken over.', false)),
  });
  await expect(runOf(() => page({ units: [{}] }), sync).run(source(), lost, nothing)).rejects.toThrow(
    'taken over',
  );
  expect(applied).toBe(0);
});

test('of many errors the first hundred are kept, and all are counted', async () => {
  const sync: Sync = (_writer, body) => {
    const units = body['units'] as unknown[];
    const errors = units.map((_, place) => ({ crm_unit_id: `U-${place}`, error: 'No.', code: 'no' }));
    return Promise.resolve({
      synced_at: '',
      total: units.length,
      created: 0,
      updated: 0,
      unchanged: 0,
      errors,
    });
  };
  let counts: PullCounts | undefined;
  await runOf(() => page({ units: Array(250).fill({}) }), sync).run(source(), permit(), (now) => {
    counts = now;
    return Promise.resolve();
  });
  expect([counts!.error_count, counts!.errors.length]).toEqual([250, 100]);
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

test('of the pages that were applied nothing stays in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const pages = 40;
  const used: number[] = [];
  const entry = (place: number) => ({
    crm_unit_id: `U-${place}`,
    occupied: false,
    pms_status_raw: 'x'.repeat(500),
  });
  const run = runOf((url) => {
    const number = Number(new URL(url).searchParams.get('page') ?? 1);
    if (number === 10 || number === pages) {
      collect();
      used.push(process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers);
    }
    const units = Array.from({ length: 500 }, (_, place) => entry(number * 500 + place));
    return page({ units, next: number < pages ? `?page=${number + 1}` : null }, url);
  });
  await run.run(source(), permit(), nothing);
  // Thirty pages of more than 250 KB each, text and objects apart: what was kept would be three times as much.
  expect(used[1]! - used[0]!).toBeLessThan(3_000_000);
});
