import { type Company, demand, Service } from '../../support/service.js';

let service: Service;
let company: Company;
let path: string;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN' }, { pms_location_code: 'SIDE' });
  path = `/locations/${company.locations.get('MAIN')}`;
  const unit = (crm_unit_id: string, unit_name: string, pms_location_code = 'MAIN') => ({
    ...{ crm_unit_id, unit_name, pms_location_code, occupied: false },
  });
  const units = [unit('u-1', 'A-1'), unit('u-2', 'A-2'), unit('u-3', 'Twin'), unit('u-4', 'Twin')];
  demand(200, await company.sync([...units, unit('u-5', 'Side', 'SIDE'), unit('A-2', 'B-7')]));
});
afterAll(() => service.close());

const setUp = (body: object, query = '') => service.operator('post', `${path}/setup${query}`, body);
const unitNamed = async (crm_unit_id: string) =>
  demand(200, await service.operator('get', `/units/${(await company.unit(crm_unit_id)).unit_id}`));

it('sets up rows as its dry run said, and once', async () => {
  const rows = [
    { unit: 'A-1', zone: 'North', lock: 'Latch 1', serial: 'S-1' },
    { unit: 'u-2', zone: 'North', serial: 'S-2' },
    { unit: 'nobody', zone: 'Elsewhere' },
    { unit: 'Side', zone: 'North' },
    { unit: 'Twin', zone: 'North' },
    { unit: 'A-2', zone: 'North' },
    { unit: 'u-3', lock: 'S-2', serial: 'S-2' },
    { unit: 'A-1' },
    { unit: 'A-1', zone: 'North', colour: 'red' },
    'A-1',
  ];
  const written = (await service.events()).length;
  const tried = await setUp({ rows }, '?dry_run=true');
  expect(tried.body.message).toBe('Dry run: nothing was stored.');
  expect((await service.events()).length).toBe(written);
  const { dry_run, rows: wouldBe, ...counts } = demand(200, tried);
  expect(dry_run).toBe(true);
  expect(counts).toMatchObject({ total: 10, changed: 2, unchanged: 0, zones_created: 1, locks_created: 2 });
  expect(counts.zones_without_entry_point).toEqual(['North']);
  expect(counts.errors).toMatchObject([
    { row: 3, unit: 'nobody', code: 'unit_not_found', error: 'Unit not found.' },
    { row: 4, unit: 'Side', code: 'unit_not_found' },
    {
      row: 5,
      unit: 'Twin',
      code: 'validation_failed',
      errors: { unit: [expect.stringContaining('several')] },
    },
    {
      row: 6,
      unit: 'A-2',
      code: 'validation_failed',
      errors: { unit: [expect.stringContaining('several')] },
    },
    { row: 7, unit: 'u-3', code: 'lock_on_another_unit' },
    { row: 8, unit: 'A-1', errors: { zone: [expect.stringContaining('is required')] } },
    { row: 9, unit: 'A-1', errors: { colour: ['The colour field is not allowed.'] } },
    { row: 10, unit: '', errors: { 'rows.9': ['The rows.9 field must be an object.'] } },
  ]);
  const done = await setUp({ rows });
  expect(done.body.message).toBe('Set-up completed with errors.');
  const { rows: were, ...same } = demand(200, done);
  expect(same).toEqual(counts);
  expect(were).toMatchObject([
    {
      ...{ row: 1, unit: 'A-1', unit_name: 'A-1', zone: 'North', lock: 'Latch 1' },
      changes: ['zone_created', 'unit_zoned', 'lock_created', 'lock_attached'],
    },
    {
      ...{ row: 2, unit: 'u-2', unit_name: 'A-2', zone: 'North', lock: 'S-2' },
      changes: ['unit_zoned', 'lock_created', 'lock_attached'],
    },
  ]);
  const ids = { zone_id: null, lock_id: null };
  expect(wouldBe).toEqual(were.map((row: object) => ({ ...row, ...ids })));
  const { locks, zones } = await unitNamed('u-1');
  expect(locks).toMatchObject([{ lock_id: were[0].lock_id, name: 'Latch 1', serial: 'S-1' }]);
  expect(zones).toEqual([{ zone_id: were[0].zone_id, name: 'North' }]);
  const stored = (await service.events()).length;
  expect(demand(200, await setUp({ rows }))).toMatchObject({ changed: 0, unchanged: 2, zones_created: 0 });
  expect((await service.events()).length).toBe(stored);
});

