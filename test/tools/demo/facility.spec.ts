import { readFacility } from '../../../tools/demo/facility.js';

describe('the facility', () => {
  const units = readFacility();

  it('has 500 different units, 440 of them rented', () => {
    expect(new Set(units.map(({ crm_unit_id }) => crm_unit_id)).size).toBe(500);
    expect(units.filter(({ tenant }) => tenant !== undefined)).toHaveLength(440);
  });

  it('names nobody who exists: addresses and numbers are those set aside for fiction', () => {
    for (const { tenant } of units) {
      expect(tenant?.email ?? 'nobody@example.com').toMatch(/^[a-z]+\.[a-z]+@example\.com$|^nobody@/);
      expect(tenant?.phone ?? '+13125550100').toMatch(/^\+1\d{3}55501\d{2}$/);
    }
  });

  it('gives a phone number to one person only', () => {
    const people = new Map(
      units.flatMap(({ tenant }) => (tenant ? [[tenant.pms_tenant_id, tenant.phone]] : [])),
    );
    expect(new Set(people.values()).size).toBe(people.size);
  });
});
