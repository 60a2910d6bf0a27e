import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const DAY = 24 * 60 * 60_000;

let service: Service;
let company: Company;
let location: string;
let admin: Visitor;
let unit: (name: string) => Promise<string>;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', grace_period_days: 5 });
  location = `/dashboard/locations/${company.locations.get('MAIN')}`;
  unit = async (name) => `/dashboard/units/${(await company.unit(name)).unit_id}`;
  const tenant = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  await company.sync([
    { crm_unit_id: 'A-101', occupied: true, move_in_date: '2025-10-01', tenant },
    { crm_unit_id: 'A-102', occupied: false },
    // A lease to come locks nobody out.
    { crm_unit_id: 'A-103', occupied: true, move_in_date: '2026-12-01', pms_tenant_id: 'T-3' },
  ]);
  // Grace ends on the 3rd of January 2026.
  await company.patch('A-101', { balance_due: 189, paid_through_date: '2025-12-29' });
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

it('a location tells who will lose access in the next days', async () => {
  await admin.visit(`${location}/forecast`);
  expect(admin.text).toContain('1 unit will be locked.');
  expect(admin.text).toContain(
    'Jan 4, 2026 A-101 Ada Park +1 312-555-0100 $189.00 Open Locked out: past due',
  );
});

it('a unit that is due to lock says on which day, for which debt, and has a message for the tenant', async () => {
  await admin.visit(await unit('A-101'));
  expect(admin.text).toContain('Locks on Jan 4, 2026 unless $189.00 is paid.');
  expect(admin.text).toMatch(
    /is open\. It locks on Jan 4, 2026 unless \$189\.00 is paid\. Text it Copy message/,
  );
  await admin.visit(await unit('A-102'));
  expect(admin.text).not.toContain('Copy message');
});

describe('a policy', () => {
  it('is tested on the past, and the form keeps what was typed', async () => {
    service.manualClock.advance(2 * DAY);
    admin = await Visitor.signedIn(service);
    await admin.visit(`${location}/policy`);
    const { action, values } = admin.form('policy');
    expect(admin.text).toContain('Preview against the last 90 days');
    await admin.post(`${action}/try`, { ...values, grace_period_days: '0' });
    expect(admin.shown.status).toBe(200);
    expect(admin.text).toContain('1 unit locked out, 0 kept open.');
    expect(admin.text).toContain(
      '1 tenant would have been locked out in the last 2 days instead of 0. The history begins Jan 1, 2026.',
    );
    expect(admin.text).toMatch(/A-101 Ada Park [^$]* Open Locked out: past due/);
    expect(admin.text.match(/would have/gi)).toHaveLength(2);
    expect(admin.form('policy').values['grace_period_days']).toBe('0');
    await admin.visit(`${location}/policy`);
    expect(admin.form('policy').values['grace_period_days']).toBe('5');
  });

  it('is tested and applied in three clicks from Today', async () => {
    await admin.visit('/dashboard');
    expect(admin.links).toContain(`${location}/policy`);
    await admin.visit(`${location}/policy`);
    const { action, values } = admin.form('policy');
    await admin.post(`${action}/try`, values);
    expect(admin.forms).not.toContain('apply');
    await admin.post(`${action}/try`, { ...values, grace_period_days: '20' });
    expect(admin.html.indexOf('id="form-apply"')).toBeLessThan(admin.html.indexOf('No difference.'));
    expect(admin.text).toContain('Apply: locks 0 units, opens 0');
    await admin.submit('apply');
    expect(admin.text).toContain('Policy saved: 0 locked, 0 opened.');
    expect(admin.form('policy').values['grace_period_days']).toBe('20');
    await admin.submit('policy', { grace_period_days: '5' });
    await admin.submit('apply');
  });

  it('is previewed before it is saved, which does what the preview said', async () => {
    await admin.visit(`${location}/policy`);
    await admin.submit('policy', { grace_period_days: '0' });
    expect(admin.text).toContain('It locks 1 unit of 1 tenant, at once.');
    expect(admin.html.indexOf('id="form-apply"')).toBeLessThan(admin.html.indexOf('Settings that change'));
    expect(admin.text).toContain('Days of grace 5 days 0 days');
    expect(admin.text).toContain('Ada Park A-101 $189.00 Open Locked out: past due');
    expect(admin.form('policy').values['grace_period_days']).toBe('0');
    expect(await company.access('A-101')).toBe('tenant_permitted active');
    await admin.submit('apply');
    expect(admin.text).toContain('Policy saved: 1 locked, 0 opened.');
    expect(await company.access('A-101')).toBe('tenant_denied delinquent');
    await admin.submit('policy', { grace_period_days: '5' });
    expect(admin.text).toContain('Apply: locks 0 units, opens 1');
  });

  it('is not saved where units have changed since its preview', async () => {
    await company.patch('A-101', { balance_due: 0 });
    await admin.submit('apply');
    expect(admin.text).toContain(
      'Not saved: units have changed since the preview, which said “locks 0 units, opens 1”',
    );
    expect(admin.text).toContain('No unit is locked or opened by it today.');
    await admin.submit('apply');
    expect(admin.text).toContain('Policy saved: 0 locked, 0 opened.');
    expect(admin.form('policy').values['grace_period_days']).toBe('5');
    await company.patch('A-101', { balance_due: 189 });
  });
});

it('a unit tells who wrote what its checks looked at', async () => {
  await admin.visit(await unit('A-101'));
  expect(admin.text).toMatch(/Balance \$189\.00 by API token PMS, \S+ \d, 2026/);
});

it('a slider leads to the page as it was', async () => {
  await admin.visit(`${await unit('A-101')}/history`);
  const { action, values } = admin.form('slider');
  expect(admin.html).toMatch(/<output for="slider-minute">Jan \d, 2026[^<]*: (Open|Locked out: past due)</);
  await admin.visit(`${action}?minute=${String(values['minute'])}`);
  expect(admin.shown.path).toContain('?at=2026-01-03T');
  expect(admin.text).toContain('As it was on');
});

it('a unit that was made by mistake is retired and brought back', async () => {
  await admin.visit(`${await unit('A-101')}/setup`);
  expect(admin.forms).not.toContain('retire');
  const vacant = `${await unit('A-102')}/setup`;
  await admin.visit(vacant);
  await admin.submit('retire');
  expect(admin.text).toContain('Retired: lists and integrators do not see it.');
  await admin.submit('revive');
  expect(admin.text).not.toContain('Retired:');
});

it('a forecast tells apart how often access is lost and what else the calendar changes', async () => {
  const other = await service.company({ pms_location_code: 'MAIN' });
  await other.sync([
    { crm_unit_id: 'B-1', occupied: true, pms_tenant_id: 'T-1', move_in_date: '2025-10-01' },
  ]);
  const { unit_id } = await other.unit('B-1');
  const expires_at = new Date(service.clock.now() + 2 * DAY).toISOString();
  const override = { override: 'lockout', reason: 'Left the gate open', expires_at };
  demand(200, await service.operator('put', `/units/${unit_id}/override`, override));
  await admin.visit(`/dashboard/locations/${other.locations.get('MAIN')}/forecast`);
  expect(admin.text).toContain('No lockouts expected; 1 other change.');
});
