import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { UnitRecordReader } from '#domain/history/unit-record.reader.js';
import { ActivityRecords } from '#domain/locks/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const MINUTE = 60_000;

let service: Service;
let company: Company;
let admin: Visitor;
let unit: string;
let gate: string;
let other: string;
let lock: string;

const add = async (path: string, body: object) => demand(201, await service.operator('post', path, body));
const put = async (path: string, body?: object) => demand(200, await service.operator('put', path, body));

async function tokenOf(pms_tenant_id: string): Promise<string> {
  const location_id = company.locations.get('MAIN')!;
  const [account] = await service
    .part(TenantAccounts)
    .find([{ company_id: company.id, location_id, pms_tenant_id }]);
  return (await service.part(TenantSessions).begin(account!)).token;
}

const OPENED = { event: 'unlock', result: 'success' };
const DENIED = { event: 'attempt', result: 'failure', failure_code: 'no_valid_key' };

async function tap(pms_tenant_id: string, where: string, body: object): Promise<void> {
  const token = await tokenOf(pms_tenant_id);
  service.manualClock.advance(MINUTE);
  demand(201, await service.call('post', `/api/v2/${where}/logs`, { token, body }));
}

/** The cells of the taps' rows without their times, and the headings of days. */
const rows = (): string[] => {
  const table = />Taps, newest first<\/caption>.*?(<tbody>.*?)<\/table>/s.exec(admin.html)?.[1] ?? '';
  const read = table.split('</tr>').map((row) =>
    row
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return read
    .filter(Boolean)
    .map((row) => row.replace(/^(?:\w{3} \d+, \d{4}, )?\d+:\d\d [AP]M (?:CST )?/, ''));
};

/** A-1 is open, opened, then locked out; B-1 is behind another gate. */
beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  demand(201, await company.moveIn('A-1', { pms_tenant_id: 'T-1' }));
  demand(201, await company.moveIn('B-1', { pms_tenant_id: 'T-2' }));
  const [{ unit_id }, { unit_id: behind }] = await Promise.all([company.unit('A-1'), company.unit('B-1')]);
  unit = `/dashboard/units/${unit_id}`;
  const site = `/locations/${company.locations.get('MAIN')}`;
  const { zone_id } = await add(`${site}/zones`, { name: 'Yard' });
  const { zone_id: far } = await add(`${site}/zones`, { name: 'Far' });
  await put(`/zones/${zone_id}/units/${unit_id}`);
  await put(`/zones/${far}/units/${behind}`);
  const north = { name: 'North gate', kind: 'gate', zone_ids: [zone_id, far] };
  ({ entry_point_id: gate } = await add(`${site}/entry-points`, north));
  const south = { name: 'South gate', kind: 'gate', zone_ids: [far] };
  ({ entry_point_id: other } = await add(`${site}/entry-points`, south));
  ({ lock_id: lock } = await add(`${site}/locks`, { name: 'Latch' }));
  await put(`/units/${unit_id}/locks/${lock}`);
  await tap('T-1', `locks/${lock}`, { ...OPENED, battery_percent: 80 });
  await tap('T-1', `entry-points/${gate}`, OPENED);
  await tap('T-2', `entry-points/${gate}`, OPENED);
  await tap('T-2', `entry-points/${other}`, OPENED);
  service.manualClock.advance(MINUTE);
  await company.patch('A-1', { balance_due: 102, paid_through_date: '2025-10-31' });
  await tap('T-1', `entry-points/${gate}`, DENIED);
  await tap('T-1', `entry-points/${gate}`, OPENED);
  service.manualClock.advance(120 * MINUTE);
  await tap('T-1', `locks/${lock}`, DENIED);
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

const DUE = 'Locked out: past due $102.00';

it('a unit’s activity shows the taps of its tenant at its gates, each with the access of then', async () => {
  await admin.visit(`${unit}/activity`);
  expect(rows()).toEqual([
    'Today',
    `Latch Denied: no valid key ${DUE} T-1`,
    `North gate Opened while locked out A-1 ${DUE} T-1`,
    `North gate Denied: no valid key ${DUE} T-1`,
    'North gate Opened Open T-1',
    'Latch Opened Open T-1',
  ]);
});

it('a row of a unit’s activity leads to the unit as it was at the tap', async () => {
  await admin.visit(`${unit}/activity`);
  const then = admin.links.filter((href) => href.startsWith(`${unit}?at=`)).slice(-5);
  await admin.visit(then[2]!);
  expect(admin.text).toContain('Locked out: $102.00 due');
  await admin.visit(then[3]!);
  expect(admin.text).toMatch(/Access Open/);
});

it.each(['', '/activity', '/history', '/setup'])(
  'the tabs of a unit count its taps and the entries of its history at “%s”',
  async (part) => {
    const entries = demand(200, await service.operator('get', `/units/${unit.split('/').at(-1)}/history`));
    await admin.visit(`${unit}${part}`);
    expect(admin.text).toContain(`Access Activity 5 History ${entries.entries.length} Set-up`);
  },
);

it('the tab of a unit that nobody opened counts no taps', async () => {
  demand(201, await company.moveIn('C-1', { pms_tenant_id: 'T-3' }));
  await admin.visit(`/dashboard/units/${(await company.unit('C-1')).unit_id}`);
  expect(admin.text).toMatch(/Access Activity History \d/);
});

it('a unit’s page draws taps at its gates', async () => {
  await admin.visit(unit);
  expect(admin.html).toMatch(/<title>North gate: Denied: no valid key, /);
  expect(admin.html).toMatch(/<title>North gate: Opened while locked out: A-1, /);
});

it('a unit’s printed report lists taps at its gates with the access of then', async () => {
  await admin.visit(`${unit}/report`);
  expect(admin.text).toContain('Taps at its locks and gates, newest first');
  expect(rows()[2]).toBe(`North gate Denied: no valid key ${DUE} T-1`);
});

it('a unit at a past instant lists the taps at its gates until then', async () => {
  const at = new Date(service.clock.now() - 60 * MINUTE).toISOString();
  await admin.visit(`${unit}?at=${at}`);
  expect(rows().slice(0, 2)).toEqual(['Dec 31, 2025', `North gate Opened while locked out A-1 ${DUE} T-1`]);
});

it('the file of a unit’s activity has taps at gates with the access of then', async () => {
  await admin.visit(`${unit}/activity.csv`);
  const lines = admin.html.trim().split('\r\n');
  expect(lines).toHaveLength(6);
  expect(lines[0]).toContain('entry_point_name');
  expect(lines[3]).toMatch(/,North gate,.*,no_valid_key,tenant_denied,delinquent,102,/);
});

it('a unit’s activity says times under their day, and the whole instant to whoever points at one', async () => {
  await admin.visit(`${unit}/activity`);
  expect(admin.text).toMatch(/Message Today 8:08 PM Latch/);
  expect(admin.html).toContain('title="Dec 31, 2025, 8:08:00 PM CST"');
});

it('a tap before the unit was behind the gate is not its own', async () => {
  const { unit_id } = await company.unit('B-1');
  await admin.visit(`/dashboard/units/${unit_id}/activity`);
  expect(rows()).toEqual(['Today', 'South gate Opened Open T-2', 'North gate Opened Open T-2']);
});

it('a lock’s last report is its newest tap, whether or not it told of the battery', async () => {
  await admin.visit(unit);
  expect(admin.text).toMatch(/Battery 80 %, Today 6:01 PM Last report Today 8:0\d PM/);
});

it('a unit’s activity reads the messages of its rows only', async () => {
  const texts = jest.spyOn(service.part(ActivityRecords), 'textsOf');
  await admin.visit(`${unit}/activity`);
  expect(texts.mock.calls.flatMap(([log_ids]) => log_ids)).toHaveLength(5);
  texts.mockRestore();
});

it('the tabs of a unit say where they counted no further', async () => {
  demand(201, await company.moveIn('D-1', { pms_tenant_id: 'T-4' }));
  for (let balance = 1; balance <= 200; balance += 1)
    demand(200, await company.patch('D-1', { balance_due: balance }));
  await admin.visit(`/dashboard/units/${(await company.unit('D-1')).unit_id}/setup`);
  expect(admin.text).toContain('History 200+');
});

describe('a denial, after the tenant has paid', () => {
  const CAUSE = `Denied: no valid key A-1 as it was then : ${DUE}`;
  const tenantPath = async () => {
    const { tenant } = demand(200, await service.operator('get', unit.replace('/dashboard', '')));
    return `/dashboard/tenants/${tenant.tenant_id as string}`;
  };

  beforeAll(async () => {
    service.manualClock.advance(MINUTE);
    await company.patch('A-1', { balance_due: 0 });
  });

  it('has its cause of then on the page of the gate, beside the units of now', async () => {
    await admin.visit(`/dashboard/entry-points/${gate}`);
    expect(rows().filter((row) => row.includes('Denied'))).toEqual([`T-1 A-1 Open ${CAUSE}`]);
  });

  it('has its cause of then on the page of the tenant, at a gate and at a lock', async () => {
    await admin.visit(await tenantPath());
    expect(rows().filter((row) => row.includes('Denied'))).toEqual([`${CAUSE} Latch`, `${CAUSE} North gate`]);
  });

  it('leads to the unit as it was at the tap', async () => {
    await admin.visit(`/dashboard/entry-points/${gate}`);
    await admin.visit(admin.links.find((href) => href.startsWith(`${unit}?at=`))!);
    expect(admin.text).toContain('Locked out: $102.00 due');
  });
});

describe('a denial of a tenant who came into another’s unit later', () => {
  const OWN = 'Denied: no valid key E-2 as it was then : Open';

  /** E-1 was another’s, who owed, when the tenant of E-2 was denied. */
  beforeAll(async () => {
    const { zone_id } = await add(`/locations/${company.locations.get('MAIN')}/zones`, { name: 'Lift' });
    for (const [name, pms_tenant_id] of [
      ['E-1', 'T-5'],
      ['E-2', 'T-6'],
    ] as const) {
      demand(201, await company.moveIn(name, { pms_tenant_id }));
      await put(`/zones/${zone_id}/units/${(await company.unit(name)).unit_id}`);
    }
    await put(`/zones/${zone_id}/entry-points/${other}`);
    await company.patch('E-1', { balance_due: 102, paid_through_date: '2025-10-31' });
    await tap('T-6', `entry-points/${other}`, DENIED);
    service.manualClock.advance(MINUTE);
    demand(200, await company.moveOut('E-1'));
    demand(200, await company.moveIn('E-1', { pms_tenant_id: 'T-6' }));
  });

  it('does not show that other’s debt as its cause on the page of the gate', async () => {
    await admin.visit(`/dashboard/entry-points/${other}`);
    expect(rows().filter((row) => row.includes('Denied'))).toEqual([expect.stringMatching(`${OWN}$`)]);
  });

  it('does not show that other’s debt as its cause on the page of the tenant', async () => {
    const { unit_id } = await company.unit('E-2');
    const { tenant } = demand(200, await service.operator('get', `/units/${unit_id}`));
    await admin.visit(`/dashboard/tenants/${tenant.tenant_id}`);
    expect(rows().filter((row) => row.includes('Denied'))).toEqual([`${OWN} South gate`]);
  });
});

it('the page of a gate reads the events of a denied tenant’s units once, though each bears on the others', async () => {
  const site = `/locations/${company.locations.get('MAIN')}`;
  demand(200, await service.operator('patch', site, { blanket_delinquency: true }));
  const names = ['F-1', 'F-2', 'F-3'];
  const { zone_id } = await add(`${site}/zones`, { name: 'Cellar' });
  await put(`/zones/${zone_id}/entry-points/${other}`);
  for (const name of names) {
    const { unit_id } = demand(201, await company.moveIn(name, { pms_tenant_id: 'T-7' }));
    await put(`/zones/${zone_id}/units/${unit_id as string}`);
  }
  await company.patch('F-2', { balance_due: 40, paid_through_date: '2025-10-31' });
  await tap('T-7', `entry-points/${other}`, DENIED);
  service.manualClock.advance(MINUTE);
  for (const name of names) await company.patch(name, { balance_due: 0 });
  const reads = jest.spyOn(service.part(UnitRecordReader), 'pagesOf');
  await admin.visit(`/dashboard/entry-points/${other}`);
  expect(admin.text).toContain('F-2 as it was then : Locked out: past due $40.00');
  const streams = reads.mock.calls.map(([stream]) => stream);
  expect(streams).toEqual([...new Set(streams)]);
  reads.mockRestore();
});

it('a tenant’s page says which gates open for the tenant, and why others do not', async () => {
  const { tenant: late } = demand(200, await service.operator('get', `/units/${unit.split('/').at(-1)}`));
  const { tenant } = demand(
    200,
    await service.operator('get', `/units/${(await company.unit('B-1')).unit_id}`),
  );
  await company.patch('A-1', { balance_due: 102 });
  await admin.visit(`/dashboard/tenants/${late.tenant_id}`);
  expect(admin.text).toContain('North gate No None of the tenant’s units behind it is open');
  expect(admin.text).not.toContain('South gate');
  await admin.visit(`/dashboard/tenants/${tenant.tenant_id}`);
  expect(admin.text).toContain('North gate Opens For B-1 South gate Opens For B-1');
  demand(200, await service.operator('patch', `/entry-points/${other}`, { in_service: false }));
  await admin.visit(`/dashboard/tenants/${tenant.tenant_id}`);
  expect(admin.text).toContain('South gate No Out of service');
});

it('a gate’s log says beside a denial how the units were then, and its file does not', async () => {
  await admin.visit(`/dashboard/entry-points/${gate}/log`);
  expect(admin.text).toContain(`Denied: no valid key A-1 as it was then : ${DUE}`);
  const { html } = await admin.visit(`/dashboard/entry-points/${gate}/log.csv`);
  expect(html).toMatch(/,Denied: no valid key\r\n/);
});
