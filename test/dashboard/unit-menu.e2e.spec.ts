import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN' });
  const rented = { occupied: true, move_in_date: '2025-06-01' };
  const tenant = (pms_tenant_id: string, last_name: string) => ({
    tenant: { pms_tenant_id, first_name: 'Ada', last_name, phone: `+1312555010${pms_tenant_id}` },
  });
  demand(
    200,
    await company.sync([
      { ...rented, crm_unit_id: 'A-1', ...tenant('1', 'Park') },
      { ...rented, crm_unit_id: 'A-2', ...tenant('2', 'Lee') },
      { crm_unit_id: 'A-3', occupied: false },
    ]),
  );
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

const pageOf = async (name: string) => `/dashboard/units/${(await company.unit(name)).unit_id}`;

it('a vacant unit of a PMS says who moves tenants in', async () => {
  await admin.visit(await pageOf('A-3'));
  expect(admin.text).toContain(
    'it opens for nobody. The PMS moves its tenants in; here only units that staff added are let.',
  );
});

const OPENS_NOTHING = 'It has no lock and is in no zone, so nobody can open anything with it.';

it('an open unit without a lock and a zone says that nobody opens anything with it', async () => {
  const path = await pageOf('A-1');
  await admin.visit(path);
  expect(admin.text).toContain(`Nothing is past due. ${OPENS_NOTHING} Set-up`);
  expect(admin.text).toContain('None, no lock');
  const location = `/locations/${company.locations.get('MAIN')}`;
  await admin.visit(`/dashboard${location}?peek=A-1`);
  expect(admin.text).toContain(OPENS_NOTHING);
  const { zone_id } = demand(201, await service.operator('post', `${location}/zones`, { name: 'Yard' }));
  const { unit_id } = await company.unit('A-1');
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  await admin.visit(path);
  expect(admin.text).not.toContain(OPENS_NOTHING);
  expect(admin.text).toContain('None, no lock');
});

it('the people of a unit in auction are not said to be locked out', async () => {
  demand(200, await company.patch('A-2', { pms_auction: true }));
  await admin.visit(await pageOf('A-2'));
  expect(admin.text).toContain('None, in auction');
  demand(200, await company.patch('A-2', { pms_auction: false }));
});

it.each(['/activity', '/history', '/setup'])('the menu of a unit stays on its page %s', async (tab) => {
  const path = await pageOf('A-1');
  await admin.visit(path + tab);
  expect(admin.links).toEqual(
    expect.arrayContaining([`${path}?do=lock-out`, `${path}?do=transfer`, `${path}/report`]),
  );
});

it('the menu of another tab leads to the open dialog, and nothing is done yet', async () => {
  await admin.visit(`${await pageOf('A-1')}?do=lock-out`);
  expect(admin.html).toMatch(/class="dialog open"[^>]*aria-label="Lock out A-1"/);
  expect(admin.text).toContain('A-1 Open');
});

it('the table of people names its buttons shortly, and in full for screen readers', async () => {
  const { unit_id } = await company.unit('A-1');
  const { tenant } = demand(
    200,
    await service.operator('get', `/units/${(await company.unit('A-2')).unit_id}`),
  );
  demand(200, await service.operator('put', `/units/${unit_id}/shares/${tenant.tenant_id}`));
  await admin.visit(await pageOf('A-1'));
  expect(admin.html).toMatch(/aria-label="End share of Ada Lee">End share</);
});

it('the button that ends what staff set says so before and in its dialog', async () => {
  const { unit_id } = await company.unit('A-1');
  const body = { override: 'lockout', reason: 'Broken door' };
  demand(200, await service.operator('put', `/units/${unit_id}/override`, body));
  await admin.visit(await pageOf('A-1'));
  expect(admin.html).toMatch(/aria-label="Take back what staff set">Take back</);
  expect(admin.html).toContain('<button class="danger">Take back</button>');
  await admin.submit('clear');
  expect(admin.text).toContain('What staff set is taken back.');
});

it('a tenant’s page offers the number to copy, and says what Text opens', async () => {
  const { tenant } = demand(
    200,
    await service.operator('get', `/units/${(await company.unit('A-1')).unit_id}`),
  );
  await admin.visit(`/dashboard/tenants/${tenant.tenant_id}`);
  expect(admin.html).toContain('data-copy="phone"');
  expect(admin.html).toMatch(/<a [^>]*title="Text opens the messages of your phone\."/);
});
