import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;
/** Paths of units' pages by `crm_unit_id`. */
const pages: Record<string, string> = {};

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
  company = await service.company();
  const units = `/locations/${company.locations.get('MAIN')}/units`;
  for (const crm_unit_id of ['S-10', 'S-9', 'S-1']) {
    const { unit_id } = demand(201, await service.operator('post', units, { crm_unit_id }));
    pages[crm_unit_id] = `/dashboard/units/${unit_id}`;
  }
  const { unit_id } = demand(201, await company.moveIn('P-1', { pms_tenant_id: 't-p' }));
  pages['P-1'] = `/dashboard/units/${unit_id}`;
  await admin.visit(pages['S-1']!);
  await admin.submit('move-in', { name: 'Ada', phone: '(312) 561-0100', move_in_date: '2025-11-01' });
});
afterAll(() => service.close());

const idOf = (unit: string) => pages[unit]!.split('/').at(-1)!;

it('the page of a standalone unit offers vacant ones by number, and names a choice that is missing', async () => {
  await admin.visit(pages['S-1']!);
  const options = [...admin.html.matchAll(/<option value="([^"]*)"[^>]*>S-/g)].map(([, id]) => id);
  expect(options).toEqual([idOf('S-9'), idOf('S-10')]);
  await admin.submit('transfer');
  expect(admin.shown.status).toBe(422);
  expect(admin.text).toContain('“New unit”');
});

it('a tenant is moved from page to page, and both histories name the other unit', async () => {
  await admin.visit(pages['S-1']!);
  await admin.submit('transfer', { to_unit_id: idOf('S-9') });
  expect(admin.shown.path).toBe(`${pages['S-9']}?done=transferred`);
  expect(admin.text).toContain('The tenant is moved here. The other unit is vacant.');
  await admin.visit(`${pages['S-9']}/history`);
  expect(admin.text).toContain('from unit: none → S-1');
  await admin.visit(`${pages['S-1']}/history`);
  expect(admin.text).toContain('to unit: none → S-9');
});

it('the page of a unit of a PMS says which writes the PMS sends', async () => {
  await admin.visit(pages['P-1']!);
  expect(admin.forms).not.toContain('transfer');
  expect(admin.text).toContain('It sends two writes');
  expect(admin.text).toMatch(/the new unit with pms_tenant_id t-p .* P-1 as not occupied/);
});
