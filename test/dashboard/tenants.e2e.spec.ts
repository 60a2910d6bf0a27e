import { TenantAccounts, TenantSessions } from '../../src/tenants/index.js';
import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());

describe('a tenant', () => {
  it('is signed out everywhere by an operator, and the page tells of no session any more', async () => {
    const company = await service.company({ pms_location_code: 'MAIN' });
    const path = `/locations/${company.locations.get('MAIN')}/tenants`;
    const person = { pms_tenant_id: 'T-1', name: 'Ada Park', phone: '+13125550100' };
    const { tenant_id } = demand(201, await service.operator('post', path, person));
    const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
    const { token } = await service.part(TenantSessions).begin(account!);
    const asTenant = () => service.call('get', '/api/v2/tenant/access', { token });
    expect((await asTenant()).status).toBe(200);
    const admin = await Visitor.signedIn(service);
    await admin.visit(`/dashboard/tenants/${tenant_id}`);
    await admin.submit('sessions');
    expect((await asTenant()).status).toBe(401);
    expect(admin.forms).not.toContain('sessions');
  });
});
