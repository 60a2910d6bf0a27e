import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DescribedRoutes } from '#web/openapi/described-routes.js';
import { Announcer } from '#domain/announcements/index.js';
import { PullScheduler } from '#pull/index.js';
import { json, occupied, SourceServer, status } from '../../pull/support/source-server.js';
import { demand, Service } from '../../support/service.js';

const PHONE = { country_code: '1', phone_number: '3125550100' };
const REQUESTS = 'http_request_duration_seconds_count';
const OPERATION = join(__dirname, '..', '..', '..', 'docs', 'operation');

let service: Service;
beforeAll(async () => {
  service = await Service.start({ environment: { RATE_LIMIT_PMS_BULK: '2', PULL_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => service.close());

/** Every series with its value, in the words of the exposition format. */
async function scrape(): Promise<Map<string, number>> {
  // Within a second, all are answered the same text.
  service.manualClock.advance(1_000);
  const { status, headers, text } = await service.call('get', '/metrics');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

/** What of some series has been added since `before`, without those of which nothing has. */
function since(before: Map<string, number>, after: Map<string, number>, name: string) {
  const grown = [...after].map(([series, value]) => [series, value - (before.get(series) ?? 0)] as const);
  const of = grown.filter(([series, by]) => series.startsWith(`storage_access_${name}`) && by > 0);
  return Object.fromEntries(of.map(([series, by]) => [series.slice('storage_access_'.length), by]));
}

async function code(): Promise<string> {
  const lines = await readFile(join(service.path, 'sms-outbox.ndjson'), 'utf8');
  return /\d{6}/.exec((JSON.parse(lines.trim().split('\n').at(-1)!) as { body: string }).body)![0];
}

it('begins each count of decisions and of refusals by a limit at 0', async () => {
  const series = await scrape();
  const countsOf = (name: string) => {
    const whole = `storage_access_${name}{`;
    const found = [...series].filter(([key]) => key.startsWith(whole));
    return new Map(found.map(([key, value]) => [key.slice(whole.length, -1), value]));
  };
  const decisions = countsOf('decisions_total');
  const limits = countsOf('rate_limited_total');
  expect([...decisions.keys()].sort()).toEqual([
    'state="auction",reason="none"',
    'state="tenant_denied",reason="blanket_delinquency"',
    'state="tenant_denied",reason="delinquent"',
    'state="tenant_denied",reason="future_move_in"',
    'state="tenant_denied",reason="pms_lockout"',
    'state="tenant_denied",reason="system_lockout"',
    'state="tenant_permitted",reason="active"',
    'state="tenant_permitted",reason="pms_exempt"',
    'state="tenant_permitted",reason="system_exempt"',
    'state="unrentable",reason="none"',
  ]);
  expect([...limits.keys()]).toEqual(
    expect.arrayContaining(['policy="pms-bulk"', 'policy="pms-write"', 'policy="otp-cooldown"']),
  );
  expect(new Set([...decisions.values(), ...limits.values()])).toEqual(new Set([0]));
});

it('counts requests by the route, the decisions that they brought, and what was appended for them', async () => {
  // Announcements are appended by the background, at any time.
  await service.part(Announcer).stop();
  const company = await service.company();
  const before = await scrape();
  await company.moveIn('A 1');
  await company.moveIn('A 2', { pms_tenant_id: 't-2' });
  await company.patch('A 1', { pms_lockout: true });
  await company.patch('A 1', { pms_lockout: true });
  await company.push('get', '/units/nobody');
  const after = await scrape();
  expect(since(before, after, `${REQUESTS}{method="P`)).toEqual({
    [`${REQUESTS}{method="PUT",route="/api/v2/units/:crm_unit_id/tenancy",status="201"}`]: 2,
    [`${REQUESTS}{method="PATCH",route="/api/v2/units/:crm_unit_id",status="200"}`]: 2,
  });
  expect(since(before, after, `${REQUESTS}{method="GET"`)).toMatchObject({
    [`${REQUESTS}{method="GET",route="/api/v2/units/:crm_unit_id",status="404"}`]: 1,
  });
  expect(since(before, after, 'decisions_total')).toEqual({
    'decisions_total{state="tenant_permitted",reason="active"}': 2,
    'decisions_total{state="tenant_denied",reason="pms_lockout"}': 1,
  });
  expect(since(before, after, 'appends_total')).toEqual({ 'appends_total{outcome="appended"}': 3 });
  const created = (await company.unitEvents()).length;
  expect(since(before, after, 'events_appended_total')).toEqual({ events_appended_total: created });
  expect(since(before, after, 'commit_wait_seconds_count{store="log"')).toEqual({
    'commit_wait_seconds_count{store="log"}': 3,
  });
  expect(after.get('storage_access_projection_stalled')).toBe(0);
  expect(after.get('storage_access_projection_lag_events')).not.toBeNaN();
  expect(after.get('storage_access_projection_lag_seconds')).toBeGreaterThanOrEqual(0);
});

it('counts what the calendar alone changes', async () => {
  const company = await service.company();
  await company.moveIn('A');
  const today = new Date(service.clock.now()).toISOString().slice(0, 10);
  await company.patch('A', { balance_due: 10, paid_through_date: today });
  const before = await scrape();
  service.manualClock.advance(7 * 24 * 3_600_000);
  await company.list('state=tenant_denied');
  expect(since(before, await scrape(), 'decisions_total')).toEqual({
    'decisions_total{state="tenant_denied",reason="delinquent"}': 1,
  });
});

it('counts codes as they were answered, and what limits refused', async () => {
  const company = await service.company();
  const tenant = { pms_tenant_id: 't', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  await company.sync([{ crm_unit_id: 'A', occupied: true, move_in_date: '2025-12-01', tenant }]);
  const ask = (body: object) => service.call('post', '/api/v2/auth/phone', { body });
  const attempt = (otp: string) =>
    service.call('post', '/api/v2/auth/verify-otp', { body: { ...PHONE, otp } });
  const before = await scrape();
  await ask(PHONE);
  await ask(PHONE);
  await ask({ ...PHONE, phone_number: '3125550199' });
  const right = await code();
  await attempt(right === '000000' ? '000001' : '000000');
  await attempt(right);
  for (let time = 1; time <= 3; time += 1) await company.sync([{ crm_unit_id: 'B', occupied: false }]);
  const after = await scrape();
  expect(since(before, after, 'login_')).toEqual({
    'login_codes_total{outcome="sent"}': 1,
    'login_codes_total{outcome="cooling_down"}': 1,
    'login_codes_total{outcome="unknown_phone"}': 1,
    'login_tries_total{outcome="refused"}': 1,
    'login_tries_total{outcome="accepted"}': 1,
  });
  expect(since(before, after, 'rate_limited_total')).toEqual({
    'rate_limited_total{policy="otp-cooldown"}': 1,
    'rate_limited_total{policy="pms-bulk"}': 2,
  });
});

it('counts runs of pull sources by how they ended, their time, and what became of their units', async () => {
  const company = await service.company();
  await company.moveIn('pushed');
  const before = await scrape();
  const source = await SourceServer.start();
  try {
    const body = { name: 'Main PMS', url: source.url(), interval_seconds: 60 };
    const added = demand(201, await service.operator('post', `/companies/${company.id}/pull-sources`, body));
    const run = async () => {
      demand(202, await service.operator('post', `/pull-sources/${added.pull_source_id}/runs`));
      await service.part(PullScheduler).settled();
    };
    source.next(json({ units: [occupied('A'), occupied('B'), occupied('pushed')] }));
    await run();
    source.next(json({ units: [occupied('A'), occupied('B', { pms_lockout: true })] }));
    await run();
    source.next(status(404));
    await run();
    demand(200, await service.operator('patch', `/pull-sources/${added.pull_source_id}`, { enabled: false }));
  } finally {
    await source.close();
  }
  const after = await scrape();
  expect(since(before, after, 'pull_runs_total')).toEqual({
    'pull_runs_total{outcome="succeeded"}': 2,
    'pull_runs_total{outcome="http_status"}': 1,
  });
  expect(since(before, after, 'pull_run_duration_seconds_count')).toEqual({
    pull_run_duration_seconds_count: 3,
  });
  expect(since(before, after, 'pull_units_total')).toEqual({
    'pull_units_total{outcome="created"}': 2,
    'pull_units_total{outcome="updated"}': 1,
    'pull_units_total{outcome="unchanged"}': 1,
    'pull_units_total{outcome="refused"}': 1,
  });
  const grown = [...after.keys()].filter((series) => !before.has(series));
  expect(grown.filter((series) => series.startsWith('storage_access_pull'))).toEqual([]);
});

it('has labels that no caller chooses, whatever the paths, and tells of nobody', async () => {
  const company = await service.company();
  await company.moveIn('secret unit', { pms_tenant_id: 'secret-tenant' });
  const hostile = (n: number) => [
    `/${n}`,
    `/api/v2/units/${n}`,
    `/api/v2/units/${n}/tenancy/${n}`,
    `/api/v9${n}/units?secret=${n}`,
    `/dashboard/${n}/%00%ff`,
    `/metrics/${n}`,
    `/docs/assets/secret${n}`,
    `//secret${n}`,
  ];
  const strike = async (n: number) => {
    for (const path of hostile(n)) await service.call('get', path, { token: company.token });
  };
  await strike(1);
  await scrape();
  const before = await scrape();
  for (let n = 2; n < 12; n += 1) await strike(n);
  const after = await scrape();
  // Node's own series are not ours: one of each kind of collection begins with the first of that kind.
  const ours = [...after.keys()].filter((series) => !series.startsWith('nodejs_'));
  expect(ours.filter((series) => !before.has(series))).toEqual([]);
  expect([...after.keys()].filter((series) => /secret(?!_unreadable)|\d{6}|"\/\d/.test(series))).toEqual([]);
});

it('is rendered once a second, however many ask', async () => {
  service.manualClock.advance(1_000);
  const read = async () => (await service.call('get', '/metrics')).text;
  const [first, ...others] = await Promise.all([read(), read(), read()]);
  others.push(await read());
  expect([...new Set(others)]).toEqual([first]);
  service.manualClock.advance(1_000);
  expect(await read()).not.toBe(first);
});

it('does not grow by the routes and refusals that callers without a credential choose', async () => {
  const guarded = service
    .part(DescribedRoutes)
    .all()
    .filter(({ options }) => options.admitted.length > 0);
  expect(guarded.length).toBeGreaterThan(100);
  const before = await scrape();
  for (const { method, path } of guarded) await service.call(method, path);
  for (const body of [{}, '{', []]) await service.call('post', '/api/v2/auth/phone', { body });
  const grown = since(before, await scrape(), REQUESTS);
  const known = Object.entries(grown).filter(([series]) => !series.includes('route="none"'));
  expect(Object.fromEntries(known)).toEqual({
    [`${REQUESTS}{method="GET",route="/metrics",status="200"}`]: 1,
    [`${REQUESTS}{method="POST",route="/api/v2/auth/phone",status="4xx"}`]: 3,
  });
  const statuses = Object.keys(grown).map((series) => /status="(\w+)"/.exec(series)![1]!);
  expect(new Set(statuses)).toEqual(new Set(['200', '4xx']));
});

it('has every metric that the dashboard and the alerts name', async () => {
  const known = new Set([...(await scrape()).keys()].map((series) => series.split('{')[0]!));
  const { text } = await service.call('get', '/metrics');
  for (const [, name] of text.matchAll(/^# TYPE (\w+)/gm)) {
    for (const end of ['', '_bucket', '_count', '_sum']) known.add(`${name}${end}`);
  }
  const dashboard = JSON.parse(readFileSync(join(OPERATION, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const alerts = parse(readFileSync(join(OPERATION, 'alerts.yml'), 'utf8')) as {
    groups: { rules: { expr: string }[] }[];
  };
  const asked = [
    ...dashboard.panels.flatMap(({ targets }) => targets),
    ...alerts.groups.flatMap(({ rules }) => rules),
  ];
  const named = asked.flatMap(({ expr }) => expr.match(/\b(?:storage_access|process|nodejs)_\w+/g) ?? []);
  expect(named.length).toBeGreaterThanOrEqual(asked.length - 1);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('has every outcome that the alerts select', async () => {
  const alerts = readFileSync(join(OPERATION, 'alerts.yml'), 'utf8');
  const series = [...(await scrape()).keys()];
  const selectors = [...alerts.matchAll(/(storage_access_\w+)\{outcome(=~?)"([^"]+)"\}/g)];
  const absent = selectors.flatMap(([, name, , outcomes = '']) =>
    outcomes
      .split('|')
      .filter(
        (outcome) =>
          !series.some((one) => one.startsWith(`${name}{`) && one.includes(`outcome="${outcome}"`)),
      ),
  );
  expect(selectors.length).toBeGreaterThanOrEqual(6);
  expect(absent).toEqual([]);
});
