import { SharingWorld } from '../api/tenant/support/sharing-world.js';
import { ManualClock } from '../support/manual-clock.js';
import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let world: SharingWorld;
let manager: Visitor;

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
  manager = await Visitor.of(service, 'manager');
});
afterAll(() => service.close());
beforeEach(async () => {
  world = await SharingWorld.make(service);
});

const page = () => `/dashboard/locations/${world.location_id}/sharing`;
const isOn = async () =>
  demand(200, await service.operator('get', `/locations/${world.location_id}`)).tenant_sharing as boolean;

describe('the page Sharing of a site', () => {
  it('switches it off and on, and says what follows', async () => {
    await manager.visit(page());
    await manager.submit('sharing', { tenant_sharing: 'false' });
    expect([manager.text, await isOn()]).toEqual([
      expect.stringContaining('Shares that were accepted go on until they end.'),
      false,
    ]);
    await manager.submit('sharing', { tenant_sharing: 'true' });
    expect([manager.text, await isOn()]).toEqual([
      expect.stringContaining('Tenants may share their units from now on.'),
      true,
    ]);
  });

  it('saves nothing if nothing was changed', async () => {
    await manager.visit(page());
    const before = (await service.events()).length;
    await manager.submit('sharing', {});
    expect((await service.events()).length).toBe(before);
  });

  it('shows the text that a person gets', async () => {
    await manager.visit(page());
    expect(manager.text).toContain('Somebody shares a storage unit at Main St with you.');
  });

  it('is read by an auditor, who has no form', async () => {
    const auditor = await Visitor.of(service, 'auditor');
    await auditor.visit(page());
    expect(auditor.text).toMatch(/Tenants share their units\s*Yes/);
    expect(auditor.html).not.toContain('form-sharing');
  });
});

it('the history of a unit tells in words who was invited, and what became of it', async () => {
  const { accept, code } = await world.invite();
  await accept(code === '111111' ? '222222' : '111111');
  demand(200, await accept());
  const { share_id } = await world.invite({ name: 'Eve Moss' });
  demand(200, await world.tenant.shares('delete', `/${share_id}`));
  await manager.visit(`/dashboard/units/${world.unit_id}/history`);
  for (const words of [
    'Person invited to share by tenant Ada Park',
    'invited: none → Daniel Brooks',
    'Wrong code for an invitation by tenant Daniel Brooks',
    'wrong codes: 0 → 1',
    'Invitation accepted by tenant Daniel Brooks',
    'shared with: none → Daniel Brooks',
    'Invitation ended by tenant Ada Park',
    'invited: Eve Moss → none',
  ])
    expect(manager.text).toContain(words);
});