it.each([
  ['commas', 'Unit,Zone,Serial\nA-1,"East, upper",S-1\n\nu-2,East,\n'],
  ['tabs', '\uFEFFserial\tunit\tzone\r\nS-1\t A-1 \tEast, upper\r\n\tu-2\tEast'],
  ['tabs below a heading with commas', 'unit,zone,serial\n\nA-1\tEast, upper\tS-1\nu-2\tEast\t'],
  ['tabs below a heading of their own', 'unit,zone,lock,serial\nZone\tUnit\nEast, upper\tA-1\nEast\tu-2'],
  ['semicolons', 'unit;lock;zone;serial\nA-1;Latch 1;East, upper;S-1\nu-2;;East;'],
])('takes the rows as CSV, parted by %s', async (_, csv) => {
  const { rows, errors } = demand(200, await setUp({ csv }, '?dry_run=true'));
  expect(errors).toEqual([]);
  expect(rows).toMatchObject([
    { unit: 'A-1', zone: 'East, upper', changes: ['zone_created', 'unit_zoned'] },
    { unit: 'u-2', zone: 'East', lock: null, changes: ['zone_created', 'unit_zoned'] },
  ]);
});

it('makes units that do not exist where the request says so, but none of a row with a fault', async () => {
  const rows = [
    { unit: 'N-1', zone: 'North', lock: 'New 1' },
    { unit: 'N-1', lock: 'New 2' },
    { unit: 'N-2', lock: 'S-1', serial: 'S-1' },
    { unit: 'u-5', zone: 'North' },
    { unit: 'ulid:x', zone: 'North' },
    { unit: 'u-2', zone: 'North' },
  ];
  const without = demand(200, await setUp({ rows }, '?dry_run=true'));
  expect(without).toMatchObject({ changed: 0, units_created: 0 });
  expect(without.errors.map(({ code }: { code: string }) => code).slice(0, 2)).toEqual([
    'unit_not_found',
    'unit_not_found',
  ]);
  const written = (await service.events()).length;
  const { rows: wouldBe, ...counts } = demand(200, await setUp({ rows, add_units: true }, '?dry_run=true'));
  expect((await service.events()).length).toBe(written);
  expect(counts).toMatchObject({ total: 6, changed: 2, unchanged: 1, units_created: 1, locks_created: 2 });
  expect(counts.errors).toMatchObject([
    { row: 3, code: 'validation_failed', errors: { lock: [expect.stringContaining('is called Latch 1')] } },
    { row: 4, errors: { unit: ['Location SIDE has a unit u-5. Name this one otherwise, like MAIN u-5.'] } },
    { row: 5, errors: { unit: ['The unit field must not begin with ulid:.'] } },
  ]);
  expect(wouldBe[0]).toMatchObject({
    unit_id: null,
    unit_name: 'N-1',
    changes: expect.arrayContaining(['unit_created']),
  });
  const { rows: were, ...same } = demand(200, await setUp({ rows, add_units: true }));
  expect(counts).toEqual({ ...same, dry_run: true });
  const { unit_id } = await company.unit('N-1');
  expect(were).toMatchObject([
    { unit_id, changes: ['unit_created', 'unit_zoned', 'lock_created', 'lock_attached'] },
    { unit_id, changes: ['lock_created', 'lock_attached'] },
    { unit: 'u-2', changes: [] },
  ]);
  expect((await company.push('get', '/units/N-2')).status).toBe(404);
  expect(demand(200, await setUp({ rows, add_units: true }))).toMatchObject({ changed: 0, units_created: 0 });
  const flag = (await setUp({ rows, add_units: 'yes' })).body;
  expect(flag.errors).toEqual({ add_units: ['The add units field must be true or false.'] });
});

it('that is sent twice at once makes each unit once, and refuses no row', async () => {
  const rows = ['T-1', 'T-2', 'T-3'].map((unit) => ({ unit, zone: 'Twice', lock: `Lock ${unit}` }));
  const sent = await Promise.all([setUp({ rows, add_units: true }), setUp({ rows, add_units: true })]);
  const results = sent.map((answer) => demand(200, answer));
  expect(results.map(({ errors }) => errors)).toEqual([[], []]);
  const made = (name: string) => results.reduce((sum, result) => sum + (result[name] as number), 0);
  expect([made('units_created'), made('zones_created'), made('locks_created')]).toEqual([3, 1, 3]);
});

it('warns once of a new unit where a PMS sends units', async () => {
  const rows = [
    { unit: 'W-1', zone: 'North' },
    { unit: 'W-1', lock: 'Latch W' },
  ];
  const { warnings } = demand(200, await setUp({ rows, add_units: true }, '?dry_run=true'));
  expect(warnings).toMatchObject([{ row: 1, unit: 'W-1', code: 'unit_beside_pms' }]);
});

it('does not warn of new units where no PMS sends any', async () => {
  const own = await service.company({ pms_location_code: 'OWN' });
  const path = `/locations/${own.locations.get('OWN')}/setup`;
  const body = { rows: [{ unit: 'W-1', zone: 'North' }], add_units: true };
  demand(200, await service.operator('post', path, body));
  const again = { rows: [{ unit: 'W-2', zone: 'North' }], add_units: true };
  expect(demand(200, await service.operator('post', path, again)).warnings).toEqual([]);
});

