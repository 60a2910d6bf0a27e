import { Denials, LocationForecast, TenantAccessViews } from '../../src/access/index.js';
import { GivenUpError } from '../../src/config/yielder.js';
import { systemIds } from '../../src/config/ids.js';
import { LocationDirectory } from '../../src/locations/index.js';
import { CompanyToday } from '../../src/operator/today/company-today.js';
import { PullScheduler, PullSources } from '../../src/pull/index.js';
import { PullRuns } from '../../src/pull/pull-runs.js';
import { TenantAccounts, TenantSessions } from '../../src/tenants/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from '../dashboard/support/visitor.js';
import { type OnSharedLog, startOnSharedLog } from '../support/shared-log.js';

const HOUR = 60 * 60_000;

let service: Service;
let company: Company;
let lock_id: string;

/** The data behind the page of the day. */
const today = async () => demand(200, await service.operator('get', `/companies/${company.id}/today`));
const changes = async (query = '') =>
  demand(200, await service.operator('get', `/companies/${company.id}/changes${query}`));

const person = (pms_tenant_id: string) => ({ pms_tenant_id, first_name: 'Ada', last_name: 'Park' });

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', grace_period_days: 5 });
  const units = ['1', '2', '3', '4'].map((number) => ({
    crm_unit_id: `A-${number}`,
    occupied: true,
    move_in_date: '2025-10-01',
    tenant: person(`T-${number}`),
  }));
  demand(200, await company.sync(units));
  // Past its grace, within it until the 4th of January 2026, and locked out by the PMS.
  await company.patch('A-1', { balance_due: 189, paid_through_date: '2025-11-01' });
  await company.patch('A-2', { balance_due: 20, paid_through_date: '2025-12-29' });
  await company.patch('A-3', { pms_lockout: true });
  const location = company.locations.get('MAIN')!;
  ({ lock_id } = demand(201, await service.operator('post', `/locations/${location}/locks`, { name: 'L' })));
  const { unit_id } = await company.unit('A-4');
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
});
afterAll(() => service.close());

