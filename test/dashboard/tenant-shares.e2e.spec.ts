import { newNumber, SharingWorld } from '../api/tenant/support/sharing-world.js';
import { ManualClock } from '../support/manual-clock.js';
import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let world: SharingWorld;
let auditor: Visitor;

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
  auditor = await Visitor.of(service, 'auditor');
});
afterAll(() => service.close());
beforeEach(async () => {
  world = await SharingWorld.make(service);
});

const page = (tenant_id: string) => `/dashboard/tenants/${tenant_id}`;

it('the page of a tenant shows a share by staff, with links to the person and the unit', async () => {
  const { unit_id } = demand(201, await world.company.moveIn('A-2', { pms_tenant_id: 'T-2' }));
  const tenant_id = await world.tenantOf(unit_id);
  demand(200, await service.operator('put', `/units/${world.unit_id}/shares/${tenant_id}`, {}));
  await auditor.visit(page(world.tenant.tenant_id));
  expect(auditor.text).toMatch(/Shares with others .* A-1 Staff no end date/);
  expect(auditor.links).toEqual(
    expect.arrayContaining([page(tenant_id), `/dashboard/units/${world.unit_id}`]),
  );
});

it('the page of a tenant shows an invitation, and the share after it is accepted', async () => {
  const { accept, guest } = await world.invite();
  await auditor.visit(page(world.tenant.tenant_id));
  expect(auditor.text).toMatch(/A-1 Invited, to accept until Mar \d+, 2026/);
  demand(200, await accept());
  await auditor.visit(page(world.tenant.tenant_id));
  expect(auditor.text).toMatch(/A-1 The tenant Mar 16, 2026/);
  expect(auditor.links).toContain(page(guest.tenant_id));
});

it('the page of somebody who shares a unit says whose it is', async () => {
  const { accept, guest } = await world.invite();
  demand(200, await accept());
  await auditor.visit(page(guest.tenant_id));
  expect(auditor.text).toMatch(/Shared by others .* A-1 Ada Park Open/);
  expect(auditor.links).toContain(page(world.tenant.tenant_id));
});

it('a share that ended is on neither page', async () => {
  const { accept, guest } = await world.invite();
  demand(200, await accept());
  service.manualClock.advance(15 * 24 * 3_600_000);
  auditor = await Visitor.of(service, 'auditor');
  for (const { tenant_id } of [world.tenant, guest]) {
    await auditor.visit(page(tenant_id));
    expect(auditor.text).not.toContain('Shares');
  }
});

it('the page of a person with a pass shows what it opens, and leads to it', async () => {
  const place = `/locations/${world.location_id}`;
  const north = { name: 'North gate', kind: 'gate', zone_ids: [] };
  const { entry_point_id } = demand(201, await service.operator('post', `${place}/entry-points`, north));
  const pass = demand(
    201,
    await service.operator('post', `${place}/passes`, {
      name: 'Lakeside Pest Control',
      phone: `+1${newNumber()}`,
      reason: 'vendor',
      until: world.inDays(2),
      entry_point_ids: [entry_point_id],
      unit_ids: [],
    }),
  );
  await auditor.visit(page(pass.tenant_id));
  expect(auditor.text).toMatch(/Passes .* Vendor North gate .* In force/);
  expect(auditor.links).toContain(`/dashboard/passes/${pass.pass_id}`);
});

it('a site’s operator reads what people share at the site, and nothing of another site', async () => {
  const { company } = world;
  await company.addLocation({ pms_location_code: 'OTHER', name: 'Other St' });
  const there = { pms_tenant_id: 'T-9', pms_location_code: 'OTHER' };
  const tenant_id = await world.tenantOf(demand(201, await company.moveIn('Z-9', there)).unit_id);
  const { accept, guest } = await world.invite();
  demand(200, await accept());
  const email = `site-${company.id}@example.com`;
  const scope = { companies: null, locations: [world.location_id] };
  await service.addOperator({ email, password: 'correct horse battery staple', role: 'manager', ...scope });
  const site = await Visitor.signedIn(service, email);
  await site.visit(page(guest.tenant_id));
  expect(site.text).toContain('Ada Park');
  expect((await site.visit(page(tenant_id))).status).toBe(404);
});
