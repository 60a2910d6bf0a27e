import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { demand, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { Visitor } from './support/visitor.js';

const DAY = 24 * 60 * 60_000;

let service: Service;
let admin: Visitor;
let company_id: string;

const add = async (path: string, body: object) => demand(201, await service.operator('post', path, body));

/** Two sites in Chicago, and one in New York, where a tenant loses access at midnight and taps later. */
beforeAll(async () => {
  service = await Service.start();
  const company = await service.company(
    { pms_location_code: 'W1', timezone: 'America/Chicago' },
    { pms_location_code: 'W2', timezone: 'America/Chicago' },
    { pms_location_code: 'E', timezone: 'America/New_York', grace_period_days: 5 },
  );
  company_id = company.id;
  const location_id = company.locations.get('E')!;
  const tenant = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park' };
  const owing = { balance_due: 189, paid_through_date: '2025-12-29' };
  const unit = { crm_unit_id: 'E-1', pms_location_code: 'E', occupied: true, move_in_date: '2025-10-01' };
  const sold = {
    ...unit,
    crm_unit_id: 'E-2',
    pms_auction: true,
    tenant: { ...tenant, pms_tenant_id: 'T-2' },
  };
  demand(200, await company.sync([{ ...unit, ...owing, tenant }, sold]));
  const { zone_id } = await add(`/locations/${location_id}/zones`, { name: 'Yard' });
  const { unit_id } = await company.unit('E-1');
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  const gate = { name: 'Gate B', kind: 'gate', zone_ids: [zone_id] };
  const { entry_point_id } = await add(`/locations/${location_id}/entry-points`, gate);
  const key = { company_id, location_id, pms_tenant_id: 'T-1' };
  const [account] = await service.part(TenantAccounts).find([key]);
  service.manualClock.advance(4 * DAY);
  const { token } = await service.part(TenantSessions).begin(account!);
  const entries = [
    { event: 'unlock', result: 'success' },
    { event: 'attempt', result: 'failure', failure_code: 'no_valid_key' },
  ];
  const logs = `/api/v2/entry-points/${entry_point_id}/logs`;
  demand(201, await service.call('post', logs, { token, body: { entries } }));
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

it('Today tells each time by the clock of its own site', async () => {
  const text = await waitUntil(
    async () => {
      service.manualClock.advance(60_000);
      await admin.visit(`/dashboard?company_id=${company_id}`);
      return admin.text;
    },
    (shown) => !/being counted/i.test(shown),
  );
  // At midnight in New York it is the day before in Chicago.
  expect(text).toMatch(/E-1 .* Past due 6 days \$189\.00/);
  expect(admin.html).toContain(
    'title="Locked out since at least Jan 4, 2026. Last refused Jan 4, 2026, 7:00 PM EST"',
  );
  expect(admin.html).toContain('title="Jan 4, 2026, 7:00:00 PM EST">Today 7:00 PM<');
  // Counts are of sites in both zones.
  expect(text).toMatch(/Counted (just now|\d+ minutes? ago) \./);
  expect(text).toMatch(/Location E Counted 7:\d\d PM/);
  expect(text).toMatch(/Location W1 Counted 6:\d\d PM/);
  expect(text).toMatch(/Ada Park denied Today 7:00 PM Gate B/);
});

it('the list of changes tells each time by the clock of its own site', async () => {
  await admin.visit(`/dashboard/companies/${company_id}/changes?type=EntryPointActivityReported`);
  expect(admin.text).toMatch(/Jan 4, 2026, 7:00 PM EST .* Jan 4, 2026, 7:00 PM EST/);
  expect(admin.text).toMatch(/Since Jan 3, 2026, .* CST , newest first/);
  const { locations } = demand(200, await service.operator('get', `/companies/${company_id}`));
  const { location_id, name } = locations.at(-1);
  await add(`/locations/${location_id}/units`, { crm_unit_id: 'X-1' });
  await admin.visit(`/dashboard/companies/${company_id}/changes?type=UnitRegistered`);
  expect(admin.text).toContain(`Unit added X-1 , ${name}`);
});

it('the list of whom to call is narrowed to a site or a reason, and leads to the whole of it', async () => {
  const { locations } = demand(200, await service.operator('get', `/companies/${company_id}`));
  const [west, east] = ['America/Chicago', 'America/New_York'].map(
    (zone) => locations.find((one: { timezone: string }) => one.timezone === zone).location_id,
  );
  const toCall = async (query: string) => {
    await admin.visit(`/dashboard?company_id=${company_id}${query}`);
    return admin.text.replace(/^.* To call /, '').replace(/ Opened while .*$/, '');
  };
  expect(await toCall('&location_id=&reason=')).toContain('E-1');
  const menu = () => /<nav class="menu" id="site-menu".*?<\/nav>/s.exec(admin.html)![0];
  expect(menu()).toMatch(/aria-current="true"><svg.*?<\/svg>All sites</);
  expect(await toCall(`&location_id=${east}`)).toMatch(/E-1 .*/);
  expect(menu()).toMatch(new RegExp(`location_id=${east}#to-call" aria-current="true"`));
  expect(admin.links).toContain(`/dashboard/locations/${east}/table?state=tenant_denied&sort=-balance`);
  expect(await toCall(`&location_id=${west}`)).toContain('No match.');
  expect(admin.text).not.toContain('E-2');
  expect(await toCall('&reason=pms_lockout')).toContain('No match.');
  expect(admin.text).not.toContain('E-2');
  const whole = `/dashboard/companies/${company_id}/units?state=tenant_denied&reason=pms_lockout`;
  expect(admin.links).toContain(whole);
  await admin.visit(whole);
  expect(admin.text).toContain('Units: Locked out, locked by PMS');
  await toCall('&reason=rain');
  expect(admin.shown.status).toBe(422);
});
