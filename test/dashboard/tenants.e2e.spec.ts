import { LocationDirectory } from '#domain/locations/index.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
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
    const location = jest.spyOn(service.part(LocationDirectory), 'location').mockResolvedValue(undefined);
    await admin.visit(`/dashboard/tenants/${tenant_id}`);
    expect(admin.shown.status).toBe(404);
    location.mockRestore();
  });
});

it('the tenants of a company are those of all its sites, on a page and as CSV, and of no other company', async () => {
  const company = await service.company({ pms_location_code: 'NORTH' }, { pms_location_code: 'SOUTH' });
  const other = await service.company({ pms_location_code: 'MAIN' });
  for (const [of, code, name] of [
    [company, 'NORTH', 'Nora Quill'],
    [company, 'SOUTH', 'Sue Quill'],
    [other, 'MAIN', 'Otto Quill'],
  ] as const) {
    const person = { pms_tenant_id: `T-${code}`, name };
    demand(201, await service.operator('post', `/locations/${of.locations.get(code)}/tenants`, person));
  }
  const path = `/dashboard/companies/${company.id}/tenants`;
  const admin = await Visitor.signedIn(service);
  await admin.visit(path);
  expect(admin.text).toMatch(/Tenants .*Nora Quill .*Sue Quill/);
  expect(admin.text).not.toContain('Otto Quill');
  expect((await admin.visit(`${path}.csv`)).html.trimEnd().split('\r\n')).toHaveLength(3);
  await admin.visit(`${path}?q=quill+nora`);
  expect(admin.text).toContain('Nora Quill');
  expect(admin.text).not.toContain('Sue Quill');
  expect(admin.form('filter').values).toEqual({ q: 'quill nora', sort: '-owed' });
  await admin.visit(admin.links.find((href) => href.includes('tenants.csv'))!);
  expect(admin.html.trimEnd().split('\r\n')).toHaveLength(2);
  await admin.visit(`/dashboard/locations/${company.locations.get('SOUTH')}/tenants?q=T-SOUTH`);
  expect(admin.text).toContain('Sue Quill');
  await admin.visit(`/dashboard/locations/${company.locations.get('SOUTH')}/tenants?q=nora`);
  expect(admin.text).toContain('No match.');
  const stranger = await Visitor.of(service, 'auditor', [other.id]);
  expect((await stranger.visit(path)).status).toBe(404);
});

describe('the tenants of a location', () => {
  it('are listed a hundred at a time and whole as CSV, without those of other places', async () => {
    const company = await service.company({ pms_location_code: 'MANY' });
    const path = `/dashboard/locations/${company.locations.get('MANY')}/tenants`;
    const admin = await Visitor.signedIn(service);
    await admin.visit(path);
    expect(admin.text).toContain('No tenant yet. Tenants appear when your PMS moves them in.');
    await company.addLocation({ pms_location_code: 'OTHER' });
    const unit = { occupied: true, move_in_date: '2025-12-01' };
    const units = Array.from({ length: 130 }, (_, place) => ({
      ...{ ...unit, crm_unit_id: `U-${place}`, pms_location_code: 'MANY' },
      tenant: { pms_tenant_id: `T-${place}.`, first_name: 'Ada', last_name: `No ${place}` },
    }));
    const elsewhere = { ...unit, crm_unit_id: 'V', pms_tenant_id: 'X-1', pms_location_code: 'OTHER' };
    demand(200, await company.sync([...units, elsewhere]));
    const shown: string[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      await admin.visit(next);
      expect(admin.shown.status).toBe(200);
      shown.push(...[...admin.text.matchAll(/Ada No \d+/g)].map(([name]) => name));
      expect(admin.text).not.toContain('X-1');
      next = /href="([^"]*)" rel="next"/.exec(admin.html)?.[1];
      if (shown.length < 130) expect(shown).toHaveLength(100);
    }
    expect(new Set(shown).size).toBe(130);
    const csv = await admin.visit(`${path}.csv`);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.html.trimEnd().split('\r\n')).toHaveLength(131);
    const auditor = await Visitor.of(service, 'auditor', [company.id]);
    await auditor.visit(path);
    expect(auditor.text).toContain('Ada No 0 – U-0 Open');
    expect([auditor.shown.status, auditor.forms]).toEqual([200, ['filter']]);
    await auditor.visit(auditor.links.find((href) => href.startsWith('/dashboard/tenants/'))!);
    expect(auditor.text).toContain('PMS id T-0.');
  });
});
