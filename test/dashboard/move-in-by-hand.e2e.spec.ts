import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let manager: Visitor;
let company: Company;
let location_id: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const ADA = { name: 'Ada Park', phone: '(312) 561-0100', move_in_date: '2025-11-01' };

async function addUnit(crm_unit_id: string): Promise<string> {
  const added = await operator('post', `/locations/${location_id}/units`, { crm_unit_id });
  return demand(201, added).unit_id as string;
}
const tenants = async () => demand(200, await operator('get', `/tenants?location_id=${location_id}`)).tenants;
const tenantOf = async (unit_id: string) => demand(200, await operator('get', `/units/${unit_id}`)).tenant;
async function moveIn(unit_id: string, typed: object = {}) {
  await manager.visit(`/dashboard/units/${unit_id}`);
  await manager.submit('move-in', { ...ADA, ...typed });
  return manager.text;
}
const addTenant = async (pms_tenant_id: string, phone: string) =>
  demand(
    201,
    await operator('post', `/locations/${location_id}/tenants`, {
      pms_tenant_id,
      name: pms_tenant_id,
      phone,
    }),
  ).tenant_id as string;

beforeAll(async () => {
  service = await Service.start();
  manager = await Visitor.of(service, 'manager');
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
});

describe('a move-in by hand', () => {
  it('makes a tenant from a name and a phone as people write it', async () => {
    const unit_id = await addUnit('S-1');
    expect(await moveIn(unit_id)).toContain('The tenant is moved in.');
    expect(await tenantOf(unit_id)).toMatchObject({ name: 'Ada Park', phone: '+13125610100' });
  });

  it('makes a tenant of whom no page says that a PMS knows them', async () => {
    const unit_id = await addUnit('S-1');
    expect(await moveIn(unit_id)).toContain('Tenant in the PMS in no PMS');
    expect(manager.text).not.toContain('hand-');
    await manager.visit(`/dashboard/tenants/${(await tenantOf(unit_id)).tenant_id}`);
    expect(manager.text).toContain('Not in the PMS');
  });

  it('takes somebody whom it made before, and makes no twin', async () => {
    await moveIn(await addUnit('S-1'));
    expect(await moveIn(await addUnit('S-2'))).toContain('No second one was made.');
  });

  it('takes the tenant who has the number already, and makes no twin', async () => {
    const tenant_id = await addTenant('T-1', '+13125610100');
    const unit_id = await addUnit('S-1');
    expect(await moveIn(unit_id)).toContain('No second one was made.');
    expect(await tenantOf(unit_id)).toMatchObject({ tenant_id });
    expect(await tenants()).toHaveLength(1);
  });

  it('takes nobody of several who have the number, and says what to do', async () => {
    await addTenant('T-1', '+13125610100');
    await addTenant('T-2', '+13125610100');
    const unit_id = await addUnit('S-1');
    expect(await moveIn(unit_id)).toContain('Give the identifier of the one who moves in.');
    expect(await moveIn(unit_id, { pms_tenant_id: 'T-2' })).toContain('The tenant is moved in.');
    expect(await tenantOf(unit_id)).toMatchObject({ pms_tenant_id: 'T-2' });
  });

  it('takes nobody of several who have a number that may not sign in to the sandbox', async () => {
    company = await service.sandbox();
    location_id = company.locations.get('MAIN')!;
    await addTenant('T-1', '+13125610100');
    await addTenant('T-2', '+13125610100');
    expect(await moveIn(await addUnit('S-1'))).toContain('Give the identifier of the one who moves in.');
    expect(await tenants()).toHaveLength(2);
  });

  it('does not take a guest who has the number', async () => {
    const host = await addUnit('S-1');
    await moveIn(host, { phone: '(312) 561-0200' });
    const body = { name: 'Ada', phone: '+13125610100' };
    const guest = demand(201, await operator('post', `/units/${host}/shares`, body)).tenant_id as string;
    const unit_id = await addUnit('S-2');
    await moveIn(unit_id);
    expect((await tenantOf(unit_id)).tenant_id).not.toBe(guest);
  });

  it('that is refused makes nobody', async () => {
    const unit_id = await addUnit('S-1');
    await moveIn(unit_id, { move_in_date: '2025-02-30' });
    expect(manager.shown.status).toBe(422);
    expect(await tenants()).toEqual([]);
  });

  it.each([
    ['a name', { name: '' }, '“Name” is required.'],
    ['a phone', { phone: '' }, '“Phone” is required.'],
    ['a phone that is one', { phone: 'none' }, '“Phone”'],
  ])('needs %s', async (_, typed, words) => {
    const unit_id = await addUnit('S-1');
    expect(await moveIn(unit_id, typed)).toContain(words);
    expect(manager.shown.status).toBe(422);
  });
});

describe('the details of a tenant', () => {
  const form = async (unit: string) => {
    const { tenant_id } = await tenantOf(unit);
    await manager.visit(`/dashboard/tenants/${tenant_id as string}`);
    return manager.text;
  };

  it('are put back by the next sync, the form says, where a PMS sends them', async () => {
    const { unit_id } = demand(201, await company.moveIn('P-1'));
    expect(await form(unit_id)).toContain('its next sync may put the old ones back');
  });

  it('stay, where staff keep them', async () => {
    const unit_id = await addUnit('S-1');
    await moveIn(unit_id);
    expect(await form(unit_id)).not.toContain('next sync');
  });
});
