import { locationDocument } from '../../domain/locations/location-document.js';
import { UnitDirectory } from '#domain/units/index.js';
import { MissingUnits } from '#api/push/bulk/missing-units.js';

const WRITER = { company_id: 'C', source: 'push' } as const;

it('a page looks at 5,000 units at most, and the next one goes on behind them', async () => {
  const ids = Array.from({ length: 5_001 }, (_, place) => String(place).padStart(5, '0'));
  let read = 0;
  const listOfLocation = ({ from, limit }: { from?: string | undefined; limit: number }) => {
    const first = from === undefined || from === '' ? 0 : ids.indexOf(from);
    const page = ids.slice(first, first + limit);
    read += page.length;
    return Promise.resolve(
      page.map((unit_id) => ({ unit_id, crm_unit_id: unit_id, location_id: 'L', source_type: 'push' })),
    );
  };
  const locationsOfCompany = () =>
    Promise.resolve([{ ...locationDocument('L', 'C'), pms_location_code: 'MAIN' }]);
  const units = Object.assign(new UnitDirectory({} as never), { listOfLocation });
  const missing = new MissingUnits(units, { locationsOfCompany } as never);
  const last = ids.at(-1)!;
  const range = { codes: ['MAIN'], named: new Set(ids.slice(0, -1)), limit: 10 };
  const first = await missing.page(WRITER, { ...range, cursor: undefined });
  expect(first.crm_unit_ids).toEqual([]);
  expect(read).toBeLessThan(5_600);
  const second = await missing.page(WRITER, { ...range, cursor: first.next_cursor! });
  expect(second).toEqual({ crm_unit_ids: [last], next_cursor: null });
});
