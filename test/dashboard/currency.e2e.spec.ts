import { ManualClock } from '../support/manual-clock.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let admin: Visitor;
let company: Company;
let unit_id: string;

/** Everything that a browser is sent for a path. */
async function sent(path: string): Promise<string> {
  await admin.visit(path);
  expect(admin.shown.status).toBe(200);
  return admin.html;
}

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-01T12:00:00.000Z')) });
  admin = await Visitor.signedIn(service);
  company = await service.company({ pms_location_code: 'MAIN' }, { pms_location_code: 'SIDE' });
  const change = (code: string, body: object) =>
    service.operator('patch', `/locations/${company.locations.get(code)}`, body);
  demand(200, await change('MAIN', { currency: 'EUR' }));
  const owes = { balance_due: 123.4, paid_through_date: '2026-01-31' };
  ({ unit_id } = demand(201, await company.moveIn('A-1', { pms_location_code: 'MAIN' })));
  demand(200, await company.patch('A-1', owes));
  demand(201, await company.moveIn('B-1', { pms_tenant_id: 't-2', pms_location_code: 'SIDE' }));
  demand(200, await company.patch('B-1', owes));
});
afterAll(() => service.close());

const main = () => `/dashboard/locations/${company.locations.get('MAIN')}`;
const owner = () => `/dashboard/companies/${company.id}`;

describe('amounts of a location in euros', () => {
  it.each<[string, () => string]>([
    ['the map', () => main()],
    ['the table', () => `${main()}/table`],
    ['the tenants', () => `${main()}/tenants`],
    ['the unit', () => `/dashboard/units/${unit_id}`],
    ['the history', () => `/dashboard/units/${unit_id}/history`],
    ['the report', () => `/dashboard/units/${unit_id}/report`],
    ['the unit as of an instant', () => `/dashboard/units/${unit_id}?at=2026-03-01T12:00:00.000Z`],
    ['the locations of the company', () => owner()],
    ['what Find finds', () => '/dashboard/find?q=A-1'],
  ])('are shown in euros by %s', async (_page, path) => {
    expect(/€\d/.test(await sent(path()))).toBe(true);
  });

  it('are in no other money on a page of the location', async () => {
    for (const path of [main(), `${main()}/table`, `${main()}/policy`, `/dashboard/units/${unit_id}`])
      expect((await sent(path)).replaceAll(/<script.*?<\/script>/gs, '')).not.toMatch(/\$\d/);
  });

  it('are named in the files', async () => {
    for (const path of [`${main()}/units.csv`, `${main()}/table/units.csv`, `${owner()}/units.csv`]) {
      const file = await sent(path);
      const [head = '', ...rows] = file.trim().split(/\r?\n/);
      const place = head.split(',').indexOf('currency');
      expect(head).toMatch(/balance_due,currency/);
      const row = rows.find((one) => one.includes('A-1'))!;
      expect(row.split(',')[place]).toBe('EUR');
    }
  });

  it('are added up for each currency on Today', async () => {
    const { locked_out } = demand(200, await service.operator('get', `/companies/${company.id}/today`));
    expect(locked_out).toMatchObject({
      owed_by_currency: expect.arrayContaining([
        { currency: 'EUR', owed: 123.4 },
        { currency: 'USD', owed: 123.4 },
      ]),
    });
    const html = await sent(`/dashboard?company_id=${company.id}`);
    expect(html).toContain('€123.40');
    expect(html).toContain('$123.40');
  });
});
