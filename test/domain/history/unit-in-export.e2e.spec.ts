import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnitHistory, unitInExportAsOf } from '#domain/history/index.js';
import { exportLog } from '#eventsourcing/proof/export-log.js';
import { eventsInExport, type ExportedEvents } from '#eventsourcing/proof/exported-events.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { type Company, demand, Service } from '../../support/service.js';

const DAY = 24 * 60 * 60_000;

let service: Service;
let company: Company;
let other: Company;
let exported: ExportedEvents;
/** Instants before, at and after every event. */
const instants: number[] = [];

/** Lets a day pass, then writes. */
async function dayLater(write: () => Promise<unknown>): Promise<void> {
  service.manualClock.advance(DAY);
  await write();
  instants.push(service.clock.now() - 1, service.clock.now(), service.clock.now() + 1);
}

async function unlock(crm_unit_id: string, pms_tenant_id: string): Promise<void> {
  const location_id = company.locations.get('MAIN')!;
  const made = await service.operator('post', `/locations/${location_id}/locks`, { name: 'Door' });
  const { lock_id } = demand(201, made);
  const { unit_id } = await company.unit(crm_unit_id);
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  const [account] = await service
    .part(TenantAccounts)
    .find([{ company_id: company.id, location_id, pms_tenant_id }]);
  const { token } = await service.part(TenantSessions).begin(account!);
  const body = { event: 'unlock', result: 'success' };
  demand(201, await service.call('post', `/api/v2/locks/${lock_id}/logs`, { token, body }));
}

beforeAll(async () => {
  service = await Service.start();
  company = await service.company();
  other = await service.company();
  const location = company.locations.get('MAIN')!;
  const policy = (change: object) => service.operator('patch', `/locations/${location}`, change);
  await dayLater(() => company.moveIn('A/1 é', { pms_tenant_id: 'ada' }));
  await dayLater(() => company.moveIn('A-2', { pms_tenant_id: 'ada' }));
  await dayLater(() => other.moveIn('A-2', { pms_tenant_id: 'ada' }));
  await dayLater(() => company.patch('A-2', { balance_due: 90, paid_through_date: '2025-12-20' }));
  await dayLater(() => policy({ blanket_delinquency: true, grace_period_days: 3 }));
  await dayLater(() => company.patch('A-2', { balance_due: 0 }));
  await dayLater(() => unlock('A/1 é', 'ada'));
  await dayLater(() => company.moveIn('A-2', { pms_tenant_id: 'bob' }));
  await dayLater(() => company.patch('A/1 é', { balance_due: 12.5, paid_through_date: '2025-12-31' }));
  await dayLater(() => policy({ blanket_delinquency: false, name: 'Another name' }));
  await dayLater(() => company.moveOut('A-2'));
  const path = join(service.path, 'export.ndjson');
  const key = await SigningKey.open(undefined, service.path);
  let text = '';
  for await (const line of exportLog(service.stores.eventStore, key, () => '2026-01-20T00:00:00.000Z'))
    text += line;
  await writeFile(path, text);
  exported = eventsInExport(path);
});
afterAll(() => service.close());

it.each(['A/1 é', 'A-2'])('%s is, at every instant, as the service answers it', async (key) => {
  const unit = (await service.part(UnitDirectory).everByPathKey(company.id, key))!;
  for (const at of [...instants, service.clock.now() + 30 * DAY]) {
    const answered = await service.part(UnitHistory).asOf(unit, at);
    expect(await unitInExportAsOf(exported, { company_id: company.id, key }, at)).toEqual(
      answered ?? 'before',
    );
  }
});

it('a unit is found by the id that the service gave it', async () => {
  const { unit_id } = await company.unit('A-2');
  const at = service.clock.now();
  const byId = await unitInExportAsOf(exported, { company_id: company.id, key: `ulid:${unit_id}` }, at);
  expect(byId).toMatchObject({ unit_id, crm_unit_id: 'A-2' });
  expect(byId).toEqual(await unitInExportAsOf(exported, { company_id: company.id, key: 'A-2' }, at));
});

it.each([
  ['by a key that no unit has', () => Promise.resolve('nowhere')],
  ['by an id that no unit has', () => Promise.resolve('ulid:01ARZ3NDEKTSV4RRFFQ69G5FAV')],
  ['by the id of another company', async () => `ulid:${(await other.unit('A-2')).unit_id as string}`],
])('no unit is found %s', async (_, key) => {
  const named = { company_id: company.id, key: await key() };
  expect(await unitInExportAsOf(exported, named, service.clock.now())).toBe('unknown');
});