describe('the day of a company', () => {
  it('counts what changed, who is denied and why, and who will be', async () => {
    const { changes: counted, denied, failures, losing_access, silent_tokens } = await today();
    expect(counted.by_type).toContainEqual({ type: 'UnitFactsChanged', events: 3 });
    expect(new Map(denied.map((one: { reason: string; units: number }) => [one.reason, one.units]))).toEqual(
      new Map([
        ['delinquent', 1],
        ['pms_lockout', 1],
      ]),
    );
    expect(losing_access).toEqual({
      days: 7,
      locations: [{ location_id: company.locations.get('MAIN'), name: expect.any(String), units: 1 }],
      dates: [{ date: '2026-01-04', units: 1 }],
    });
    expect([silent_tokens, failures]).toEqual([[], { failed: 0, first: [] }]);
  });

  it('tells who is locked out, what they owe and since when they are late', async () => {
    const { locked_out } = await today();
    expect(locked_out).toMatchObject({ tenants: 2, units: 2, owed: 189 });
    const [first, second] = locked_out.first;
    expect(first).toMatchObject({ unit_name: 'A-1', tenant_name: 'Ada Park', phone: null, balance_due: 189 });
    expect([first.days_late, second.days_late, second.reason]).toEqual([61, null, 'pms_lockout']);
  });

  it('leads to lists that have as many entries as it counts', async () => {
    const { changes: counted, denied } = await today();
    for (const { type, events } of counted.by_type)
      expect([type, (await changes(`?type=${type}`)).events.length]).toEqual([type, events]);
    for (const { reason, units } of denied) {
      const query = `company_id=${company.id}&state=tenant_denied&reason=${reason}`;
      const list = demand(200, await service.operator('get', `/units?${query}`)).units;
      expect([reason, list.length]).toEqual([reason, units]);
    }
  });

  it('lists locks that failed, not those that rightly refused, whatever others have written since', async () => {
    const key = { company_id: company.id, location_id: company.locations.get('MAIN')!, pms_tenant_id: 'T-4' };
    const [account] = await service.part(TenantAccounts).find([key]);
    const { token } = await service.part(TenantSessions).begin(account!);
    const { unit_id } = await company.unit('A-4');
    const unlock = { event: 'unlock' };
    const entries = [
      { ...unlock, result: 'success' },
      { ...unlock, result: 'failure', failure_code: 'motor_jam' },
      { event: 'attempt', result: 'failure', failure_code: 'no_valid_key' },
    ];
    const body = { entries };
    demand(201, await service.call('post', `/api/v2/locks/${lock_id}/logs`, { token, body }));
    const { eventStore } = service.stores;
    const newest = jest.spyOn(eventStore, 'readAll').mockResolvedValue([]);
    const { failures, changes: counted } = await today();
    newest.mockRestore();
    expect(counted.by_type).toEqual([]);
    expect(failures.failed).toBe(1);
    const lock = { lock_id, unit_id, unit_name: 'A-4', name: 'L' };
    expect(failures.first).toEqual([
      expect.objectContaining({ ...lock, event: 'unlock', failure_code: 'motor_jam' }),
    ]);
    const admin = await Visitor.signedIn(service);
    await admin.visit(`/dashboard?company_id=${company.id}`);
    expect(admin.text).toMatch(/Failed: motor jam L, A-4 , /);
    expect(admin.text).not.toMatch(/too many to count|Only taps since/);
  });

  it('says how far back it looked where others have written too much', async () => {
    const { eventStore } = service.stores;
    service.manualClock.advance(HOUR);
    const admin = await Visitor.signedIn(service);
    await service.company();
    const [ofOthers] = await eventStore.readAll({ backwards: true, limit: 1 });
    const newest = jest.spyOn(eventStore, 'readAll').mockImplementation(({ scan }) => {
      scan?.upTo(1n);
      return Promise.resolve([ofOthers!]);
    });
    await admin.visit(`/dashboard?company_id=${company.id}`);
    newest.mockRestore();
    expect(admin.text).toMatch(/None was found\. Only taps since .* were checked/);
    expect(admin.text).toMatch(/There were too many to count: since /);
  });

  it('looks at a bounded part of the log, and reads no tenant whom neither denial nor calendar touches', async () => {
    const { eventStore, views } = service.stores;
    const readAll = jest.spyOn(eventStore, 'readAll');
    const documents: string[] = [];
    const collection = views.collection.bind(views);
    const spy = jest.spyOn(views, 'collection').mockImplementation(async (declaration) => {
      const opened = await collection(declaration);
      if (declaration.name !== 'tenant_access') return opened;
      const find: typeof opened.find = async (index, options) => {
        const page = await opened.find(index, options);
        if (options.equals.length > 0) documents.push(...page.documents.map(({ _id }) => _id));
        return page;
      };
      return { ...opened, find, getMany: opened.getMany.bind(opened) };
    });
    await today();
    const limits = readAll.mock.calls.map(([{ limit }]) => limit);
    readAll.mockRestore();
    spy.mockRestore();
    expect(limits).toEqual([500]);
    // Two are denied, one will be.
    expect(documents).toHaveLength(3);
  });

  it('reads nothing of another company', async () => {
    const other = await service.company({ pms_location_code: 'MAIN' });
    const day = demand(200, await service.operator('get', `/companies/${other.id}/today`));
    expect([day.denied, day.losing_access.locations]).toEqual([[], []]);
    const types = day.changes.by_type.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['LocationOpened']);
  });

  it('is not kept waiting for the sandboxes of others', async () => {
    const sweep = jest.spyOn(service.part(TenantAccessViews), 'sweep');
    await today();
    const asked = sweep.mock.calls;
    sweep.mockRestore();
    expect(asked).toEqual([[[company.id]]]);
  });

  it('ends with the time of who asked', async () => {
    const digest = service.part(CompanyToday);
    const asked = jest.spyOn(digest, 'of');
    await today();
    const [[, clock, deadline]] = asked.mock.calls as [Parameters<CompanyToday['of']>];
    asked.mockRestore();
    expect(deadline).toHaveProperty('isOver');
    const over = { isOver: true };
    await expect(digest.of(company.id, clock, over)).rejects.toThrow(GivenUpError);
    const [location] = await service.part(LocationDirectory).locationsOfCompany(company.id);
    await expect(service.part(LocationForecast).losing(location!, 7, over)).rejects.toThrow(GivenUpError);
    await expect(service.part(Denials).of(company.id, [location!._id], 1, over)).rejects.toThrow(
      GivenUpError,
    );
  });

  it('pages through what happened, newest first, and takes no cursor of another list', async () => {
    const whole = (await changes()).events.map(({ id }: { id: string }) => id);
    const paged: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = await changes(`?limit=2${next === '' ? '' : `&cursor=${next}`}`);
      paged.push(...page.events.map(({ id }: { id: string }) => id));
      next = page.next_cursor;
    }
    expect(paged).toEqual(whole);
    expect([...whole].sort((one, other) => Number(BigInt(other) - BigInt(one)))).toEqual(whole);
    const { next_cursor } = await changes('?limit=1&type=UnitFactsChanged');
    const foreign = await service.operator('get', `/companies/${company.id}/changes?cursor=${next_cursor}`);
    expect(foreign.status).toBe(422);
  });
});

