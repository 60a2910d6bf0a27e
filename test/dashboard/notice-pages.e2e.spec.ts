import { demand, Service } from '../support/service.js';
import { MINUTE, ToldTenants } from '../domain/notices/support/told-tenants.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let told: ToldTenants;
let manager: Visitor;

beforeEach(async () => {
  service = await Service.start();
  told = await ToldTenants.start(service);
  manager = await Visitor.of(service, 'manager');
});
afterEach(() => service.close());

const page = () => `/dashboard/locations/${told.location_id}/texts`;
const noticesOf = async () =>
  demand(200, await service.operator('get', `/locations/${told.location_id}`)).notices;

describe('the texts of a location', () => {
  it('are switched on and off', async () => {
    await manager.visit(page());
    await manager.submit('notices', { closed: 'true', closes_in_days: '3' });
    expect(manager.text).toContain('The texts are saved.');
    expect(await noticesOf()).toEqual({ welcome: false, closes_in_days: 3, closed: true, opened: false });
    await manager.submit('notices', { closes_in_days: '' });
    expect(await noticesOf()).toMatchObject({ closes_in_days: null, closed: true });
  });

  it('say beside what they say which of them are on', async () => {
    await told.switchOn({ closed: true, closes_in_days: 3 });
    await manager.visit(page());
    expect(manager.text).toMatch(/Locked out\s+On\s+Main St: unit A-101 is closed/);
    expect(manager.text).toMatch(/Open again\s+Off\s/);
    expect(manager.text).toMatch(/Lockout soon\s+3 days before\s/);
  });

  it('are refused at the field, with what was typed', async () => {
    await manager.visit(page());
    await manager.submit('notices', { closes_in_days: '15' });
    expect(manager.shown.status).toBe(422);
    expect(manager.html).toContain('value="15"');
    expect(await noticesOf()).toMatchObject({ closes_in_days: null });
  });

  it('are shown with how many tenants would have got them', async () => {
    await told.company.moveIn('A-1', { move_in_date: '2026-01-01' });
    await told.pass(20 * MINUTE);
    await manager.visit(page());
    expect(manager.text).toContain('Main St: unit A-101 is closed. You owe $120.50.');
    expect(manager.text).toMatch(/Welcome to Main St\.[^]*1 tenant/);
  });

  it('are read by an auditor, who has no form', async () => {
    const auditor = await Visitor.of(service, 'auditor');
    await auditor.visit(page());
    expect(auditor.text).toContain('Lockout soon');
    expect(auditor.html).not.toContain('form-notices');
  });
});

describe('what a tenant was told', () => {
  it('stands on the page of the tenant, and of the unit’s activity', async () => {
    const tenant_id = await told.addTenant('t-1', '+13125550111');
    demand(201, await told.company.moveIn('A-1'));
    const { unit_id } = await told.company.unit('A-1');
    await told.pass(MINUTE);
    await manager.visit(`/dashboard/tenants/${tenant_id}`);
    expect(manager.text).not.toContain('Texts to the tenant');
    await told.switchOn({ closed: true });
    demand(200, await told.company.patch('A-1', { pms_lockout: true }));
    await told.pass(20 * MINUTE);
    for (const path of [`tenants/${tenant_id}`, `units/${unit_id}/activity`]) {
      await manager.visit(`/dashboard/${path}`);
      expect(manager.text).toContain('Texts to the tenant');
      expect(manager.text).toContain('Main St: unit A-1 is closed.');
    }
  });
});

describe('Today', () => {
  it('tells of texts that could not be sent, with their tenant', async () => {
    const tenant_id = await told.addTenant('t-1', null);
    await told.switchOn({ welcome: true });
    demand(201, await told.company.moveIn('A-1', { move_in_date: '2026-01-01' }));
    await manager.visit(`/dashboard?company_id=${told.company.id}`);
    expect(manager.text).not.toContain('Texts that were not sent');
    await told.pass(20 * MINUTE);
    await manager.visit(`/dashboard?company_id=${told.company.id}`);
    expect(manager.text).toContain('Texts that were not sent');
    expect(manager.text).toContain('Not sent: no phone');
    expect(manager.html).toContain(`/dashboard/tenants/${tenant_id}`);
    const { unsent_texts } = demand(
      200,
      await service.operator('get', `/companies/${told.company.id}/today`),
    );
    expect(unsent_texts).toMatchObject({
      days: 3,
      texts: 1,
      first: [{ kind: 'welcome', outcome: 'no_phone', tenant_id, tenant_name: 'Ada Park' }],
    });
  });
});
