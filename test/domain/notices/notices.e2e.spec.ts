import { NoticeRecords, switchOffNotices } from '#domain/notices/index.js';
import { demand, Service } from '../../support/service.js';
import { DAY, HOUR, MINUTE, ToldTenants } from './support/told-tenants.js';

const PHONE = '+13125550111';
const ALL = { welcome: true, closes_in_days: 3, closed: true, opened: true };
const OWING = { balance_due: 50, paid_through_date: '2025-12-20' };
const PAID = { balance_due: 0, paid_through_date: '2026-12-31' };

let service: Service;
let told: ToldTenants;

/** It is ten o'clock at the site. */
beforeEach(async () => {
  service = await Service.start();
  told = await ToldTenants.start(service);
});
afterEach(() => service.close());

/** A tenant with a phone who rents a unit, and knows all that there is to know. */
async function rent(...keys: readonly string[]): Promise<string> {
  const tenant_id = await told.addTenant('t-1', PHONE);
  for (const key of keys) demand(201, await told.company.moveIn(key));
  await told.pass(MINUTE);
  return tenant_id;
}

test('Nothing is told until texts are switched on', async () => {
  await rent('A-1');
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(HOUR);
  expect(await told.texts()).toEqual([]);
});

test('A unit that closes is told after a quarter of an hour, to its tenant’s phone', async () => {
  const tenant_id = await rent('A-1');
  await told.switchOn({ closed: true });
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(14 * MINUTE);
  expect(await told.texts()).toEqual([]);
  await told.pass(MINUTE);
  const body = 'Main St: unit A-1 is closed. You owe $50.00.';
  expect(await told.texts()).toEqual([{ to: PHONE, body }]);
  expect(await told.events(tenant_id)).toEqual([{ kind: 'closed', outcome: 'sent' }]);
  await told.pass(DAY);
  expect(await told.texts()).toHaveLength(1);
});

test('A unit that was closed when texts were switched on is not told, its opening is', async () => {
  await rent('A-1');
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(MINUTE);
  await told.switchOn({ closed: true, opened: true });
  await told.pass(HOUR);
  expect(await told.texts()).toEqual([]);
  demand(200, await told.company.patch('A-1', PAID));
  await told.pass(15 * MINUTE);
  expect(await told.bodies()).toEqual(['Main St: unit A-1 is open again.']);
});

test('A unit that was closed when texts were switched on is not told when only the reason changes', async () => {
  await told.switchOn({ opened: true });
  await rent('A-1');
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(MINUTE);
  await told.switchOn({ closed: true, opened: true });
  await told.pass(MINUTE);
  demand(200, await told.company.patch('A-1', { pms_lockout: true }));
  await told.pass(MINUTE);
  await told.pass(HOUR);
  expect(await told.texts()).toEqual([]);
});

test('Several units that close together are told in one text', async () => {
  await rent('A-1', 'A-2');
  await told.switchOn({ closed: true });
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(20 * MINUTE);
  expect(await told.bodies()).toEqual(['Main St: units A-1 and A-2 are closed. You owe $50.00.']);
});

test('A unit that closes at midnight is told at eight in the morning', async () => {
  await rent('A-1');
  await told.switchOn({ closed: true });
  demand(200, await told.company.patch('A-1', { balance_due: 50, paid_through_date: '2025-12-27' }));
  await told.pass(14 * HOUR + 30 * MINUTE);
  expect(await told.texts()).toEqual([]);
  await told.pass(7 * HOUR + 30 * MINUTE);
  expect(await told.bodies()).toEqual(['Main St: unit A-1 is closed. You owe $50.00.']);
});

test('A unit that opens again within the night is not told', async () => {
  await rent('A-1');
  await told.switchOn(ALL);
  demand(200, await told.company.patch('A-1', { balance_due: 50, paid_through_date: '2025-12-27' }));
  // Its closing on the next day is told before.
  await told.pass(MINUTE);
  await told.pass(15 * MINUTE);
  await told.pass(15 * HOUR);
  demand(200, await told.company.patch('A-1', PAID));
  await told.pass(10 * HOUR);
  expect(await told.bodies()).toEqual(['Main St: unit A-1 closes on Fri, Jan 2. You owe $50.00.']);
});

