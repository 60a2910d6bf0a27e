import { appOf } from '../tenant/app-of.js';
import { ManualClock } from '../../support/manual-clock.js';
import { newPhone } from '../../support/new-phone.js';
import { operatorAs } from '../../support/operator-as.js';
import { type Company, demand, Service } from '../../support/service.js';

/** Each cell of the tables in docs/decisions.md §13. */

const HOUR = 3_600_000;

let service: Service;
let company: Company;
let unit_id: string;
/** Shares the unit. */
let guest: string;
let until: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const inHours = (hours: number) => new Date(service.manualClock.now() + hours * HOUR).toISOString();
const unit = async () => demand(200, await operator('get', `/units/${unit_id}`));

const unitsOf = async (tenant_id: string) => demand(200, await (await appOf(service, tenant_id))()).units;
const ownTenant = async () => (await unit()).tenant.tenant_id as string;

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  ({ unit_id } = demand(201, await company.moveIn('A-1')));
  demand(200, await company.patch('A-1', { balance_due: 12.5, paid_through_date: '2026-12-31' }));
  until = inHours(48);
  const body = { name: 'Daniel Brooks', phone: newPhone(), until };
  guest = demand(201, await operator('post', `/units/${unit_id}/shares`, body)).tenant_id as string;
});

describe('a share', () => {
  it('is seen and ended by a manager', async () => {
    const manager = await operatorAs(service, 'manager', { companies: [company.id] });
    expect(demand(200, await manager('get', `/units/${unit_id}`)).shares).toMatchObject([
      { tenant_id: guest, name: 'Daniel Brooks', until },
    ]);
    demand(200, await manager('put', `/units/${unit_id}/shares/${guest}`, { until: inHours(1) }));
    demand(200, await manager('delete', `/units/${unit_id}/shares/${guest}`));
    expect((await unit()).shares).toEqual([]);
  });

  it('is seen by an auditor, who changes nothing', async () => {
    const auditor = await operatorAs(service, 'auditor', { companies: [company.id] });
    expect(demand(200, await auditor('get', `/units/${unit_id}`)).shares).toMatchObject([{ until }]);
    const path = `/units/${unit_id}/shares`;
    const tries = [
      await auditor('put', `${path}/${guest}`, {}),
      await auditor('delete', `${path}/${guest}`),
      await auditor('post', path, { name: 'Ann', phone: newPhone() }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await unit()).shares).toMatchObject([{ tenant_id: guest, until }]);
  });

  it('does not exist for an operator of another company', async () => {
    const stranger = await operatorAs(service, 'manager', { companies: [(await service.company()).id] });
    const path = `/units/${unit_id}/shares`;
    const tries = [
      await stranger('get', `/units/${unit_id}`),
      await stranger('put', `${path}/${guest}`, {}),
      await stranger('delete', `${path}/${guest}`),
      await stranger('post', path, { name: 'Ann', phone: newPhone() }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('does not exist for an operator of another site', async () => {
    const far = await company.addLocation({ pms_location_code: 'FAR' });
    const stranger = await operatorAs(service, 'manager', { companies: [company.id], locations: [far] });
    const tries = [
      await stranger('delete', `/units/${unit_id}/shares/${guest}`),
      await stranger('post', `/units/${unit_id}/shares`, { name: 'Ann', phone: newPhone() }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('is told to the PMS by ids alone', async () => {
    const { text } = await company.push('get', '/events?limit=100');
    expect(text).toContain(guest);
    expect(text).not.toContain('Daniel');
    const described = await company.push('get', '/units/A-1');
    expect(described.text).not.toContain('Daniel');
  });

  it('is told to the tenant of the unit by name and end', async () => {
    expect(await unitsOf(await ownTenant())).toMatchObject([{ shares: [{ name: 'Daniel Brooks', until }] }]);
  });

  it('is no longer told to the tenant from its end on, also of an answer that was kept', async () => {
    const app = await appOf(service, await ownTenant());
    expect(demand(200, await app()).units[0].shares).toHaveLength(1);
    service.manualClock.advance(48 * HOUR);
    expect(demand(200, await app()).units[0].shares).toEqual([]);
  });

  it('shows whoever has it the unit, and neither sum nor date nor anybody’s name', async () => {
    const [shown] = await unitsOf(guest);
    expect(Object.keys(shown).sort()).toEqual([
      'last_accessed_at',
      'location',
      'locks',
      'reason',
      'relationship',
      'share_id',
      'state',
      'unit_id',
      'unit_name',
      'until',
      'zones',
    ]);
    expect(Object.keys(shown.location.contact).sort()).toEqual(['address', 'email', 'phone']);
  });
});

describe('a share ends', () => {
  it('with a move-out: the person sees nothing of the unit', async () => {
    demand(200, await company.moveOut('A-1'));
    expect(await unitsOf(guest)).toEqual([]);
  });

  it('with another tenant, who finds no share', async () => {
    demand(200, await company.moveIn('A-1', { pms_tenant_id: 't-next' }));
    expect([await unitsOf(guest), (await unit()).shares]).toEqual([[], []]);
  });

  it('with the erasure of the person, and does not come back with new details', async () => {
    demand(200, await operator('delete', `/tenants/${guest}/personal-data`));
    expect((await unit()).shares).toEqual([]);
    demand(200, await operator('patch', `/tenants/${guest}`, { name: 'Somebody', phone: newPhone() }));
    expect(await unitsOf(guest)).toEqual([]);
  });

  it('once where a person is erased twice', async () => {
    for (let turn = 0; turn < 2; turn += 1)
      demand(200, await operator('delete', `/tenants/${guest}/personal-data`));
    const events = await service.events(`unit-${company.id}.A-1`);
    expect(events.filter(({ type }) => type === 'UnitShareEnded')).toHaveLength(1);
  });
});

describe('a share stays', () => {
  it('with its end where the tenant of the unit is erased', async () => {
    demand(200, await operator('delete', `/tenants/${await ownTenant()}/personal-data`));
    expect(await unitsOf(guest)).toMatchObject([{ unit_id, until }]);
  });

  it('where the phone is changed, and its sessions end', async () => {
    const app = await appOf(service, guest);
    demand(200, await operator('patch', `/tenants/${guest}`, { phone: newPhone() }));
    expect((await app()).status).toBe(401);
    expect(await unitsOf(guest)).toMatchObject([{ unit_id, until }]);
  });

  it('and is denied with the unit, with the reason and no sum', async () => {
    demand(200, await company.patch('A-1', { pms_lockout: true }));
    const [shown] = await unitsOf(guest);
    expect(shown).toMatchObject({ state: 'tenant_denied', reason: 'pms_lockout', until });
    expect(shown).not.toHaveProperty('balance_due');
  });

  it('and goes along with a tenant who is moved to another unit', async () => {
    const place = `/locations/${company.locations.get('MAIN')!}/units`;
    const add = async (crm_unit_id: string) =>
      demand(201, await operator('post', place, { crm_unit_id })).unit_id as string;
    const [from, to] = [await add('S-1'), await add('S-2')];
    const body = { pms_tenant_id: 't-mover', move_in_date: '2025-12-01' };
    demand(200, await operator('put', `/units/${from}/tenancy`, body));
    demand(200, await operator('put', `/units/${from}/shares/${guest}`, { until }));
    demand(200, await operator('delete', `/units/${unit_id}/shares/${guest}`));
    demand(200, await operator('post', `/units/${from}/transfer`, { to_unit_id: to }));
    expect(await unitsOf(guest)).toMatchObject([{ unit_id: to, until }]);
  });
});

describe('a share is not given', () => {
  it('to an account whose details were erased, until a person is recorded again', async () => {
    demand(200, await operator('delete', `/tenants/${guest}/personal-data`));
    const { status, body } = await operator('put', `/units/${unit_id}/shares/${guest}`, {});
    expect([status, Object.keys(body.errors)]).toEqual([422, ['tenant_id']]);
    demand(200, await operator('patch', `/tenants/${guest}`, { name: 'Daniel Brooks', phone: newPhone() }));
    demand(200, await operator('put', `/units/${unit_id}/shares/${guest}`, {}));
  });

  it('of a retired unit', async () => {
    demand(200, await company.moveOut('A-1'));
    demand(200, await operator('put', `/units/${unit_id}/retired`));
    const { status } = await operator('put', `/units/${unit_id}/shares/${guest}`, {});
    expect(status).toBe(422);
  });
});
