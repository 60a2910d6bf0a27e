import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, type Service } from '../../support/service.js';

const UNITS = 10_000;
const BULK = 500;
const TAPS = 2_000;
const CHANGES = 300;
const PASSES = 500;
const OPERATORS = 300;
const MINUTE = 60_000;

/** One in twenty is past due, one in twenty will be within days. */
function unitOf(place: number) {
  const due = place % 20 < 2 ? { balance_due: 120 } : {};
  return {
    crm_unit_id: `U-${place}`,
    occupied: true,
    move_in_date: '2025-10-01',
    paid_through_date: place % 20 === 0 ? '2025-11-01' : '2025-12-29',
    tenant: { pms_tenant_id: `T-${place}`, first_name: 'Ada', last_name: `Park ${place}` },
    ...due,
  };
}

/** The set-up of some units: 500 in one zone, each with a lock. */
export function setupRows(from: number, count = BULK) {
  return Array.from({ length: count }, (_, place) => {
    const number = from + place;
    return {
      unit: `U-${number}`,
      zone: `Zone ${from / BULK}`,
      lock: `Latch ${number}`,
      serial: `SN-${number}`,
    };
  });
}

/** Passes of a gate, good for a month. @returns one of them */
async function givePasses(service: Service, location: string, gate: string): Promise<string> {
  const until = new Date(service.clock.now() + 30 * 24 * 60 * MINUTE).toISOString();
  let pass_id = '';
  for (let count = 0; count < PASSES; count += 1) {
    service.manualClock.advance(1_000);
    const body = {
      name: `Vendor ${count}`,
      phone: `+1312555${String(1_000 + count)}`,
      entry_point_ids: [gate],
      until,
      reason: 'vendor',
    };
    ({ pass_id } = demand(201, await service.operator('post', `${location}/passes`, body)));
  }
  return pass_id;
}

async function inviteOperators(service: Service, company_id: string): Promise<void> {
  for (let count = 0; count < OPERATORS; count += 1) {
    service.manualClock.advance(1_000);
    const body = { email: `manager-${count}@example.com`, role: 'manager', companies: [company_id] };
    demand(201, await service.operator('post', '/operators', body));
  }
}

interface LargeCompany {
  readonly company: Company;
  readonly gate: string;
  readonly tenant: string;
  readonly pass: string;
  readonly zone: string;
  readonly lock: string;
}

/**
 * A company with 10,000 rented units at one location. Each has a lock; 20 zones lead to one gate, which a tenant opened
 * 2,000 times in a night, and for which 500 passes stand. One unit changed 300 times. 200 operators are invited.
 */
export async function largeCompany(service: Service): Promise<LargeCompany> {
  const company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  const location_id = company.locations.get('MAIN')!;
  const location = `/locations/${location_id}`;
  for (let from = 0; from < UNITS; from += BULK) {
    const units = Array.from({ length: BULK }, (_, place) => unitOf(from + place));
    demand(200, await company.sync(units));
    demand(200, await service.operator('post', `${location}/setup`, { rows: setupRows(from) }));
    service.manualClock.advance(MINUTE);
  }
  const { zones } = demand(200, await service.operator('get', `${location}/zones`));
  const zone_ids = (zones as { zone_id: string }[]).map(({ zone_id }) => zone_id);
  const body = { name: 'Gate', kind: 'gate', zone_ids };
  const { entry_point_id } = demand(201, await service.operator('post', `${location}/entry-points`, body));
  for (let count = 0; count < CHANGES; count += 1)
    demand(200, await company.patch('U-0', { balance_due: count }));
  const key = { company_id: company.id, location_id, pms_tenant_id: 'T-1' };
  const [account] = await service.part(TenantAccounts).find([key]);
  let token = '';
  for (let count = 0; count < TAPS; count += 1) {
    service.manualClock.advance(MINUTE / 2);
    if (count % 60 === 0) ({ token } = await service.part(TenantSessions).begin(account!));
    const occurred_at = new Date(service.clock.now()).toISOString();
    const report = { event: 'unlock', occurred_at, result: 'success' };
    const path = `/api/v2/entry-points/${entry_point_id}/logs`;
    demand(201, await service.call('post', path, { token, body: report }));
  }
  const gate = entry_point_id as string;
  const { locks } = demand(200, await service.operator('get', `${location}/locks`));
  const pass = await givePasses(service, location, gate);
  await inviteOperators(service, company.id);
  return { company, gate, tenant: account!.tenant_id, pass, zone: zone_ids[0]!, lock: locks[0].lock_id };
}
