import { GuestRounds } from '#domain/sharing/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { SharingWorld } from '../../api/tenant/support/sharing-world.js';
import { ManualClock } from '../../support/manual-clock.js';
import { demand, Service } from '../../support/service.js';

const DAY = 24 * 3_600_000;

let service: Service;
let world: SharingWorld;

const nameOf = async (tenant_id: string) =>
  (await service.part(TenantAccounts).byTenantId([tenant_id]))[0]!.name;

/** Days pass, and each has its round. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    service.manualClock.advance(DAY);
    await service.part(GuestRounds).lookAtDue();
  }
}

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  world = await SharingWorld.make(service);
});

describe('a guest who shares nothing for 30 days', () => {
  it('is erased, and who opened what stays by id', async () => {
    const { guest, share_id, accept } = await world.invite();
    demand(200, await accept());
    demand(200, await world.tenant.shares('delete', `/${share_id}`));
    await pass(30);
    expect(await nameOf(guest.tenant_id)).toBe('Daniel Brooks');
    await pass(1);
    expect(await nameOf(guest.tenant_id)).toBeNull();
    const told = await service.events(`tenant-${guest.tenant_id}`);
    expect(told.at(-1)).toMatchObject({
      type: 'TenantErased',
      metadata: { actor: { kind: 'system', id: 'guests' } },
    });
    expect(await world.sharingEvents()).toEqual(['UnitShareOffered', 'UnitShareAccepted', 'UnitShareEnded']);
  });

  it('is erased also if the invitation was never accepted', async () => {
    const { guest } = await world.invite();
    await pass(7 + 29);
    expect(await nameOf(guest.tenant_id)).toBe('Daniel Brooks');
    await pass(1);
    expect(await nameOf(guest.tenant_id)).toBeNull();
  });

  it('is erased also if staff had let the person in', async () => {
    const body = { name: 'Staff’s friend', phone: '+13125559999', until: world.inDays(2) };
    const { tenant_id } = demand(201, await service.operator('post', `/units/${world.unit_id}/shares`, body));
    await pass(33);
    expect(await nameOf(tenant_id as string)).toBeNull();
  });
});

describe('a guest stays', () => {
  it('while a share goes on', async () => {
    const { guest, accept } = await world.invite({ until: world.inDays(60) });
    demand(200, await accept());
    await pass(59);
    expect(await nameOf(guest.tenant_id)).toBe('Daniel Brooks');
  });

  it('for 30 days more after a share that began and ended between two looks', async () => {
    const { guest, phone_number, accept } = await world.invite({ until: world.inDays(1) });
    demand(200, await accept());
    await pass(25);
    const again = demand(201, await world.offer({ phone_number }));
    demand(200, await world.tenant.shares('delete', `/${again.share_id as string}`));
    await pass(29);
    expect(await nameOf(guest.tenant_id)).toBe('Daniel Brooks');
    await pass(2);
    expect(await nameOf(guest.tenant_id)).toBeNull();
  });

  it('with what staff record after an erasure', async () => {
    const { guest } = await world.invite();
    demand(200, await service.operator('delete', `/tenants/${guest.tenant_id}/personal-data`));
    await pass(1);
    demand(200, await service.operator('patch', `/tenants/${guest.tenant_id}`, { name: 'Daniel B.' }));
    await pass(40);
    expect(await nameOf(guest.tenant_id)).toBe('Daniel B.');
  });
});

it('a tenant whom a PMS knows is never erased by it', async () => {
  demand(200, await world.company.moveOut('A-1'));
  await pass(40);
  expect(await nameOf(world.tenant.tenant_id)).toBe('Ada Park');
});
