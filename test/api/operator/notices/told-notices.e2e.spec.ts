import { demand, Service } from '../../../support/service.js';
import { MINUTE, ToldTenants } from '../../../domain/notices/support/told-tenants.js';

let service: Service;
let told: ToldTenants;
let tenant_id: string;
let unit_id: string;

beforeEach(async () => {
  service = await Service.start();
  told = await ToldTenants.start(service);
  tenant_id = await told.addTenant('t-1', '+13125550111');
  demand(201, await told.company.moveIn('A-1', { move_in_date: '2026-01-01' }));
  unit_id = (await told.company.unit('A-1')).unit_id;
  await told.pass(20 * MINUTE);
});
afterEach(() => service.close());

const get = (path: string) => service.operator('get', path);

async function closeUnit(): Promise<void> {
  demand(200, await told.company.patch('A-1', { pms_lockout: true }));
  await told.pass(20 * MINUTE);
}

describe('the texts to tenants', () => {
  it('stand in the lists of the unit and of the tenant', async () => {
    await told.switchOn({ closed: true });
    await closeUnit();
    const one = {
      notice_id: expect.any(String),
      kind: 'closed',
      at: expect.any(String),
      outcome: 'sent',
      text: 'Main St: unit A-1 is closed.',
      tenant_id,
      location_id: told.location_id,
      unit_ids: [unit_id],
    };
    const page = { notices: [one], next_cursor: null };
    expect(demand(200, await get(`/units/${unit_id}/notices`))).toEqual(page);
    expect(demand(200, await get(`/tenants/${tenant_id}/notices`))).toEqual(page);
  });

  it('of an unknown unit, tenant or location are not found', async () => {
    for (const path of ['units', 'tenants', 'locations'])
      expect((await get(`/${path}/01ARZ3NDEKTSV4RRFFQ69G5FAV/notices`)).status).toBe(404);
  });
});

describe('the preview of a location', () => {
  it('shows each text, and how many tenants would have got it', async () => {
    await closeUnit();
    const { notices, days, texts } = demand(200, await get(`/locations/${told.location_id}/notices`));
    expect(notices.closed).toBe(false);
    expect(days).toBe(14);
    expect(texts).toEqual([
      { kind: 'closed', text: 'Main St: unit A-101 is closed. You owe $120.50.', tenants: 1 },
      { kind: 'opened', text: 'Main St: unit A-101 is open again.', tenants: 0 },
      {
        kind: 'closes_in_days',
        text: expect.stringMatching(/^Main St: unit A-101 closes on \w+, Jan 4\. You owe \$120\.50\.$/),
        tenants: 0,
      },
      { kind: 'welcome', text: 'Welcome to Main St. Unit A-101 is open for you in the app.', tenants: 1 },
    ]);
    expect(await told.texts()).toEqual([]);
  });
});
