import { type Company, demand, Service } from '../../support/service.js';

const PASSWORD = 'mia has a password';
const vacant = { occupied: false };
const wrong = { occupied: 'perhaps' };

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.manualClock.advance(60_000);
  company = await service.company({ pms_location_code: 'NORTH' }, { pms_location_code: 'SOUTH' });
});

const idOf = (code: string) => company.locations.get(code)!;

/** What Today tells an operator of these sites of rejected rows. */
async function toldAt(...codes: string[]) {
  const email = `${company.id}-${codes.join('-')}@example.com`.toLowerCase();
  await service.addOperator({ email, password: PASSWORD, role: 'auditor', locations: codes.map(idOf) });
  const session = await service.call('post', '/api/operator/sessions', {
    body: { email, password: PASSWORD },
  });
  const { token } = demand(201, session);
  const path = `/api/operator/companies/${company.id}/today`;
  return demand(200, await service.call('get', path, { token })).rejected_bulks;
}
const toldAll = async () =>
  demand(200, await service.operator('get', `/companies/${company.id}/today`)).rejected_bulks;
const rowsOf = (code: string, count: number, facts: object) =>
  Array.from({ length: count }, (_, index) => ({
    crm_unit_id: `${code}-${index}`,
    pms_location_code: code,
    ...facts,
  }));

describe('rejected rows of an operator’s site', () => {
  it('are told although three of another site come before them', async () => {
    demand(200, await company.sync([...rowsOf('SOUTH', 4, wrong), ...rowsOf('NORTH', 1, wrong)]));
    expect(await toldAt('NORTH')).toMatchObject([
      { name: 'PMS', total: 1, error_count: 1, reasons: [{ rows: 1, crm_unit_ids: ['NORTH-0'] }] },
    ]);
  });

  it('are counted among the rows of that site alone', async () => {
    const sound = rowsOf('NORTH', 3, vacant);
    demand(200, await company.sync([...sound, ...rowsOf('SOUTH', 2, vacant)]));
    const broken = [sound[0], sound[1], { ...sound[2], ...wrong }, ...rowsOf('SOUTH', 2, wrong)];
    demand(200, await company.sync(broken));
    expect(await toldAt('NORTH')).toMatchObject([{ total: 3, error_count: 1 }]);
  });

  it('of a known unit are told though the row names no location', async () => {
    demand(200, await company.sync(rowsOf('NORTH', 1, vacant)));
    demand(200, await company.sync([{ crm_unit_id: 'NORTH-0', ...wrong }]));
    expect(await toldAt('NORTH')).toMatchObject([{ error_count: 1 }]);
  });

  it('of a known unit are not told where its code names this site', async () => {
    demand(200, await company.sync(rowsOf('SOUTH', 1, vacant)));
    demand(200, await company.sync([{ crm_unit_id: 'SOUTH-0', pms_location_code: 'NORTH', ...vacant }]));
    expect(await toldAt('NORTH')).toEqual([]);
    expect(await toldAt('SOUTH')).toMatchObject([
      { reasons: [{ code: 'unit_at_other_location', crm_unit_ids: ['SOUTH-0'] }] },
    ]);
  });

  it('of an unknown unit without a location are told to operators of the company alone', async () => {
    demand(200, await company.sync([{ crm_unit_id: 'X-1', ...wrong }]));
    expect(await toldAt('NORTH', 'SOUTH')).toEqual([]);
    expect(await toldAll()).toMatchObject([{ error_count: 1 }]);
  });

  it('of an unknown location are told to operators of the company alone', async () => {
    demand(200, await company.sync(rowsOf('EAST', 1, vacant)));
    expect(await toldAt('NORTH', 'SOUTH')).toEqual([]);
    expect(await toldAll()).toMatchObject([{ reasons: [{ field: 'pms_location_code' }] }]);
  });

  it('without an identifier are told by their code', async () => {
    const row = { crm_unit_id: 'ulid:x', pms_location_code: 'NORTH', ...vacant };
    demand(200, await company.sync([row]));
    expect(await toldAt('NORTH')).toMatchObject([
      { error_count: 1, reasons: [{ field: 'crm_unit_id', rows: 1, crm_unit_ids: [] }] },
    ]);
  });

  it('stay told when a later bulk rejects rows of another site', async () => {
    demand(200, await company.sync(rowsOf('NORTH', 1, wrong)));
    service.manualClock.advance(1_000);
    demand(200, await company.sync(rowsOf('SOUTH', 1, wrong)));
    expect(await toldAt('NORTH')).toMatchObject([{ reasons: [{ crm_unit_ids: ['NORTH-0'] }] }]);
    expect(await toldAt('NORTH', 'SOUTH')).toHaveLength(2);
  });

  it('of one bulk are one entry to an operator of both sites', async () => {
    demand(200, await company.sync([...rowsOf('NORTH', 2, wrong), ...rowsOf('SOUTH', 2, wrong)]));
    expect(await toldAt('NORTH', 'SOUTH')).toMatchObject([
      { total: 4, error_count: 4, reasons: [{ rows: 4, crm_unit_ids: ['NORTH-0', 'NORTH-1', 'SOUTH-0'] }] },
    ]);
  });

  it('are no longer told a day later', async () => {
    demand(200, await company.sync(rowsOf('NORTH', 1, wrong)));
    service.manualClock.advance(24 * 60 * 60_000);
    expect(await toldAt('NORTH')).toEqual([]);
  });
});

describe('a bulk that was refused as a whole', () => {
  it('is told with all rows of the operator’s site, and with no fault of another site', async () => {
    const twice = rowsOf('SOUTH', 1, vacant);
    const refused = await company.sync([...rowsOf('NORTH', 2, vacant), ...twice, ...twice]);
    expect(refused.status).toBe(422);
    expect(await toldAt('NORTH')).toMatchObject([{ refused: true, total: 2, error_count: 2, reasons: [] }]);
    expect(await toldAt('SOUTH')).toMatchObject([{ total: 2, reasons: [{ code: 'duplicate', rows: 1 }] }]);
  });
});

it('A row without a location belongs to the only location of its company', async () => {
  company = await service.company({ pms_location_code: 'NORTH' });
  demand(200, await company.sync([{ crm_unit_id: 'N-1', ...wrong }]));
  expect(await toldAt('NORTH')).toMatchObject([{ reasons: [{ crm_unit_ids: ['N-1'] }] }]);
});
