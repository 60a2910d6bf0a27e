import { type Company, demand, Service } from '../../support/service.js';
import { statusCounts } from '../../support/status-counts.js';

const POINTS = 10;
const KEY = { 'Idempotency-Key': 'used' };

let service: Service;
let company: Company;
beforeAll(async () => {
  service = await Service.start({ environment: { RATE_LIMIT_PMS_BULK: String(POINTS) } });
  company = await service.company();
});
afterAll(() => service.close());

test('a used key with another large body takes a point each time, and is 429 in the end', async () => {
  const first = [{ crm_unit_id: 'A-1', occupied: false }];
  demand(200, await company.sync(first, KEY));
  const others = Array.from({ length: 500 }, (_, n) => ({ crm_unit_id: `B-${n}`, occupied: false }));
  const tries: ReturnType<Company['sync']>[] = [];
  for (let n = 0; n < 2 * POINTS; n += 1) {
    tries.push(company.sync(others, KEY));
    await tries.at(-1);
  }
  expect(await statusCounts(tries)).toEqual({ 409: POINTS - 1, 429: POINTS + 1 });
  const replayed = await company.sync(first, KEY);
  expect([replayed.status, replayed.headers['idempotency-replayed']]).toEqual([200, 'true']);
});
