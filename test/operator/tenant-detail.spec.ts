import { OperatorTenantDetail } from '../../src/operator/tenants/operator-tenant-detail.js';
import { newAccount } from '../../src/tenants/tenant-accounts.js';

type Given = ConstructorParameters<typeof OperatorTenantDetail>;

it('tells how many units are left out where what opens them is too much, rented and shared alike', async () => {
  const units = [
    { relationship: 'primary', stream: 'a' },
    { relationship: 'shared', stream: 'b' },
    { relationship: 'shared', stream: 'c' },
  ];
  const views = { collection: () => Promise.resolve({ get: () => Promise.resolve({ units }) }) };
  const directory = { byStreams: (streams: readonly string[]) => Promise.resolve(streams) };
  const access = { describe: () => Promise.resolve([]) };
  const none = { of: () => Promise.resolve([]), ofTenant: () => Promise.resolve([]) };
  const detail = new OperatorTenantDetail(
    views as unknown as Given[0],
    directory as unknown as Given[1],
    access as unknown as Given[2],
    none as unknown as Given[3],
    none as unknown as Given[4],
  );
  const key = { company_id: 'company', location_id: 'location', pms_tenant_id: 't-1' };
  expect(await detail.of(newAccount(key, 'tenant', 0))).toMatchObject({ units_left_out: 3 });
});
