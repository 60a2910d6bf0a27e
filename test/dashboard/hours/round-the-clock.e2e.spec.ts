import { type Company, demand, Service } from '../../support/service.js';
import { Visitor } from '../support/visitor.js';

let service: Service;
let admin: Visitor;
let company: Company;
let unit_id: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const location = () => `/dashboard/locations/${company.locations.get('MAIN')}`;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
  company = await service.company();
  ({ unit_id } = demand(201, await company.moveIn('A-1')));
  demand(201, await company.moveIn('A-2', { pms_tenant_id: 'other' }));
  demand(200, await operator('put', `/units/${unit_id}/round-the-clock`));
});
afterAll(() => service.close());

it('the table of units and its file say which units pass gates at any hour', async () => {
  await admin.visit(`${location()}/table`);
  expect(admin.text).toMatch(/A-1 .* Open Round the clock .* A-2 /);
  expect(admin.text.match(/Round the clock/g)).toHaveLength(1);
  await admin.visit(`${location()}/table/units.csv`);
  expect(admin.html).toMatch(/A-1,.*,active,yes,.*\r\n.*A-2,.*,active,no,/);
});

it('the page of a tenant says it of the units', async () => {
  const { tenant_id } = demand(200, await operator('get', `/units/${unit_id}`)).tenant;
  await admin.visit(`/dashboard/tenants/${tenant_id}`);
  expect(admin.text).toMatch(/A-1 Open Round the clock/);
  expect(demand(200, await operator('get', `/tenants/${tenant_id}`)).units).toMatchObject([
    { round_the_clock: true },
  ]);
});

it('the units that a search finds say it', async () => {
  await admin.visit('/dashboard/find?q=A-');
  expect(admin.text.match(/Round the clock/g)).toHaveLength(1);
});
