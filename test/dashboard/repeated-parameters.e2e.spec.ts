import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
  company = await service.company();
  demand(201, await company.moveIn('A-1'));
});
afterAll(() => service.close());

const site = () => `/dashboard/locations/${company.locations.get('MAIN')}`;
const ofCompany = () => `/dashboard/companies/${company.id}`;

describe('a parameter that an address has twice', () => {
  it.each([
    ['the order of a site’s tenants', () => `${site()}/tenants?sort=name&sort=-name`],
    ['the order of a site’s units', () => `${site()}/table?sort=tenant&sort=-tenant`],
    ['the order of a site’s locks', () => `${site()}/equipment?sort=name&sort=-name`],
    ['the order of a company’s units', () => `${ofCompany()}/units?sort=tenant&sort=-tenant`],
    ['the order of the file of a company’s tenants', () => `${ofCompany()}/tenants.csv?sort=name&sort=-name`],
    ['the panel of the site map', () => `${site()}?peek=A-1&peek=A-2`],
    ['the panel of a site’s tenants', () => `${site()}/tenants?peek=A&peek=B`],
  ])('shows %s all the same', async (_, path) => {
    await admin.visit(path());
    expect(admin.shown.status).toBe(200);
  });
});
