import { type Company, demand, Service } from '../../../support/service.js';

let service: Service;
let company: Company;
let path: string;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  path = `/locations/${company.locations.get('MAIN')}/setup`;
  demand(201, await company.moveIn('A-1'));
  demand(200, await company.sync([{ crm_unit_id: 'A-2', occupied: false }]));
});

const setUp = async (body: object, query = '') =>
  demand(200, await service.operator('post', `${path}${query}`, body));
const isRoundTheClock = async () => {
  const { unit_id } = await company.unit('A-1');
  return demand(200, await service.operator('get', `/units/${unit_id}`)).round_the_clock;
};

describe('a set-up', () => {
  it('makes units round the clock, and ends it, by CSV', async () => {
    const done = await setUp({ csv: 'unit,round_the_clock\nA-1,yes' });
    expect(done.rows[0].changes).toEqual(['round_the_clock_granted']);
    expect(await isRoundTheClock()).toBe(true);
    expect((await setUp({ csv: 'unit,round the clock\nA-1,yes' })).unchanged).toBe(1);
    await setUp({ rows: [{ unit: 'A-1', round_the_clock: false }] });
    expect(await isRoundTheClock()).toBe(false);
  });

  it('changes nothing in a dry run, which tells what it would', async () => {
    const tried = await setUp({ rows: [{ unit: 'A-1', round_the_clock: true }] }, '?dry_run=true');
    expect(tried.rows[0].changes).toEqual(['round_the_clock_granted']);
    expect(await isRoundTheClock()).toBe(false);
  });

  it('refuses a vacant unit and another word, each at its row', async () => {
    const { errors } = await setUp({ csv: 'unit,round_the_clock\nA-2,yes\nA-1,maybe' });
    expect(
      errors.map(({ row, details }: { row: number; details: object[] }) => [row, details]),
    ).toMatchObject([
      [1, [{ field: 'round_the_clock', code: 'conflict' }]],
      [2, [{ field: 'round_the_clock', code: 'type' }]],
    ]);
    expect(await isRoundTheClock()).toBe(false);
  });
});