describe('pull sources', () => {
  const trouble = async () => (await today()).troubled_pull_sources;

  /** One that nobody asks: what is said of it is what the test has written. */
  async function add(name: string, company_id = company.id): Promise<string> {
    const body = { name, url: 'https://pms.invalid/units', interval_seconds: 86_400 };
    const added = await service.operator('post', `/companies/${company_id}/pull-sources`, body);
    const { pull_source_id } = demand(201, added);
    demand(200, await service.operator('patch', `/pull-sources/${pull_source_id}`, { enabled: false }));
    await service.part(PullScheduler).settled();
    await service.part(PullSources).change(pull_source_id, () => ({ enabled: true }));
    return pull_source_id;
  }

  it('that failed, rejected entries or are late are told, and those that are well or switched off are not', async () => {
    const late = await add('Late');
    const failed = await add('Failed');
    const none = { last_run_at: null, last_run_errors: 0, last_run_total: 0, reasons: [] };
    expect(await trouble()).toEqual([]);
    const sources = service.part(PullSources);
    const runs = service.part(PullRuns);
    const run = runs.draft(systemIds.ulid(), { _id: failed, company_id: company.id }, service.clock.now());
    const failure = { code: 'timeout', message: 'No answer within 30 s.' } as const;
    await runs.insert({ ...run, state: 'failed', finished_at: service.clock.now(), failure });
    const ended = { last_run_at: new Date(service.clock.now()).toISOString(), reasons: [failure.message] };
    await sources.change(failed, () => ({ run_id: run._id }));
    const due = service.clock.now() - 6 * 60_000;
    await sources.change(late, () => ({ next_run_at: due }));
    expect(await trouble()).toEqual([
      { pull_source_id: late, name: 'Late', late: true, last_run_failed: false, ...none },
      { pull_source_id: failed, name: 'Failed', late: false, last_run_failed: true, ...none, ...ended },
    ]);
    const open = [1, 2].map((later) =>
      runs.draft(systemIds.ulid(), { _id: failed, company_id: company.id }, service.clock.now() + later),
    );
    await runs.insert({ ...open[0]!, state: 'running' });
    await runs.insert({ ...open[1]!, state: 'queued' });
    await sources.change(failed, () => ({ run_id: open[0]!._id }));
    expect((await trouble())[1]).toMatchObject({ pull_source_id: failed, last_run_failed: true });
    const rejecting = runs.draft(systemIds.ulid(), { _id: failed, company_id: company.id }, due);
    const errors = ['units.0.a: One.', 'units.1.a: One.', 'units.2: Two.', 'Three.', 'Four.'].map(
      (error) => ({
        crm_unit_id: 'A',
        error,
        code: 'no',
      }),
    );
    await runs.insert({ ...rejecting, state: 'succeeded', total: 9, error_count: 7, errors });
    await sources.change(failed, () => ({ run_id: rejecting._id }));
    const reasons = ['One.', 'Two.', 'Three.'];
    expect((await trouble())[1]).toMatchObject({
      last_run_failed: false,
      last_run_errors: 7,
      last_run_total: 9,
      reasons,
    });
    await sources.change(late, () => ({ next_run_at: due + 2 * 60_000 }));
    expect(await trouble()).toMatchObject([{ pull_source_id: failed }]);
    // The scheduler looks for what is due when a source is changed.
    await sources.change(late, () => ({ next_run_at: null }));
    demand(200, await service.operator('patch', `/pull-sources/${failed}`, { enabled: false }));
    expect(await trouble()).toEqual([]);
  });

  it('of a sandbox are late by its own clock', async () => {
    const body = { name: 'Trial', sandbox: true };
    const { company_id } = demand(201, await service.operator('post', '/companies', body));
    const path = `/companies/${company_id}`;
    demand(200, await service.operator('post', `${path}/clock`, { advance_seconds: 86_400 }));
    const late = await add('Late', company_id);
    const due = service.clock.now() + 23 * HOUR;
    await service.part(PullSources).change(late, () => ({ next_run_at: due }));
    const { troubled_pull_sources } = demand(200, await service.operator('get', `${path}/today`));
    expect(troubled_pull_sources).toMatchObject([{ pull_source_id: late, late: true }]);
    const { pull_sources } = demand(200, await service.operator('get', `${path}/pull-sources`));
    expect(pull_sources).toMatchObject([{ pull_source_id: late, late: true }]);
    await service.part(PullSources).change(late, () => ({ next_run_at: null }));
  });
});

