import { resultsAtOnce } from '../../support/barrier.js';
import { checkedStreams, foldUnit } from '../../support/log-check.js';
import { type Company, demand, Service } from '../../support/service.js';

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
});

const times = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, number) => make(number));

/** Every stream is sound, and every unit stands in the lists and alone as its events make it. */
async function expectViewsOfLog(): Promise<void> {
  const streams = checkedStreams(await company.unitEvents());
  const listed = await company.list('limit=500');
  expect(listed).toHaveLength(streams.size);
  const folds = new Map(
    [...streams.values()].map((events) => [events[0]!.data['unit_id'], foldUnit(events)]),
  );
  for (const unit of listed) {
    const { facts, revision, unit_name } = folds.get(unit.unit_id)!;
    expect([unit.facts, unit.revision, unit.unit_name]).toEqual([
      { ...facts, balance_due: facts.balance_due / 100 },
      revision,
      unit_name,
    ]);
  }
  const byState = await Promise.all(
    ['vacant', 'tenant_permitted', 'tenant_denied', 'auction', 'unrentable'].map(async (state) => {
      const units = await company.list(`limit=500&state=${state}`);
      return units.map((unit) => [unit.crm_unit_id, unit.access.state, state]);
    }),
  );
  expect(byState.flat()).toHaveLength(streams.size);
  expect(byState.flat().filter(([, shown, asked]) => shown !== asked)).toEqual([]);
}

describe('writes at once', () => {
  it('200 move-ins on one identifier make one unit: one is told 201, the others 200', async () => {
    const answers = await resultsAtOnce(times(200, () => () => company.moveIn('A-1')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...times(199, () => 200), 201]);
    expect(new Set(answers.map(({ body }) => body.data.unit_id)).size).toBe(1);
    expect(await company.eventTypes()).toEqual(['UnitRegistered', 'TenantMovedIn']);
    await expectViewsOfLog();
  });

  it('200 move-ins of different tenants on one identifier leave one of them there, and every one in the log', async () => {
    const answers = await resultsAtOnce(
      times(200, (n) => () => company.moveIn('A-1', { pms_tenant_id: `t-${n}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const moves = (await company.unitEvents()).filter(({ type }) => type === 'TenantMovedIn');
    expect(new Set(moves.map(({ data }) => data['pms_tenant_id'])).size).toBe(200);
    expect((await company.unit('A-1')).facts.pms_tenant_id).toBe(moves.at(-1)!.data['pms_tenant_id']);
    await expectViewsOfLog();
  });

  it('a bulk of 500 and single writes on the same units lose nothing', async () => {
    const entries = (balance_due: number) =>
      times(500, (n) => ({
        crm_unit_id: `U-${n}`,
        occupied: true,
        pms_tenant_id: `t-${n % 100}`,
        move_in_date: '2025-12-01',
        balance_due,
        paid_through_date: '2025-12-01',
      }));
    demand(200, await company.sync(entries(0)));
    const singles = times(
      150,
      (n) => () => company.patch(`U-${(n * 3) % 500}`, { pms_status_raw: `s-${n}` }),
    );
    const bulks = [1, 2, 0].map((debt) => () => company.sync(entries(debt)));
    const answers = await resultsAtOnce([...bulks, ...singles]);
    expect(answers.map(({ status }) => status)).toEqual(times(153, () => 200));
    for (const { body } of answers.slice(0, 3)) {
      const { total, created, updated, unchanged, errors } = body.data;
      expect([total, created, errors, updated + unchanged]).toEqual([500, 0, [], 500]);
    }
    const statuses = (await company.unitEvents()).flatMap(({ data }) => data['pms_status_raw'] ?? []);
    expect([...new Set(statuses)].sort()).toEqual(times(150, (n) => `s-${n}`).sort());
    await expectViewsOfLog();
  });

  it('on the units of one tenant converge to decisions of one age', async () => {
    for (let round = 0; round < 15; round += 1) {
      const units = times(4, (n) => `R${round}-${n}`);
      const tenant = { pms_tenant_id: `t-${round}` };
      await resultsAtOnce(units.map((unit) => () => company.moveIn(unit, tenant)));
      const debt = { balance_due: 5, paid_through_date: '2025-12-01' };
      const denied = round % 2 === 0;
      await resultsAtOnce([
        () => company.patch(units[0]!, debt),
        () => company.patch(units[1]!, debt),
        () => company.patch(units[2]!, { pms_status_raw: 'x' }),
      ]);
      await resultsAtOnce([
        () => company.patch(units[0]!, { balance_due: 0 }),
        () => company.patch(units[1]!, { balance_due: denied ? 6 : 0 }),
        () => company.patch(units[3]!, { pms_status_raw: 'x' }),
      ]);
      const access = await Promise.all(units.map((unit) => company.access(unit)));
      const others = denied ? 'tenant_denied blanket_delinquency' : 'tenant_permitted active';
      const second = denied ? 'tenant_denied delinquent' : 'tenant_permitted active';
      expect(access).toEqual([others, second, others, others]);
    }
    await expectViewsOfLog();
  });

  it('moves in, out and over, with overrides and policy in between, leave the views a fold of the log', async () => {
    await resultsAtOnce(times(12, (n) => () => company.moveIn(`U-${n}`, { pms_tenant_id: `t-${n % 3}` })));
    const ids = await Promise.all(times(12, async (n) => (await company.unit(`U-${n}`)).unit_id as string));
    const location = `/locations/${company.locations.get('MAIN')}`;
    const debt = { balance_due: 5, paid_through_date: '2025-12-01' };
    await resultsAtOnce(
      times(12, (n) => [
        () => company.moveOut(`U-${n}`),
        () => company.moveIn(`U-${n}`, { pms_tenant_id: `t-${(n + 1) % 3}` }),
        () => company.patch(`U-${n}`, n % 2 === 0 ? debt : { pms_auction: n % 3 === 0 }),
        () => service.operator('put', `/units/${ids[n]}/override`, { override: 'exempt', reason: 'r' }),
        () => service.operator('patch', location, { grace_period_days: n }),
        () => service.operator('patch', `/units/${ids[n]}/name`, { unit_name: `N-${n}` }),
      ]).flat(),
    );
    await expectViewsOfLog();
    const before = await company.list();
    await service.restart();
    expect(await company.list()).toEqual(before);
  });

  it('different companies do not meet', async () => {
    const others = [company, await service.company(), await service.company()];
    const answers = await resultsAtOnce(
      others.flatMap((one) => times(20, (n) => () => one.moveIn(`U-${n}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(times(60, () => 201));
    for (const one of others) expect(await one.list()).toHaveLength(20);
  });
});
