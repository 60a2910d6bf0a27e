import { RECORDS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { IDEMPOTENCY_RECORDS } from '#web/pipeline/idempotency-record.js';
import { recordIdOf } from '#web/pipeline/request-key.js';
import { routesOf } from '../system/isolation/support/routes.js';
import { type Company, demand, Service } from '../support/service.js';

let service: Service;
let company: Company;
let location: string;
let sandbox: string;
let keys = 0;

beforeAll(async () => {
  service = await Service.start({ environment: { PULL_ALLOW_PRIVATE: 'true' } });
  company = await service.company();
  location = `/locations/${company.locations.get('MAIN')}`;
  await company.moveIn('A-1');
  sandbox = (await service.sandbox()).id;
});
afterAll(() => service.close());

const post = async (path: string, body: unknown, key: string, token?: string) =>
  service.call('post', `/api/operator${path}`, {
    body,
    token: token ?? (await service.operatorToken()),
    headers: { 'Idempotency-Key': key },
  });

/** What each POST of the operator API makes. Its number of events is that of one execution. */
const MADE: [name: string, path: () => string, body: object][] = [
  ['a company', () => '/companies', { name: 'Second' }],
  ['a location', () => `/companies/${company.id}/locations`, { pms_location_code: 'L-2', name: 'Two' }],
  ['a zone', () => `${location}/zones`, { name: 'North' }],
  ['an entry point', () => `${location}/entry-points`, { name: 'Gate', kind: 'gate', zone_ids: [] }],
  ['a lock', () => `${location}/locks`, { name: 'Door' }],
  [
    'a site',
    () => `${location}/setup`,
    {
      rows: [
        { unit: 'nobody', zone: 'West' },
        { unit: 'A-1', zone: 'South', lock: 'Latch' },
      ],
    },
  ],
  ['a unit', () => `${location}/units`, { crm_unit_id: 'S-1' }],
  ['a tenant', () => `${location}/tenants`, { pms_tenant_id: 'T-9', name: 'Ada Park' }],
  [
    'an operator',
    () => '/operators',
    { email: 'new@example.com', password: 'a long way home 78', role: 'auditor' },
  ],
  ['a later hour', () => `/companies/${sandbox}/clock`, { advance_seconds: 3_600 }],
  [
    'a pull source',
    () => `/companies/${company.id}/pull-sources`,
    { name: 'PMS', url: 'http://127.0.0.1:9/u.json', interval_seconds: 3_600 },
  ],
];

/** As a process leaves a key that ended between its events and its answer. */
async function forgetAnswer(key: string): Promise<void> {
  const store = service.part<DocumentStore>(RECORDS as never);
  const { operator_id } = demand(200, await service.operator('get', '/session'));
  const headers = { 'idempotency-key': key };
  const id = recordIdOf({ headers, rawHeaders: [] } as never, `operator ${operator_id}`);
  const records = await store.collection(IDEMPOTENCY_RECORDS);
  // The answer joins the commit of the next write.
  demand(201, await company.moveIn(`next-${key}`, { pms_location_code: 'MAIN' }));
  const record = (await records.get(id))!;
  const document = { ...record, answer: null, lease_until: 0, version: record.version + 1 };
  const collection = IDEMPOTENCY_RECORDS.name;
  const [outcome] = await store.write([
    { kind: 'compare_and_set', collection, expected: record.version, document },
  ]);
  expect([record.answer?.status, outcome!.kind]).toEqual([expect.any(Number), 'written']);
}

describe.each(MADE)('%s', (_name, path, body) => {
  it('is made once under a key, even if the first answer was lost', async () => {
    const key = `made-${(keys += 1)}`;
    const before = (await service.events()).length;
    const first = await post(path(), body, key);
    expect([200, 201]).toContain(first.status);
    expect((await service.events()).length).toBeGreaterThan(before);

    const again = await post(path(), body, key);
    expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([
      first.status,
      first.body,
      'true',
    ]);
    expect((await post(path(), { ...body, name: 'Another' }, key)).body.code).toBe('idempotency_key_reused');

    await forgetAnswer(key);
    const events = (await service.events()).length;
    const recovered = await post(path(), body, key);
    // An answer that is found again leaves out the access (decisions §3).
    const data = { ...first.body.data };
    delete data.access;
    expect([recovered.status, recovered.body]).toEqual([first.status, { ...first.body, data }]);
    expect((await service.events()).length).toBe(events);
  });
});

it('an API token is shown in the first answer alone', async () => {
  const path = `/companies/${company.id}/api-tokens`;
  const first = await post(path, { name: 'PMS' }, 'token');
  const { token, ...others } = demand(201, first);
  expect(token).toMatch(/^sat_/);
  const again = await post(path, { name: 'PMS' }, 'token');
  expect(again.status).toBe(201);
  expect(again.body).toEqual({
    message: `${first.body.message} The token was only in the first answer.`,
    data: { ...others, token: null },
  });
  const store = service.part<DocumentStore>(RECORDS as never);
  const kept = await store.collection(IDEMPOTENCY_RECORDS);
  const { operator_id } = demand(200, await service.operator('get', '/session'));
  const id = recordIdOf(
    { headers: { 'idempotency-key': 'token' }, rawHeaders: [] } as never,
    `operator ${operator_id}`,
  );
  expect(JSON.stringify(await kept.get(id))).not.toContain(token);
});

it('the key of one operator is no key of another', async () => {
  const other = { email: 'other@example.com', password: 'a long way home 77' };
  await service.addOperator({ ...other, role: 'admin', companies: null });
  const session = await service.call('post', '/api/operator/sessions', { body: other });
  const path = `${location}/zones`;
  const one = demand(201, await post(path, { name: 'East' }, 'shared'));
  const two = demand(201, await post(path, { name: 'East' }, 'shared', demand(201, session).token));
  expect(two.zone_id).not.toBe(one.zone_id);
});

it('every POST of operators that writes takes a key, except sign-in and second factor', () => {
  const posts = routesOf(service.application).routes.filter(
    ({ method, path }) => method === 'post' && path.startsWith('/api/operator'),
  );
  expect(posts.flatMap(({ name, idempotent }) => (idempotent ? [] : [name]))).toEqual([
    'POST /api/operator/sessions',
    'POST /api/operator/session/second-factor',
    'POST /api/operator/session/second-factor/removal',
    // They write nothing.
    'POST /api/operator/locations/:location_id/policy-backtest',
    'POST /api/operator/pull-sources/:pull_source_id/test',
  ]);
});
