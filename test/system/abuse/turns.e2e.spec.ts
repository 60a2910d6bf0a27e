import type { Answer } from '../../support/http-client.js';
import { type Company, demand, Service } from '../../support/service.js';
import { clockOfLongTurns, turnsDuring } from '../../support/turns.js';
import { statusCounts } from '../../support/status-counts.js';

const UNITS = 500;
const AT_ONCE = 4;

let service: Service;
let company: Company;
beforeAll(async () => {
  service = await Service.start();
  company = await service.company();
  demand(200, await company.sync(units));
});
afterAll(() => service.close());

const units = Array.from({ length: UNITS }, (_, n) => ({
  crm_unit_id: `A-${n}`,
  occupied: true,
  move_in_date: '2025-12-01',
  pms_tenant_id: `t-${n}`,
  tenant: { first_name: 'Ada', last_name: 'Park' },
}));

afterEach(() => jest.restoreAllMocks());

test('comparisons of 500 units leave the event loop to others after each unit that takes long to read', async () => {
  jest.spyOn(performance, 'now').mockImplementation(clockOfLongTurns());
  const compare = () => company.push('post', '/units/compare', { units });
  const turns = await turnsDuring(async () => {
    const answers = Array.from({ length: AT_ONCE }, compare);
    expect(await statusCounts(answers)).toEqual({ 200: AT_ONCE });
  });
  expect(turns).toBeGreaterThan(AT_ONCE * UNITS);
});

test('a comparison of one company gets as much time as all comparisons of another', async () => {
  const other = await service.company();
  demand(200, await other.sync(units.slice(0, 100)));
  jest.spyOn(performance, 'now').mockImplementation(clockOfLongTurns());
  const few = units.slice(0, 100);
  const compare = () => other.push('post', '/units/compare', { units: few });
  const alone = await turnsDuring(compare);
  let comparisons: Promise<Answer>[] = [];
  const beside = await turnsDuring(() => {
    // First: turns that are counted as long pass fast, and a request on its way would miss many of them.
    const compared = compare();
    comparisons = Array.from({ length: 8 }, () => company.push('post', '/units/compare', { units }));
    return compared;
  });
  expect(beside).toBeLessThan(3 * alone);
  expect(await statusCounts(comparisons)).toEqual({ 200: 8 });
});