it('warns of rows that may be mistakes', async () => {
  const rows = [
    { unit: 'u-1', zone: 'NORTH' },
    { unit: 'u-2', serial: 'S-9' },
  ];
  const { warnings } = demand(200, await setUp({ rows }, '?dry_run=true'));
  expect(warnings).toMatchObject([
    { row: 1, unit: 'u-1', code: 'zone_name_similar', message: expect.stringContaining('but North exists') },
    { row: 1, unit: 'u-1', code: 'unit_in_other_zone' },
    { row: 2, unit: 'u-2', code: 'unit_has_other_lock', message: expect.stringContaining('keeps S-2, too') },
  ]);
});

it('takes a CSV text of 256,000 characters, and none longer', async () => {
  const csv = 'unit,zone\nA-1,East'.padEnd(256_000, '\n');
  expect(demand(200, await setUp({ csv }, '?dry_run=true'))).toMatchObject({ total: 1, changed: 1 });
  const { status, body } = await setUp({ csv: `${csv}\n` }, '?dry_run=true');
  expect(status).toBe(422);
  expect(body.errors).toEqual({ csv: ['The csv field must not have more than 256000 characters.'] });
});

it('refuses rows with too few or too many cells alone', async () => {
  const csv = 'zone,unit\nEast,A-1\n\nEast\nEast,u-2,S-1';
  const { rows, errors } = demand(200, await setUp({ csv }, '?dry_run=true'));
  expect(rows).toMatchObject([{ row: 1, unit: 'A-1' }]);
  expect(errors).toMatchObject([
    { row: 2, unit: '', error: 'The row has 1 cell instead of 2.' },
    { row: 3, unit: 'u-2', error: 'The row has 3 cells instead of 2.' },
  ]);
});

it.each<[string, object, string]>([
  ['neither rows nor CSV', {}, 'The rows field is required.'],
  ['both', { rows: [], csv: '' }, 'The csv field is not allowed beside rows.'],
  ['no list', { rows: 'A-1' }, 'The rows field must be an array.'],
  ['no row', { rows: [] }, 'The rows field must have at least 1 row.'],
  ['501 rows', { rows: new Array(501).fill({}) }, 'The rows field must not have more than 500 rows.'],
  ['501 lines', { csv: `unit\n${'A\n'.repeat(501)}` }, 'The csv field must not have more than 500 rows.'],
  [
    '501 lines below two heads',
    { csv: `unit\nunit\n${'A\n'.repeat(501)}` },
    'The csv field must not have more than 500 rows.',
  ],
  ['two heads alone', { csv: 'unit,zone\nUnit,Zone' }, 'The csv field must have at least 1 row.'],
  ['a head alone', { csv: 'unit,zone' }, 'The csv field must have at least 1 row.'],
  [
    'an unknown column',
    { csv: 'unit,colour\nA,b' },
    'The csv field must begin with a line that names its columns',
  ],
  ['a column twice', { csv: 'unit,unit\nA,b' }, 'The csv field must begin with a line'],
  ['no column of units', { csv: 'zone\nNorth' }, 'The csv field must begin with a line'],
  ['an open quote', { csv: 'unit,zone\n"A,b' }, 'The csv field cannot be read: Quote Not Closed'],
  ['no text', { csv: 1 }, 'The csv field must be a string.'],
  ['another field', { rows: [{}], units: [] }, 'The units field is not allowed.'],
])('refuses %s as a whole', async (_, body, said) => {
  const { status, body: answer } = await setUp(body);
  expect(status).toBe(422);
  expect(Object.values(answer.errors).flat()).toEqual([expect.stringContaining(said)]);
});

it('finds each unit of a location of more than one page, and no retired one', async () => {
  const many = await service.company();
  const names = Array.from({ length: 1_001 }, (_, place) => `M-${place}`);
  for (let from = 0; from < names.length; from += 500) {
    const part = names.slice(from, from + 500);
    await many.sync(part.map((crm_unit_id) => ({ crm_unit_id, occupied: false })));
  }
  const { unit_id } = await many.unit('M-7');
  demand(200, await service.operator('put', `/units/${unit_id}/retired`));
  const rows = ['M-0', 'M-499', 'M-500', 'M-999', 'M-1000', 'M-7'].map((unit) => ({ unit, zone: 'All' }));
  const to = `/locations/${many.locations.get('MAIN')}/setup`;
  const { changed, errors } = demand(200, await service.operator('post', to, { rows }));
  expect([changed, errors]).toMatchObject([5, [{ unit: 'M-7', code: 'unit_not_found' }]]);
});
