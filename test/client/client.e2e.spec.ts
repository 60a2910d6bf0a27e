import type { BulkEntry, ServiceError } from 'storage-access-client';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { SharingWorld } from '../api/tenant/support/sharing-world.js';
import { type Company, demand, Service } from '../support/service.js';
import { sentCode } from './support/sent-code.js';

const DAY = 24 * 60 * 60 * 1000;
const PHONE = { country_code: '1', phone_number: '3125550100' };
const ADA = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company();
});
afterAll(() => service.close());

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('the client against the service', () => {
  it('brings 1,203 units up to date as one bulk, faults by their places in the whole', async () => {
    const units: BulkEntry[] = Array.from({ length: 1_203 }, (_, place) => ({
      crm_unit_id: `U-${place}`,
      occupied: place === 700,
    }));
    const { errors, ...counts } = await company.client.syncUnits(units);
    expect(counts).toMatchObject({ total: 1_203, created: 1_202, updated: 0, unchanged: 0 });
    const fields = ['move_in_date', 'pms_tenant_id', 'tenant'].map((field) => `units.700.${field}`);
    expect(errors.map(({ crm_unit_id, code }) => [crm_unit_id, code])).toEqual([
      ['U-700', 'validation_failed'],
    ]);
    expect(Object.keys(errors[0]!.errors!).sort()).toEqual(fields);
    expect(errors[0]!.error).toMatch(/^units\.700\./);
    expect(await company.client.syncUnits(units.slice(0, 600))).toMatchObject({ unchanged: 600 });
    expect(await all(company.client.units({ limit: 500 }))).toHaveLength(1_202);
  });

  it('does a bulk once that is sent twice under a key, part by part', async () => {
    const units = Array.from({ length: 501 }, (_, place) => ({ crm_unit_id: `K-${place}`, occupied: false }));
    const first = await company.client.syncUnits(units, { idempotency_key: 'night 1' });
    const events = await service.events();
    expect(await company.client.syncUnits(units, { idempotency_key: 'night 1' })).toEqual(first);
    expect(await service.events()).toEqual(events);
  });

  it('lets somebody in, by an invitation that is one whatever is sent again', async () => {
    const world = await SharingWorld.make(service);
    const [account] = await service.part(TenantAccounts).byTenantId([world.tenant.tenant_id]);
    const { token } = await service.part(TenantSessions).begin(account!);
    const tenant = service.client(token);
    const options = { body: world.body(), idempotency_key: 'invitation 1' };
    const first = await tenant.call('POST', '/api/v2/tenant/shares', options);
    const again = await tenant.call('POST', '/api/v2/tenant/shares', options);
    expect(again.data).toEqual({ ...first.data, code: null });
    const { data } = await tenant.call('GET', '/api/v2/tenant/shares', {});
    const { share_id, code } = first.data;
    expect(data.shares).toMatchObject([{ share_id, code, state: 'offered' }]);
    await tenant.call('DELETE', '/api/v2/tenant/shares/{share_id}', { path: { share_id } });
    expect((await tenant.call('GET', '/api/v2/tenant/shares', {})).data.shares).toEqual([]);
  });

  it('names the fault of a part that is refused as a whole', async () => {
    const units = Array.from({ length: 502 }, (_, place) => ({ crm_unit_id: `D-${place}`, occupied: false }));
    const failure = await company.client.syncUnits([...units, units[501]!]).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: { 'units.502.crm_unit_id': ['The crm unit id field has a duplicate value.'] },
      synced: { created: 500 },
    });
  });

  it('writes once for a write whose answer was lost', async () => {
    const { client } = company;
    const move = { path: { crm_unit_id: 'L-1' }, body: { pms_tenant_id: 'T-9', move_in_date: '2025-12-01' } };
    const key = { idempotency_key: 'lease 9' };
    const route = ['PUT', '/api/v2/units/{crm_unit_id}/tenancy'] as const;
    const first = await client.call(...route, { ...move, ...key });
    const again = await client.call(...route, { ...move, ...key });
    expect([again.status, again.data]).toEqual([first.status, first.data]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await all(client.history('L-1', { limit: 1 }))).toHaveLength(2);
  });

  it('tells a refusal as the service does', async () => {
    const asked = company.client.call('GET', '/api/v2/units/{crm_unit_id}', {
      path: { crm_unit_id: 'none' },
    });
    const failure = (await asked.catch((error: unknown) => error)) as ServiceError;
    expect(failure).toMatchObject({ status: 404, code: 'unit_not_found' });
    expect(failure.request_id).not.toBeNull();
    const stranger = service.client('sat_nobody').call('GET', '/api/v2/company');
    await expect(stranger).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('keeps a tenant’s access until something in it changes', async () => {
    demand(
      200,
      await company.sync([{ crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-12-01', tenant: ADA }]),
    );
    const anybody = service.client();
    await anybody.call('POST', '/api/v2/auth/phone', { body: PHONE });
    const otp = await sentCode(service);
    const login = await anybody.call('POST', '/api/v2/auth/verify-otp', { body: { ...PHONE, otp } });
    const app = service.client(login.data.token!);
    const cache = app.tenantAccess();
    const first = await cache.current();
    expect(first.access.units.map(({ state }) => state)).toEqual(['tenant_permitted']);
    expect((await cache.refresh()).access).toBe(first.access);
    await company.patch('A-1', { balance_due: 10, paid_through_date: '2025-12-01' });
    service.manualClock.advance(DAY);
    expect((await cache.refresh()).access.units.map(({ state }) => state)).toEqual(['tenant_denied']);
    await app.call('POST', '/api/v2/auth/logout');
    await expect(cache.refresh()).rejects.toMatchObject({ status: 401 });
    expect(cache.kept).toBeUndefined();
  });

  it('finds tenants for an operator, page after page', async () => {
    const people = ['Moe', 'Mona', 'Moritz'].map((first_name, place) => ({
      crm_unit_id: `M-${place}`,
      occupied: true,
      move_in_date: '2025-12-01',
      tenant: { pms_tenant_id: `M-${place}`, first_name, last_name: 'Quill' },
    }));
    await company.client.syncUnits(people);
    const operator = service.client(await service.operatorToken());
    const found = await all(operator.tenants({ company_id: company.id, q: 'mo', limit: 2 }));
    expect(found.map(({ name }) => name).sort()).toEqual(['Moe Quill', 'Mona Quill', 'Moritz Quill']);
  });
});
