import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { ManualClock } from '../../support/manual-clock.js';
import { type Company, demand, Service } from '../../support/service.js';

let service: Service;
let company: Company;
let unit_id: string;
let location_id: string;

async function tokenOf(tenant_id: string): Promise<string> {
  const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
  return (await service.part(TenantSessions).begin(account!)).token;
}

const read = async (token: string, version = '/v2', etag?: string) =>
  service.call('get', `/api${version}/tenant/access`, {
    token,
    ...(etag !== undefined && { headers: { 'If-None-Match': etag } }),
  });
const primary = async () =>
  tokenOf(demand(200, await service.operator('get', `/units/${unit_id}`)).tenant.tenant_id);
const change = (body: object) => service.operator('patch', `/locations/${location_id}`, body);

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-01T12:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
  ({ unit_id } = demand(201, await company.moveIn('A 1')));
  demand(200, await company.patch('A 1', { balance_due: 45.5, paid_through_date: '2026-01-31' }));
  const proof = { current: 'correct horse battery staple' };
  const payment_url = 'https://pay.example.com/{crm_unit_id}';
  const contact = { phone: '+13125550100', payment_url };
  demand(200, await change({ contact, currency: 'EUR', proof }));
});

describe('what a tenant is told to do', () => {
  it.each(['/v2', '/v1', ''])('stands in the answer of %s', async (version) => {
    const answer = demand(200, await read(await primary(), version));
    expect(answer.units).toMatchObject([
      {
        state: 'tenant_denied',
        reason: 'delinquent',
        balance_due: 45.5,
        currency: 'EUR',
        paid_through_date: '2026-01-31',
        move_in_date: '2025-12-01',
        closes_at: null,
        zones: [],
        location: {
          contact: {
            phone: '+13125550100',
            email: null,
            address: null,
            payment_url: 'https://pay.example.com/A%201',
          },
        },
      },
    ]);
  });

  it('tells somebody who shares the unit whom to call, and nothing of the debt', async () => {
    const added = { pms_tenant_id: 't-2', name: 'Bob' };
    const bob = demand(201, await service.operator('post', `/locations/${location_id}/tenants`, added));
    demand(200, await service.operator('put', `/units/${unit_id}/shares/${bob.tenant_id}`));
    const answer = demand(200, await read(await tokenOf(bob.tenant_id)));
    const [unit] = answer.units;
    expect(unit.location.contact).toEqual({ phone: '+13125550100', email: null, address: null });
    expect(unit.reason).toBe('delinquent');
    expect(JSON.stringify(answer)).not.toMatch(/45\.5|EUR|pay\.example|2026-01-31|2025-12-01/);
  });

  it('changes the entity tag with each part of it, and holds it still otherwise', async () => {
    const token = await primary();
    let etag = (await read(token)).headers['etag']!;
    expect((await read(token, '/v2', etag)).status).toBe(304);
    for (const act of [
      () => change({ contact: { phone: '+13125550199' } }),
      () => change({ currency: 'USD' }),
      () => company.patch('A 1', { balance_due: 46 }),
      () => company.patch('A 1', { paid_through_date: '2026-01-30' }),
    ]) {
      demand(200, await act());
      const next = await read(token, '/v2', etag);
      expect(next.status).toBe(200);
      etag = next.headers['etag']!;
    }
    expect((await read(token, '/v2', etag)).status).toBe(304);
  });

  it('is to be asked for again within six hours, also if the tenant has nothing', async () => {
    const token = await primary();
    demand(200, await company.moveOut('A 1'));
    const { units, refresh_at, evaluated_at } = demand(200, await read(token));
    expect(units).toEqual([]);
    const span = Date.parse(refresh_at) - Date.parse(evaluated_at);
    expect(span).toBeGreaterThan(0);
    expect(span).toBeLessThanOrEqual(6 * 60 * 60_000);
  });
});