test('A unit that will close is told so many days before, once', async () => {
  const tenant_id = await rent('A-1');
  await told.switchOn({ closes_in_days: 3 });
  // It closes on 10 January.
  demand(200, await told.company.patch('A-1', { balance_due: 50, paid_through_date: '2026-01-04' }));
  await told.pass(5 * DAY);
  expect(await told.texts()).toEqual([]);
  await told.pass(DAY - 2 * HOUR + MINUTE);
  expect(await told.bodies()).toEqual(['Main St: unit A-1 closes on Sat, Jan 10. You owe $50.00.']);
  await told.pass(10 * DAY);
  expect(await told.texts()).toHaveLength(1);
  expect(await told.events(tenant_id)).toEqual([{ kind: 'closes_in_days', outcome: 'sent' }]);
});

test('A tenant who moves in is welcomed once', async () => {
  await told.switchOn({ welcome: true });
  await told.addTenant('t-1', PHONE);
  demand(201, await told.company.moveIn('A-1', { move_in_date: '2026-01-01' }));
  await told.pass(20 * MINUTE);
  demand(200, await told.company.moveIn('A-1', { move_in_date: '2026-01-02' }));
  await told.pass(20 * MINUTE);
  expect(await told.bodies()).toEqual(['Welcome to Main St. Unit A-1 is open for you in the app.']);
});

test('Tenants who come from an import are not welcomed, and told what happens then', async () => {
  await told.switchOn(ALL);
  await told.addTenant('t-1', PHONE);
  demand(201, await told.company.moveIn('A-1', { move_in_date: '2024-05-01' }));
  await told.pass(20 * MINUTE);
  expect(await told.texts()).toEqual([]);
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(20 * MINUTE);
  expect(await told.bodies()).toEqual(['Main St: unit A-1 is closed. You owe $50.00.']);
});

test('Another tenant of the same open unit is welcomed', async () => {
  await rent('A-1');
  await told.switchOn({ welcome: true });
  await told.addTenant('t-2', '+13125550122');
  demand(200, await told.company.moveIn('A-1', { pms_tenant_id: 't-2', move_in_date: '2026-01-01' }));
  await told.pass(20 * MINUTE);
  expect((await told.texts()).map(({ to }) => to)).toEqual(['+13125550122']);
});

test('A tenant who moves out within a quarter of an hour is told nothing', async () => {
  await told.switchOn(ALL);
  await told.addTenant('t-1', PHONE);
  demand(201, await told.company.moveIn('A-1', { move_in_date: '2026-01-01' }));
  await told.pass(MINUTE);
  await told.company.moveOut('A-1');
  await told.pass(HOUR);
  expect(await told.texts()).toEqual([]);
});

test('A tenant without a phone is told nothing, and that stands in the list', async () => {
  const tenant_id = await told.addTenant('t-1', null);
  await told.switchOn({ welcome: true });
  demand(201, await told.company.moveIn('A-1', { move_in_date: '2026-01-01' }));
  await told.pass(20 * MINUTE);
  const { documents } = await service.part(NoticeRecords).listOfTenant(tenant_id, 10);
  expect(documents).toMatchObject([{ kind: 'welcome', outcome: 'no_phone', body: null }]);
  expect(await told.events(tenant_id)).toEqual([]);
});

test('What was told stands in the lists of the unit and of the tenant, without its text after an erasure', async () => {
  const tenant_id = await rent('A-1', 'A-2');
  await told.switchOn({ closed: true });
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(20 * MINUTE);
  const { unit_id } = await told.company.unit('A-2');
  const notices = service.part(NoticeRecords);
  const lists = async () => [
    ...(await notices.listOfUnit(unit_id, 10)).documents,
    ...(await notices.listOfTenant(tenant_id, 10)).documents,
  ];
  const one = { kind: 'closed', outcome: 'sent', tenant_id, location_id: told.location_id };
  const body = 'Main St: units A-1 and A-2 are closed. You owe $50.00.';
  expect(await lists()).toMatchObject([
    { ...one, body },
    { ...one, body },
  ]);
  demand(200, await service.operator('delete', `/tenants/${tenant_id}/personal-data`));
  expect(await lists()).toMatchObject([
    { ...one, body: null },
    { ...one, body: null },
  ]);
  expect(await told.texts()).toEqual([]);
});

