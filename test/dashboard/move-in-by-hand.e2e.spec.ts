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
const addTenant = async (pms_tenant_id: string, phone: string, name = pms_tenant_id) =>
  demand(
    201,
    await operator('post', `/locations/${location_id}/tenants`, {
      pms_tenant_id,
      name,
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
    expect(await moveIn(unit_id)).toContain('Ada Park is moved in.');
    expect(await tenantOf(unit_id)).toMatchObject({ name: 'Ada Park', phone: '+13125610100' });
  });

  it('makes a tenant of whom no page says that a PMS knows them', async () => {
    const unit_id = await addUnit('S-1');
    expect(await moveIn(unit_id)).toContain('Tenant in the PMS in no PMS');
    expect(manager.text).not.toContain('hand-');
    await manager.visit(`/dashboard/tenants/${(await tenantOf(unit_id)).tenant_id}`);
    expect(manager.text).toContain('Not in the PMS');
  });

  it.each([
    ['whom it made before', async () => void (await moveIn(await addUnit('S-0')))],
    ['whom the site has', async () => void (await addTenant('T-1', '+13125610100', 'Ada Park'))],
  ])('moves nobody in under the number of a tenant %s, and asks', async (_, known) => {
    await known();
    const unit_id = await addUnit('S-1');
    const asked = await moveIn(unit_id, { name: 'Wrong Person' });
    expect(asked).toContain('+1 312-561-0100 is the number of Ada Park. Nobody is moved in yet.');
    expect(asked).toContain('Move in Ada Park');
    expect(await tenantOf(unit_id)).toBeNull();
    expect(await tenants()).toHaveLength(1);
  });

  it('says what the tenant of the number owes', async () => {
    const host = await addUnit('S-1');
    await moveIn(host);
    const debt = { balance_due: 80, paid_through_date: '2025-11-01' };
    demand(200, await operator('patch', `/units/${host}`, debt));
    expect(await moveIn(await addUnit('S-2'))).toContain('S-1 Locked out: past due owes $80.00');
  });

  it('takes the tenant of the number after the question, on the day that was typed, and makes no twin', async () => {
    const tenant_id = await addTenant('T-1', '+13125610100', 'Ada Park');
    const unit_id = await addUnit('S-1');
    await moveIn(unit_id, { move_in_date: '2025-10-05' });
    await manager.submit('move-in-known', { tenant_id });
    expect(manager.text).toContain('Ada Park is moved in.');
    const { tenant, facts } = demand(200, await operator('get', `/units/${unit_id}`));
    expect([tenant.tenant_id, facts.move_in_date]).toEqual([tenant_id, '2025-10-05']);
    expect(await tenants()).toHaveLength(1);
  });

  it('asks which of several who have the number', async () => {
    await addTenant('T-1', '+13125610100', 'Ada');
    const tenant_id = await addTenant('T-2', '+13125610100', 'Bea');
    const unit_id = await addUnit('S-1');
    expect(await moveIn(unit_id)).toContain('is the number of Ada and Bea. Nobody is moved in yet.');
    await manager.submit('move-in-known', { tenant_id });
    expect(manager.text).toContain('Bea is moved in.');
  });

  it('that is sent twice asks nothing', async () => {
    const unit_id = await addUnit('S-1');
    await moveIn(unit_id);
    await manager.post(`/dashboard/units/${unit_id}/tenancy`, ADA);
    expect(manager.text).toContain('Ada Park is moved in.');
  });

  describe('from a page that is older than another tenant’s move-in', () => {
    const dayOne = '2025-11-01';
    let unit_id: string;
    let first: string;
    beforeEach(async () => {
      unit_id = await addUnit('S-1');
      first = await addTenant('T-1', '+13125610200', 'First Comer');
      await manager.visit(`/dashboard/units/${unit_id}`);
      const body = { pms_tenant_id: 'T-1', move_in_date: dayOne };
      demand(200, await operator('put', `/units/${unit_id}/tenancy`, body));
    });

    it('replaces nobody by somebody new', async () => {
      await manager.submit('move-in', ADA);
      expect(manager.shown.status).toBe(409);
      expect(manager.text).toContain('First Comer');
      expect(await tenantOf(unit_id)).toMatchObject({ tenant_id: first });
      expect(await tenants()).toHaveLength(1);
    });

    it('replaces nobody by a tenant whom the site has', async () => {
      const tenant_id = await addTenant('T-2', '+13125610100');
      await manager.post(`/dashboard/units/${unit_id}/tenancy/known`, { tenant_id, move_in_date: dayOne });
      expect(manager.shown.status).toBe(409);
      expect(await tenantOf(unit_id)).toMatchObject({ tenant_id: first });
    });
  });

  it('finds a tenant of the site by name, as somebody types and without a script', async () => {
    const tenant_id = await addTenant('T-1', '+13125610100', 'Ada Park');
    const unit_id = await addUnit('S-1');
    const hits = await manager.visit(`/dashboard/units/${unit_id}/move-in/hits?q=ada+pa`);
    expect(hits.html).toContain(`value="${tenant_id}">Move in Ada Park<`);
    await manager.visit(`/dashboard/units/${unit_id}`);
    expect(manager.form('mover').action).toBe(`/dashboard/units/${unit_id}/move-in`);
    await manager.visit(`/dashboard/units/${unit_id}/move-in?q=ada`);
    await manager.submit('move-in-known', { tenant_id });
    expect(await tenantOf(unit_id)).toMatchObject({ tenant_id });
  });

  it('finds no guest', async () => {
    const host = await addUnit('S-1');
    await moveIn(host, { phone: '(312) 561-0200' });
    demand(201, await operator('post', `/units/${host}/shares`, { name: 'Gus', phone: '+13125610100' }));
    await manager.visit(`/dashboard/units/${await addUnit('S-2')}/move-in?q=gus`);
    expect(manager.text).toContain('No match at this site.');
  });

  it('finds a tenant behind ten guests of the same name', async () => {
    const host = await addUnit('S-1');
    await moveIn(host, { phone: '(312) 561-0200' });
    for (let guest = 10; guest < 20; guest += 1) {
      const body = { name: 'Gus', phone: `+131256103${guest}` };
      demand(201, await operator('post', `/units/${host}/shares`, body));
    }
    await addTenant('T-1', '+13125610100', 'Gus Park');
    await manager.visit(`/dashboard/units/${await addUnit('S-2')}/move-in?q=gus`);
    expect(manager.text).toContain('Move in Gus Park');
    expect(manager.text).not.toContain('More tenants match.');
  });

  it('takes no tenant of another site and no guest, whatever the form says', async () => {
    const other = await service.company({ pms_location_code: 'OTHER' });
    const { unit_id: theirs } = demand(201, await other.moveIn('O-1'));
    const host = await addUnit('S-1');
    await moveIn(host);
    const shared = await operator('post', `/units/${host}/shares`, { name: 'Gus', phone: '+13125610300' });
    const unit_id = await addUnit('S-2');
    for (const tenant_id of [(await tenantOf(theirs)).tenant_id, demand(201, shared).tenant_id, 'none']) {
      const form = { tenant_id, move_in_date: '2025-11-01' };
      await manager.post(`/dashboard/units/${unit_id}/tenancy/known`, form);
      expect(manager.shown.status).toBe(404);
    }
    expect(await tenantOf(unit_id)).toBeNull();
  });

  it('takes nobody of several who have a number that may not sign in to the sandbox', async () => {
    company = await service.sandbox();
    location_id = company.locations.get('MAIN')!;
    await addTenant('T-1', '+13125610100');
    await addTenant('T-2', '+13125610100');
    expect(await moveIn(await addUnit('S-1'))).toContain('is the number of T-1 and T-2. Nobody is moved in');
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

it('a tenant is added without a number, and is in no PMS', async () => {
  await manager.visit(`/dashboard/locations/${location_id}/tenants`);
  await manager.submit('tenant', { name: 'Ada Park', phone: '(312) 561-0100', pms_tenant_id: ' ' });
  expect(manager.text).toContain('The tenant is added.');
  expect(manager.text).toContain('Not in the PMS');
  expect(await tenants()).toMatchObject([{ name: 'Ada Park', phone: '+13125610100' }]);
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
