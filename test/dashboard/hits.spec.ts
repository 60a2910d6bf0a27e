import type { Found } from '#api/operator/index.js';
import { hitsOf } from '#dashboard/find/hits.js';

const location = { id: 'L', name: 'Lake Street', timezone: 'UTC', currency: 'USD' };
const unit = (unit_name: string) => ({
  unit_id: unit_name,
  unit_name,
  location,
  company_id: 'C',
  tenant: null,
});
const tenant = (name: string) => {
  const units = [unit(`Unit of ${name}`)];
  return { tenant_id: name, name, phone: null, company_id: 'C', location_id: 'L', units, unit_count: 1 };
};
const found = (...names: readonly string[]) =>
  ({
    units: [],
    tenants: names.map(tenant),
    companies: [],
    locations: [],
    gates: [],
    locks: [],
    companyNames: new Map(),
  }) as unknown as Found;
const titles = (of: Found, limit: number) => hitsOf(of, 'par', limit).map(({ title }) => title);

it('rows of the palette are tenants’ pages and their units', () => {
  expect(titles(found('June Park'), 10).toSorted()).toEqual(['June Park', 'Unit of June Park']);
});

it('no unit is left out of the palette for its tenant’s own page', () => {
  expect(titles(found('June Park', 'Ada Parr'), 2).toSorted()).toEqual([
    'Unit of Ada Parr',
    'Unit of June Park',
  ]);
});