test('An erased tenant is told nothing', async () => {
  const tenant_id = await rent('A-1');
  await told.switchOn({ closed: true });
  demand(200, await service.operator('delete', `/tenants/${tenant_id}/personal-data`));
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(20 * MINUTE);
  expect(await told.texts()).toEqual([]);
  expect((await service.part(NoticeRecords).listOfTenant(tenant_id, 10)).documents).toEqual([]);
});

test('The event stands in the feed, and names neither phone nor text', async () => {
  const tenant_id = await rent('A-1');
  await told.switchOn({ closed: true });
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(20 * MINUTE);
  const path = '/events?types=TenantNotified';
  const { events } = demand(200, await told.company.push('get', path));
  const { unit_id } = await told.company.unit('A-1');
  expect(events).toMatchObject([
    {
      subject: { kind: 'tenant', tenant_id },
      actor: { kind: 'system', id: 'notices' },
      data: { kind: 'closed', unit_ids: [unit_id], outcome: 'sent', location_id: told.location_id },
    },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/555|owe/);
});

test('After a rebuild of the views nothing is told again', async () => {
  await rent('A-1');
  await told.switchOn({ closed: true });
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(20 * MINUTE);
  await service.restart({ keepViews: false });
  await told.pass(HOUR);
  expect(await told.texts()).toHaveLength(1);
});

test('A store that was copied sends nothing until somebody switches the texts on again', async () => {
  await rent('A-1');
  await told.switchOn(ALL);
  demand(200, await told.company.patch('A-1', OWING));
  await told.pass(MINUTE);
  expect(await switchOffNotices(service.stores.records)).toBe(true);
  await service.restart();
  await told.pass(HOUR);
  expect(await told.texts()).toEqual([]);
  const { notices } = demand(200, await service.operator('get', `/locations/${told.location_id}`));
  expect(notices).toEqual({ welcome: false, closes_in_days: null, closed: false, opened: false });
  await told.switchOn({ opened: true });
  demand(200, await told.company.patch('A-1', PAID));
  await told.pass(20 * MINUTE);
  expect(await told.bodies()).toEqual(['Main St: unit A-1 is open again.']);
});

test('A store where nobody was told anything says nothing of texts after a copy', async () => {
  await rent('A-1');
  expect(await switchOffNotices(service.stores.records)).toBe(false);
});

test('A sandbox lists its texts, told by its own clock, and sends none', async () => {
  const sandbox = await service.sandbox({ pms_location_code: 'MAIN', name: 'Play St' });
  const location_id = sandbox.locations.get('MAIN')!;
  const path = `/companies/${sandbox.id}`;
  const { test_numbers } = demand(200, await service.operator('get', `${path}/messages`));
  for (const [pms_tenant_id, phone] of [
    ['t-1', `${test_numbers}01`],
    ['t-2', PHONE],
  ])
    demand(
      201,
      await service.operator('post', `/locations/${location_id}/tenants`, {
        pms_tenant_id,
        name: 'Ada Park',
        phone,
      }),
    );
  const notices = { closed: true };
  demand(200, await service.operator('patch', `/locations/${location_id}`, { notices }));
  demand(201, await sandbox.moveIn('A-1'));
  demand(201, await sandbox.moveIn('A-2', { pms_tenant_id: 't-2' }));
  await told.pass(MINUTE);
  demand(200, await sandbox.patch('A-1', OWING));
  demand(200, await sandbox.patch('A-2', OWING));
  await told.pass(MINUTE);
  const by = { advance_seconds: HOUR / 1_000 };
  demand(200, await service.operator('post', `${path}/clock`, by));
  await told.pass(10_000);
  const { messages } = demand(200, await service.operator('get', `${path}/messages`));
  expect(messages).toMatchObject([
    { to: `${test_numbers}01`, body: 'Play St: unit A-1 is closed. You owe $50.00.' },
  ]);
  expect(await told.texts()).toEqual([]);
});
