import { OperatorTenantDetail } from '#api/operator/tenants/operator-tenant-detail.js';
import { newAccount } from '#domain/tenants/tenant-account.js';

type Given = ConstructorParameters<typeof OperatorTenantDetail>;

const HELD = [
  { relationship: 'primary', stream: 'a' },
  { relationship: 'shared', stream: 'b' },
  { relationship: 'shared', stream: 'c' },
];

const OF_TENANT = { tenancy: { tenancy_id: 'stay', tenant_id: 'tenant' }, shares: [] };

/** The detail of a tenant with three units, of which no answer has room for what opens them. */
function readDetail({ missing = '' } = {}) {
  const views = { collection: () => Promise.resolve({ get: () => Promise.resolve({ units: HELD }) }) };
  const directory = {
    byStreams: (streams: readonly string[]) =>
      Promise.resolve(streams.map((stream) => (stream === missing ? undefined : OF_TENANT))),
  };
  const access = { describe: () => Promise.resolve([]) };
  const none = { listSessions: () => Promise.resolve([]), ofTenant: () => Promise.resolve([]) };
  const detail = new OperatorTenantDetail(
    views as unknown as Given[0],
    directory as unknown as Given[1],
    access as unknown as Given[2],
    none as unknown as Given[3],
    none as unknown as Given[4],
    { now: () => Promise.resolve(0) } as unknown as Given[5],
  );
  const key = { company_id: 'company', location_id: 'location', pms_tenant_id: 't-1' };
  return detail.readDetail(newAccount(key, 'tenant', 0));
}

it('tells how many units are left out where what opens them is too much, rented and shared alike', async () => {
  expect(await readDetail()).toMatchObject({ units_left_out: 3 });
});

it('does not count a unit as left out whose document is not there', async () => {
  expect(await readDetail({ missing: 'b' })).toMatchObject({ units_left_out: 2 });
});
