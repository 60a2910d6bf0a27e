import { LOCKOUT_DAYS_VIEW } from '#domain/history/lockouts/lockout-days.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface LastDay {
  readonly date: string;
  readonly tenants: number;
  readonly owed_by_currency: readonly { readonly currency: string; readonly owed: number }[];
  readonly openings: number;
  readonly refusals: number;
  readonly denied_openings: number;
}

let service: Service;
let company: Company;
let gate: string;

/** The clock begins on 1 January 2026, 18:00 on 31 December in Chicago. */
beforeAll(async () => {
  service = await Service.start();
  company = await service.company(
    { pms_location_code: 'MAIN', timezone: 'America/Chicago', grace_period_days: 0 },
    { pms_location_code: 'PARIS', timezone: 'Europe/Paris', grace_period_days: 0 },
  );
  const paris = `/locations/${company.locations.get('PARIS')}`;
  demand(200, await service.operator('patch', paris, { currency: 'EUR' }));
  const rented = (crm_unit_id: string, pms_tenant_id: string, pms_location_code: string) => ({
    ...{ crm_unit_id, pms_location_code, occupied: true, move_in_date: '2025-10-01' },
    tenant: { pms_tenant_id, first_name: 'Ada', last_name: pms_tenant_id },
  });
  demand(
    200,
    await company.sync([
      rented('A-1', 'T-1', 'MAIN'),
      rented('A-2', 'T-1', 'MAIN'),
      rented('A-3', 'T-3', 'MAIN'),
      rented('P-1', 'T-1', 'PARIS'),
    ]),
  );
  const location = `/locations/${company.locations.get('MAIN')}`;
  const { zone_id } = demand(201, await service.operator('post', `${location}/zones`, { name: 'East' }));
  for (const name of ['A-1', 'A-2', 'A-3']) {
    const { unit_id } = await company.unit(name);
    demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  }
  const body = { name: 'East gate', kind: 'gate', zone_ids: [zone_id] };
  ({ entry_point_id: gate } = demand(201, await service.operator('post', `${location}/entry-points`, body)));
});
afterAll(() => service.close());

/** Lets time pass until all is counted at a later instant. */
async function counted(): Promise<LastDay[]> {
  const now = service.clock.now();
  const { last_days } = await waitUntil(
    async () => {
      service.manualClock.advance(MINUTE);
      return demand(200, await service.operator('get', `/companies/${company.id}/today`));
    },
    ({ last_days: { counted_at } }) => counted_at !== null && Date.parse(counted_at) > now,
  );
  return last_days.dates;
}

async function tap(pms_tenant_id: string, report: object = {}): Promise<void> {
  const key = { company_id: company.id, location_id: company.locations.get('MAIN')!, pms_tenant_id };
  const [account] = await service.part(TenantAccounts).find([key]);
  const { token } = await service.part(TenantSessions).begin(account!);
  const body = { event: 'unlock', result: 'success', ...report };
  demand(201, await service.call('post', `/api/v2/entry-points/${gate}/logs`, { token, body }));
}

async function pass(hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed += 6) {
    service.manualClock.advance(6 * HOUR);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const taps = (days: readonly LastDay[]) =>
  days.map(({ date, openings, refusals, denied_openings }) => [date, openings, refusals, denied_openings]);
const debts = (days: readonly LastDay[]) =>
  days.map(({ date, tenants, owed_by_currency }) => [
    date,
    tenants,
    ...owed_by_currency.map(({ currency, owed }) => `${owed} ${currency}`),
  ]);

describe('the figures of the last days', () => {
  const yesterday = '2026-01-01';
  const today = '2026-01-02';

  it('hold who was locked out at the end of each local day, each tenant once, and the debts of each currency', async () => {
    const owes = { balance_due: 80, paid_through_date: '2025-12-01' };
    for (const unit of ['A-1', 'A-2', 'P-1']) demand(200, await company.patch(unit, owes));
    // The day of Paris has ended by now, that of Chicago has not.
    await pass(6);
    demand(200, await company.patch('A-2', { balance_due: 0 }));
    await pass(24);
    expect(debts(await counted())).toEqual([
      ['2025-12-31', 1, '160 USD'],
      [yesterday, 2, '80 USD', '80 EUR'],
      [today, 2, '80 USD', '80 EUR'],
    ]);
  });

  it('count openings, refusals, and openings by who is locked out, each on the day on which it happened', async () => {
    await tap('T-3');
    await tap('T-1');
    await tap('T-1', { event: 'attempt', result: 'failure', failure_code: 'access_denied' });
    await tap('T-3', { event: 'attempt', result: 'failure', failure_code: 'motor_jam' });
    await tap('T-3', { occurred_at: '2026-01-01T12:00:00.000Z' });
    const expected = [
      ['2025-12-31', 0, 0, 0],
      [yesterday, 1, 0, 0],
      [today, 2, 1, 1],
    ];
    expect(taps(await counted())).toEqual(expected);
  });

  it('count a report once, however often they are counted, and one that comes late on its day', async () => {
    await counted();
    // Just before the next count.
    service.manualClock.advance(10 * MINUTE);
    await tap('T-3', { occurred_at: '2026-01-01T12:00:00.000Z' });
    for (let count = 0; count < 3; count += 1) {
      const days = taps(await counted());
      expect(days).toContainEqual([yesterday, 2, 0, 0]);
      expect(days).toContainEqual([today, 2, 1, 1]);
    }
  });

  it('are the same after a rebuild of the views, and in a process with none', async () => {
    const before = await counted();
    demand(202, await service.operator('post', '/views/rebuild'));
    await waitUntil(
      async () => {
        service.manualClock.advance(1_000);
        return demand(200, await service.operator('get', '/views/rebuild'));
      },
      ({ state }) => state === 'done',
    );
    expect(await counted()).toEqual(before);
    await service.restart({ keepViews: false });
    expect(await counted()).toEqual(before);
  });

  it('agree today with what Today counts live, where all sites have the same date', async () => {
    service.manualClock.advance(Date.parse('2026-01-04T15:00:00Z') - service.clock.now());
    const days = await counted();
    const { locked_out } = demand(200, await service.operator('get', `/companies/${company.id}/today`));
    const last = days.at(-1)!;
    expect([last.tenants, last.owed_by_currency]).toEqual([locked_out.tenants, locked_out.owed_by_currency]);
  });

  it('are counted anew where a build before counted less', async () => {
    const before = await counted();
    const { views } = service.stores;
    for (const location_id of company.locations.values()) {
      const known = (await (await views.collection(LOCKOUT_DAYS_VIEW)).get(location_id))!;
      const document = { ...known, ends: undefined, taps: undefined };
      await views.write([{ kind: 'put', collection: LOCKOUT_DAYS_VIEW.name, document }]);
    }
    expect(await counted()).toEqual(before);
  });

  it('of an operator of one site are those of this site', async () => {
    const email = 'paris@example.com';
    const password = 'correct horse battery staple';
    const locations = [company.locations.get('PARIS')!];
    const body = { email, password, role: 'auditor', companies: [company.id], locations };
    await service.addOperator(body);
    const signedIn = await service.call('post', '/api/operator/sessions', { body: { email, password } });
    const { token } = demand(201, signedIn) as { token: string };
    const path = `/api/operator/companies/${company.id}/today`;
    const { last_days } = demand(200, await service.call('get', path, { token }));
    expect(
      taps(last_days.dates)
        .flatMap((day) => day.slice(1))
        .filter((count) => count !== 0),
    ).toEqual([]);
    expect(debts(last_days.dates).at(-1)!.slice(1)).toEqual([1, '80 EUR']);
  });
});
