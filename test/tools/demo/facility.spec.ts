import { addDays, dateIn, localTime } from '../../../tools/demo/calendar.js';
import { readFacility, toBulkEntry } from '../../../tools/demo/facility.js';

const TODAY = '2026-03-01';

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

  it('becomes bulk entries whose dates are counted from today', () => {
    const ada = units.find(({ crm_unit_id }) => crm_unit_id === 'B-114')!;
    expect(toBulkEntry(ada, 'LAKE-ST', TODAY)).toEqual({
      crm_unit_id: 'B-114',
      unit_name: 'B-114 (10x15 ft)',
      pms_location_code: 'LAKE-ST',
      occupied: true,
      tenant: ada.tenant,
      ledger_id: 'L-B-114',
      move_in_date: addDays(TODAY, -430),
      paid_through_date: '2026-03-13',
      balance_due: 0,
      pms_status_raw: 'Rented',
    });
  });

  it('says nothing of a tenant where there is none', () => {
    const vacant = units.find(({ tenant }) => tenant === undefined)!;
    expect(Object.keys(toBulkEntry(vacant, 'LAKE-ST', TODAY)).sort()).toEqual(
      expect.not.arrayContaining(['tenant', 'ledger_id', 'move_in_date', 'paid_through_date', 'balance_due']),
    );
  });
});

describe('dates', () => {
  it('are those of the place', () => {
    const instant = new Date('2026-03-01T05:30:00Z');
    expect(dateIn('America/Chicago', instant)).toBe('2026-02-28');
    expect(dateIn('UTC', instant)).toBe('2026-03-01');
  });

  it('are counted over the ends of months and years', () => {
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(addDays('2025-12-31', 1)).toBe('2026-01-01');
  });

  it('are shown with the time of day there', () => {
    expect(localTime('America/Chicago', '2026-03-01T06:05:09.123Z')).toBe('2026-03-01 00:05:09');
  });
});