describe('rows of a push that were rejected', () => {
  const rejected = async () => (await today()).rejected_bulks;
  const [vacant, silly] = [{ occupied: false }, { occupied: true, 'Ada Park': 1 }];

  it('are told with the token and the first reasons, without values', async () => {
    demand(200, await company.sync([{ crm_unit_id: 'A-9', ...vacant }]));
    const units = [{ crm_unit_id: 'A-9', balance_due: 'Ada' }];
    demand(200, await company.push('patch', '/units?dry_run=true', { units }));
    expect(await rejected()).toEqual([]);
    const rows = [1, 2, 3, 4].map((number) => ({ crm_unit_id: `X-${number}`, ...silly }));
    demand(200, await company.sync([{ crm_unit_id: 'A-9', ...vacant, balance_due: 'Ada' }]));
    service.manualClock.advance(1_000);
    const { data } = (await company.sync([...rows, { crm_unit_id: 'A-9', ...vacant }])).body;
    expect([data.total, data.errors.length]).toEqual([5, 4]);
    const required = ['tenant', 'pms_tenant_id', 'move_in_date'];
    const named = { rows: 4, crm_unit_ids: ['X-1', 'X-2', 'X-3'] };
    const reasons = [
      ...required.map((field) => ({ code: 'required', field, message: expect.any(String), ...named })),
      { code: 'not_allowed', field: null, message: 'A field is unknown.', ...named },
    ];
    const at = new Date(service.clock.now()).toISOString();
    const bulk = { at, total: 5, error_count: 4, refused: false, reasons };
    expect(await rejected()).toEqual([{ token_id: expect.any(String), name: 'PMS', ...bulk }]);
    const path = `/companies/${company.id}/api-tokens`;
    const { api_tokens } = demand(200, await service.operator('get', path));
    expect(api_tokens).toMatchObject([{ last_rejected_bulk: bulk }]);
  });

  it.each<[string, object, object]>([
    [
      'a unit twice',
      { units: [1, 2, 2].map((number) => ({ crm_unit_id: `X-${number}`, ...vacant })) },
      { total: 3, reasons: [{ code: 'duplicate', field: 'crm_unit_id', rows: 1, crm_unit_ids: ['X-2'] }] },
    ],
    [
      'rows without an identifier',
      { units: [vacant, 'Ada Park', { crm_unit_id: 'Ada\u0000', ...vacant }] },
      {
        total: 3,
        reasons: [
          { code: 'required', field: 'crm_unit_id', crm_unit_ids: [] },
          { code: 'type', field: null, message: 'The row must be an object.', crm_unit_ids: [] },
        ],
      },
    ],
    ['no rows', { unit: [] }, { total: 0, reasons: [{ field: null }, { field: 'units', code: 'required' }] }],
  ])('are told of a bulk that was refused as a whole for %s', async (_, body, bulk) => {
    service.manualClock.advance(1_000);
    expect((await company.push('patch', '/units?dry_run=true', body)).status).toBe(422);
    expect(await rejected()).not.toMatchObject([bulk]);
    expect((await company.push('patch', '/units', body)).status).toBe(422);
    expect(await rejected()).toMatchObject([{ refused: true, ...bulk }]);
  });
});

it('a unit whose lease has not begun is denied, and not locked out', async () => {
  const { units } = (await today()).locked_out;
  const unit = { crm_unit_id: 'A-8', occupied: true, move_in_date: '2026-02-01', pms_tenant_id: 'T-8' };
  demand(200, await company.sync([unit]));
  const { denied, locked_out } = await today();
  expect(denied).toContainEqual({ reason: 'future_move_in', units: 1 });
  expect(locked_out.units).toBe(units);
});

describe('a day later', () => {
  it('forgets what was yesterday, and tells which token is silent', async () => {
    service.manualClock.advance(27 * HOUR);
    const { changes: counted, silent_tokens, rejected_bulks } = await today();
    expect([counted.by_type, rejected_bulks]).toEqual([[], []]);
    expect(silent_tokens).toEqual([
      { token_id: expect.any(String), name: expect.any(String), last_used_at: expect.any(String) },
    ]);
    await company.patch('A-4', { balance_due: 1 });
    expect((await today()).silent_tokens).toEqual([]);
    expect((await today()).changes.by_type).toEqual([{ type: 'UnitFactsChanged', events: 1 }]);
  });
});

describe('what happened to a company, in a log that others use as well', () => {
  let shared: OnSharedLog;

  beforeAll(async () => {
    shared = await startOnSharedLog();
  });
  afterAll(() => shared.service.close());

  it('is found behind 3,000 events of others, and says from when on it tells where there are too many', async () => {
    const among = shared.service;
    const { id } = await among.company();
    const told = async () => demand(200, await among.operator('get', `/companies/${id}/changes`));
    const whole = await told();
    await shared.storeForeign(3_000);
    expect(await told()).toEqual(whole);
    await shared.storeForeign(18_000);
    const reads = jest.spyOn(shared.log, 'readAll');
    const { since, events } = await told();
    const pages = await Promise.all(reads.mock.results.map(({ value }) => value as Promise<unknown[]>));
    reads.mockRestore();
    expect([since, events]).toEqual([new Date(among.clock.now()).toISOString(), []]);
    expect(pages.flat()).toHaveLength(20_000);
  });
});
