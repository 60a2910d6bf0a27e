import { type RejectedRows, rejectionsAtSites } from '#api/push/bulk/rejected-rows.js';

const row = (crm_unit_id: string) => ({ crm_unit_id, pms_location_code: undefined });
const error = (index: number | undefined, code: 'duplicate' | 'required' = 'required') => ({
  row: index,
  code: 'validation_failed' as const,
  details: [{ field: `units.${index}.occupied`, code, message: `It is ${code}.` }],
});
const given = (rows: RejectedRows['rows'], errors: RejectedRows['errors'], refused = false) => ({
  rows,
  errors,
  refused,
});

describe('the rejections at sites', () => {
  it('leave out a site whose rows were all taken', () => {
    const rejected = given([row('N'), row('S')], [error(1)]);
    expect(rejectionsAtSites(rejected, ['north', 'south'])).toMatchObject([{ location_id: 'south' }]);
  });

  it('leave out rows whose site is not known', () => {
    const rejected = given([row('N'), row('?')], [error(0), error(1)]);
    expect(rejectionsAtSites(rejected, ['north', undefined])).toMatchObject([
      { location_id: 'north', total: 1, error_count: 1, reasons: [{ rows: 1, crm_unit_ids: ['N'] }] },
    ]);
  });

  it('have a sample of each site', () => {
    const rows = ['S1', 'S2', 'S3', 'S4', 'N'].map(row);
    const rejected = given(
      rows,
      rows.map((_, index) => error(index)),
    );
    const places = ['south', 'south', 'south', 'south', 'north'];
    expect(rejectionsAtSites(rejected, places)).toMatchObject([
      { location_id: 'south', reasons: [{ rows: 4, crm_unit_ids: ['S1', 'S2', 'S3'] }] },
      { location_id: 'north', reasons: [{ rows: 1, crm_unit_ids: ['N'] }] },
    ]);
  });

  it('have every site of a bulk that was refused as a whole, with its own faults', () => {
    const rejected = given([row('N'), row('S')], [error(1, 'duplicate'), error(undefined)], true);
    expect(rejectionsAtSites(rejected, ['north', 'south'])).toMatchObject([
      { location_id: 'north', refused: true, total: 1, error_count: 1, reasons: [] },
      { location_id: 'south', refused: true, total: 1, reasons: [{ code: 'duplicate' }] },
    ]);
  });
});
