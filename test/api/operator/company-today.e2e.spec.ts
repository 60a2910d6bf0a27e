import { Denials, LocationForecast, TenantAccessViews } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { GivenUpError } from '#kernel/yielder.js';
import { systemIds } from '#kernel/ids.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { CompanyToday } from '#api/operator/today/company-today.js';
import { PullScheduler, PullSources } from '#pull/index.js';
import { PullRuns } from '#pull/pull-runs.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../../support/service.js';
import { Visitor } from '../../dashboard/support/visitor.js';
import { type OnSharedLog, startOnSharedLog } from '../../support/shared-log.js';

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

describe("a company's Today", () => {
  it('counts events by type, units denied by reason, and units that will lose access', async () => {
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

  it('lists who is locked out, what they owe and how many days they are late', async () => {
    const { locked_out } = await today();
    expect(locked_out).toMatchObject({ tenants: 2, units: 2, owed: 189 });
    expect(locked_out.locations).toMatchObject([{ units: 2, owed: 189 }]);
    const [first, second] = locked_out.first;
    expect(first).toMatchObject({ unit_name: 'A-1', tenant_name: 'Ada Park', phone: null, balance_due: 189 });
    expect([first.days_late, second.days_late, second.reason]).toEqual([61, null, 'pms_lockout']);
  });

  it('counts as many events and units as the lists behind its numbers have', async () => {
    const { changes: counted, denied } = await today();
    for (const { type, events } of counted.by_type)
      expect([type, (await changes(`?type=${type}`)).events.length]).toEqual([type, events]);
    for (const { reason, units } of denied) {
      const query = `company_id=${company.id}&state=tenant_denied&reason=${reason}`;
      const list = demand(200, await service.operator('get', `/units?${query}`)).units;
      expect([reason, list.length]).toEqual([reason, units]);
    }
  });

  describe('after a lock failed and rightly refused a key', () => {
    let unit_id: string;

    beforeAll(async () => {
      const key = {
        company_id: company.id,
        location_id: company.locations.get('MAIN')!,
        pms_tenant_id: 'T-4',
      };
      const [account] = await service.part(TenantAccounts).find([key]);
      const { token } = await service.part(TenantSessions).begin(account!);
      ({ unit_id } = await company.unit('A-4'));
      const unlock = { event: 'unlock' };
      const entries = [
        { ...unlock, result: 'success' },
        { ...unlock, result: 'failure', failure_code: 'motor_jam' },
        { event: 'attempt', result: 'failure', failure_code: 'no_valid_key' },
      ];
      const body = { entries };
      demand(201, await service.call('post', `/api/v2/locks/${lock_id}/logs`, { token, body }));
    });

    it('lists the failure alone, even when its event is far behind those of others', async () => {
      const { eventStore } = service.stores;
      const newest = jest.spyOn(eventStore, 'readAll').mockResolvedValue([]);
      const { failures, changes: counted } = await today();
      newest.mockRestore();
      expect(counted.by_type).toEqual([]);
      const lock = { lock_id, unit_id, unit_name: 'A-4', name: 'L' };
      expect(failures).toEqual({
        failed: 1,
        first: [expect.objectContaining({ ...lock, event: 'unlock', failure_code: 'motor_jam' })],
      });
    });

    it('shows the failure on its page', async () => {
      const admin = await Visitor.signedIn(service);
      await admin.visit(`/dashboard?company_id=${company.id}`);
      expect(admin.text).toMatch(/Failed: motor jam L, A-4 , /);
      expect(admin.text).not.toMatch(/too many to count|Only taps since/);
    });
  });

  it('says on its page how far back it looked when others have written too much', async () => {
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

  it('reads at most 500 events of the log', async () => {
    const readAll = jest.spyOn(service.stores.eventStore, 'readAll');
    await today();
    const limits = readAll.mock.calls.map(([{ limit }]) => limit);
    readAll.mockRestore();
    expect(limits).toEqual([500]);
  });

  it('reads only tenants who are denied or will lose access', async () => {
    const { views } = service.stores;
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
    spy.mockRestore();
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

  it('decides due changes of this company alone', async () => {
    const sweep = jest.spyOn(service.part(TenantAccessViews), 'sweep');
    await today();
    const asked = sweep.mock.calls;
    sweep.mockRestore();
    expect(asked).toEqual([[[company.id]]]);
  });

  it('is computed under the deadline of its request', async () => {
    const asked = jest.spyOn(service.part(CompanyToday), 'readToday');
    await today();
    const [[, , { deadline }]] = asked.mock.calls as [Parameters<CompanyToday['readToday']>];
    asked.mockRestore();
    expect(deadline).toHaveProperty('isOver');
  });

  describe('past the deadline of its request', () => {
    const over = { isOver: true };

    it('is given up', async () => {
      const digest = service.part(CompanyToday);
      await expect(
        digest.readToday(company.id, service.part(CompanyClocks).worldClock, {
          scope: { companies: null, sites: null },
          deadline: over,
        }),
      ).rejects.toThrow(GivenUpError);
    });

    it('gives up the forecast of a location', async () => {
      const [location] = await service.part(LocationDirectory).locationsOfCompany(company.id);
      const losing = service.part(LocationForecast).losing(location!, 7, over);
      await expect(losing).rejects.toThrow(GivenUpError);
    });

    it('gives up the count of denied units', async () => {
      const [location] = await service.part(LocationDirectory).locationsOfCompany(company.id);
      const denied = service.part(Denials).findDenials(company.id, [location!._id], 1, over);
      await expect(denied).rejects.toThrow(GivenUpError);
    });
  });
});

describe('the changes of a company', () => {
  it('come in pages, the newest first', async () => {
    const whole = (await changes()).events.map(({ id }: { id: string }) => id);
    const paged: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = await changes(`?limit=2${next === '' ? '' : `&cursor=${next}`}`);
      paged.push(...page.events.map(({ id }: { id: string }) => id));
      next = page.next_cursor;
    }
    expect(paged).toEqual(whole);
    expect([...whole].sort((one, other) => Number(BigInt(other) - BigInt(one)))).toEqual(whole);
  });

  it('refuse the cursor of another list', async () => {
    const { next_cursor } = await changes('?limit=1&type=UnitFactsChanged');
    const foreign = await service.operator('get', `/companies/${company.id}/changes?cursor=${next_cursor}`);
    expect(foreign.status).toBe(422);
  });

  it('refuse a cursor without a read of the log', async () => {
    const readAll = jest.spyOn(service.stores.eventStore, 'readAll');
    const refused = await service.operator('get', `/companies/${company.id}/changes?cursor=none`);
    const fromTheEnd = readAll.mock.calls.filter(([range]) => range.backwards === true);
    readAll.mockRestore();
    expect([refused.status, fromTheEnd]).toEqual([422, []]);
  });
});

describe('pull sources on Today', () => {
  const MINUTE = 60_000;
  const none = { last_run_at: null, last_run_errors: 0, last_run_total: 0, reasons: [] };
  const trouble = async () => (await today()).troubled_pull_sources;
  const changeSource = (id: string, change: object) => service.part(PullSources).change(id, () => change);

  /** One that nobody asks: what is said of it is what the test has written. */
  async function add(name: string, company_id = company.id): Promise<string> {
    const body = { name, url: 'https://pms.invalid/units', interval_seconds: 86_400 };
    const added = await service.operator('post', `/companies/${company_id}/pull-sources`, body);
    const { pull_source_id } = demand(201, added);
    demand(200, await service.operator('patch', `/pull-sources/${pull_source_id}`, { enabled: false }));
    await service.part(PullScheduler).settled();
    await changeSource(pull_source_id, { enabled: true });
    return pull_source_id;
  }

  /** Stores a run of a source, begun so many milliseconds from now. */
  async function storeRun(source: string, run: object, fromNow = 0): Promise<string> {
    const runs = service.part(PullRuns);
    const begun_at = service.clock.now() + fromNow;
    const draft = runs.draft(systemIds.ulid(), { _id: source, company_id: company.id }, begun_at);
    await runs.insert({ ...draft, ...run });
    return draft._id;
  }

  const FAILURE = { code: 'timeout', message: 'No answer within 30 s.' } as const;
  const failedNow = () => ({ state: 'failed', finished_at: service.clock.now(), failure: FAILURE });

  let source: string;
  beforeEach(async () => {
    source = await add('Units');
  });
  afterEach(async () => {
    // The scheduler looks for what is due when a source is changed.
    await changeSource(source, { next_run_at: null });
    demand(200, await service.operator('patch', `/pull-sources/${source}`, { enabled: false }));
  });

  it('are left out while they are well', async () => {
    expect(await trouble()).toEqual([]);
  });

  it('are late when a run is due for more than five minutes', async () => {
    await changeSource(source, { next_run_at: service.clock.now() - 6 * MINUTE });
    expect(await trouble()).toEqual([
      { pull_source_id: source, name: 'Units', late: true, last_run_failed: false, ...none },
    ]);
  });

  it('are not late when a run is due for less', async () => {
    await changeSource(source, { next_run_at: service.clock.now() - 4 * MINUTE });
    expect(await trouble()).toEqual([]);
  });

  it('are named with the failure of their last run', async () => {
    await changeSource(source, { run_id: await storeRun(source, failedNow()) });
    const last_run_at = new Date(service.clock.now()).toISOString();
    const ended = { ...none, last_run_at, reasons: [FAILURE.message] };
    expect(await trouble()).toEqual([
      { pull_source_id: source, name: 'Units', late: false, last_run_failed: true, ...ended },
    ]);
  });

  it('are named with the failed run while the next ones run or wait', async () => {
    await storeRun(source, failedNow());
    const run_id = await storeRun(source, { state: 'running' }, 1);
    await storeRun(source, { state: 'queued' }, 2);
    await changeSource(source, { run_id });
    expect(await trouble()).toMatchObject([{ pull_source_id: source, last_run_failed: true }]);
  });

  it('are named with the first reasons for which their last run rejected entries', async () => {
    const told = ['units.0.a: One.', 'units.1.a: One.', 'units.2: Two.', 'Three.', 'Four.'];
    const errors = told.map((error) => ({ crm_unit_id: 'A', error, code: 'no' }));
    const run = { state: 'succeeded', total: 9, error_count: 7, errors };
    await changeSource(source, { run_id: await storeRun(source, run) });
    const counted = { last_run_failed: false, last_run_errors: 7, last_run_total: 9 };
    expect(await trouble()).toMatchObject([{ ...counted, reasons: ['One.', 'Two.', 'Three.'] }]);
  });

  it('are left out when they are switched off', async () => {
    await changeSource(source, { run_id: await storeRun(source, failedNow()) });
    demand(200, await service.operator('patch', `/pull-sources/${source}`, { enabled: false }));
    expect(await trouble()).toEqual([]);
  });

  it('of a sandbox are late by its own clock', async () => {
    const body = { name: 'Trial', sandbox: true };
    const { company_id } = demand(201, await service.operator('post', '/companies', body));
    const path = `/companies/${company_id}`;
    demand(200, await service.operator('post', `${path}/clock`, { advance_seconds: 86_400 }));
    const late = await add('Late', company_id);
    const due = service.clock.now() + 23 * HOUR;
    await changeSource(late, { next_run_at: due });
    const { troubled_pull_sources } = demand(200, await service.operator('get', `${path}/today`));
    expect(troubled_pull_sources).toMatchObject([{ pull_source_id: late, late: true }]);
    const { pull_sources } = demand(200, await service.operator('get', `${path}/pull-sources`));
    expect(pull_sources).toMatchObject([{ pull_source_id: late, late: true }]);
    await changeSource(late, { next_run_at: null });
  });
});

describe('rows of a push that were rejected', () => {
  const rejected = async () => (await today()).rejected_bulks;
  const [vacant, silly] = [{ occupied: false }, { occupied: true, 'Ada Park': 1 }];

  it('are not told of a dry run', async () => {
    demand(200, await company.sync([{ crm_unit_id: 'A-9', ...vacant }]));
    const units = [{ crm_unit_id: 'A-9', balance_due: 'Ada' }];
    demand(200, await company.push('patch', '/units?dry_run=true', { units }));
    expect(await rejected()).toEqual([]);
  });

  it('are told of the newest bulk with the token and the first reasons, without values', async () => {
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
  ])('are told of a bulk, but of no dry run, that was refused as a whole for %s', async (_, body, bulk) => {
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
  beforeAll(() => service.manualClock.advance(27 * HOUR));

  it('Today has left out the events and the rejected rows of yesterday', async () => {
    const { changes: counted, rejected_bulks } = await today();
    expect([counted.by_type, rejected_bulks]).toEqual([[], []]);
  });

  it('Today names a token that was silent since', async () => {
    expect((await today()).silent_tokens).toEqual([
      { token_id: expect.any(String), name: expect.any(String), last_used_at: expect.any(String) },
    ]);
  });

  it('Today no longer names a token that wrote again, and counts what it wrote', async () => {
    await company.patch('A-4', { balance_due: 1 });
    const { silent_tokens, changes: counted } = await today();
    expect(silent_tokens).toEqual([]);
    expect(counted.by_type).toEqual([{ type: 'UnitFactsChanged', events: 1 }]);
  });
});

describe('the changes of a company in a log that others use as well', () => {
  let shared: OnSharedLog;
  let company_id: string;
  const told = async () =>
    demand(200, await shared.service.operator('get', `/companies/${company_id}/changes`));

  beforeAll(async () => {
    shared = await startOnSharedLog();
    company_id = (await shared.service.company()).id;
  });
  afterAll(() => shared.service.close());

  it('are found behind 3,000 events of others', async () => {
    const whole = await told();
    await shared.storeForeign(3_000);
    expect(await told()).toEqual(whole);
  });

  it('are searched in 20,000 events, and the answer says since when', async () => {
    await shared.storeForeign(21_000);
    const reads = jest.spyOn(shared.log, 'readAll');
    const { since, events } = await told();
    const pages = await Promise.all(reads.mock.results.map(({ value }) => value as Promise<unknown[]>));
    reads.mockRestore();
    expect([since, events]).toEqual([new Date(shared.service.clock.now()).toISOString(), []]);
    expect(pages.flat()).toHaveLength(20_000);
  });
});
