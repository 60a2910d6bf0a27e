import { LOCKOUT_DAYS_VIEW, LockoutDays } from '#domain/history/lockouts/lockout-days.js';
import { LockoutRounds } from '#domain/history/lockouts/lockout-rounds.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { UnitRecordReader } from '#domain/history/unit-record.reader.js';
import { type Company, demand, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let service: Service;
let company: Company;

/** The clock begins on 1 January 2026, 18:00 on 31 December in Chicago. */
beforeAll(async () => {
  service = await Service.start();
  company = await service.company({
    pms_location_code: 'MAIN',
    timezone: 'America/Chicago',
    grace_period_days: 5,
  });
});
afterAll(() => service.close());

/** Lets time pass until the lockouts are counted at a later instant. */
async function counted(): Promise<{ dates: { date: string; units: number }[] }> {
  const now = service.clock.now();
  const path = `/companies/${company.id}/today`;
  const { lost_access } = await waitUntil(
    async () => {
      service.manualClock.advance(MINUTE);
      return demand(200, await service.operator('get', path));
    },
    ({ lost_access: { counted_at } }) => counted_at !== null && Date.parse(counted_at) > now,
  );
  return lost_access;
}

/** Since when each unit is locked out, as Today lists it. */
async function since(): Promise<Record<string, string | null>> {
  const today = demand(200, await service.operator('get', `/companies/${company.id}/today`));
  const first: { unit_name: string; locked_out_since: string | null }[] = today.locked_out.first;
  return Object.fromEntries(first.map((one) => [one.unit_name, one.locked_out_since]));
}

async function override(crm_unit_id: string, body: object): Promise<void> {
  const { unit_id } = await company.unit(crm_unit_id);
  demand(200, await service.operator('put', `/units/${unit_id}/override`, body));
}

/** Puts counts into the views that the log does not say. */
async function falsify(): Promise<void> {
  const { views } = service.stores;
  const known = (await (await views.collection(LOCKOUT_DAYS_VIEW)).get(company.locations.get('MAIN')!))!;
  const document = { ...known, dates: [{ date: '2026-01-01', units: 9 }], locked_out: [] };
  await views.write([{ kind: 'put', collection: LOCKOUT_DAYS_VIEW.name, document }]);
}

/** Lets whole days pass, six hours at a time. */
async function pass(days: number): Promise<void> {
  for (let hours = 0; hours < days * 24; hours += 6) {
    service.manualClock.advance(6 * HOUR);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('lockouts by local day', () => {
  it('count each unit once on the day it lost access, by whatever cause, over midnights, anew and after a rebuild', async () => {
    const units = ['calendar', 'flag', 'override', 'fine'].map((crm_unit_id, place) => ({
      crm_unit_id,
      occupied: true,
      move_in_date: '2025-10-01',
      paid_through_date: '2025-12-28',
      tenant: { pms_tenant_id: `T-${place}`, first_name: 'Ada', last_name: 'Park' },
    }));
    demand(200, await company.sync(units));
    // Grace ends with 2 January.
    await company.patch('calendar', { balance_due: 80 });
    expect((await counted()).dates).toEqual([]);

    await pass(1);
    for (const pms_lockout of [true, false, true]) await company.patch('flag', { pms_lockout });
    await override('override', { override: 'lockout', reason: 'Police' });
    const today = [{ date: '2026-01-01', units: 2 }];
    expect((await counted()).dates).toEqual(today);

    await pass(2);
    const both = [...today, { date: '2026-01-03', units: 1 }];
    expect((await counted()).dates).toEqual(both);

    const began = await since();
    expect(began).toEqual({
      calendar: '2026-01-03T06:00:00.000Z',
      flag: expect.stringMatching(/^2026-01-02T0/),
      override: expect.stringMatching(/^2026-01-02T0/),
    });

    await falsify();
    expect((await counted()).dates).not.toEqual(both);
    demand(202, await service.operator('post', '/views/rebuild'));
    await waitUntil(
      async () => {
        service.manualClock.advance(1_000);
        return demand(200, await service.operator('get', '/views/rebuild'));
      },
      ({ state }) => state === 'done',
    );
    expect((await counted()).dates).toEqual(both);

    expect(await since()).toEqual(began);

    await service.restart({ keepViews: false });
    expect((await counted()).dates).toEqual(both);
    expect(await since()).toEqual(began);

    // Fourteen days before today are told.
    await pass(13);
    expect((await counted()).dates).toEqual(both.slice(1));
    expect(await since()).toEqual({ calendar: began['calendar'], flag: null, override: null });
  });

  it('count a sandbox by its own clock, soon after it was set forward', async () => {
    company = await service.sandbox({ pms_location_code: 'MAIN', grace_period_days: 0 });
    const today = new Date(service.clock.now()).toISOString().slice(0, 10);
    const tenant = { pms_tenant_id: 'T', first_name: 'Ada', last_name: 'Park' };
    const unit = { crm_unit_id: 'A', occupied: true, move_in_date: '2025-10-01', tenant };
    demand(200, await company.sync([{ ...unit, balance_due: 9, paid_through_date: today }]));
    expect((await counted()).dates).toEqual([]);
    await company.advance(DAY / 1_000);
    const date = new Date(service.clock.now() + DAY).toISOString().slice(0, 10);
    const { dates } = await waitUntil(
      () => counted(),
      (found) => found.dates.length > 0,
    );
    expect(dates).toEqual([{ date, units: 1 }]);
  });

  it('a unit locked out after the last count is so since its own event, or since midnight, in all three places', async () => {
    company = await service.company({
      pms_location_code: 'MAIN',
      timezone: 'America/Chicago',
      grace_period_days: 0,
    });
    const local = Date.parse('2026-03-10T05:00:00Z');
    service.manualClock.advance(local - 20 * MINUTE - service.clock.now());
    const unit = { occupied: true, move_in_date: '2025-10-01', paid_through_date: '2026-03-09' };
    const units = ['calendar', 'flag', 'fine'].map((crm_unit_id, place) => ({
      ...{ ...unit, crm_unit_id, balance_due: place === 0 ? 80 : 0 },
      tenant: { pms_tenant_id: `T-${place}`, first_name: 'Ada', last_name: 'Park' },
    }));
    demand(200, await company.sync(units));
    await counted();
    await service.part(LockoutRounds).stop();
    await company.patch('flag', { pms_lockout: true });
    const locked = new Date(service.clock.now()).toISOString();
    service.manualClock.advance(local + MINUTE - service.clock.now());
    const expected = { calendar: '2026-03-10T05:00:00.000Z', flag: locked };
    expect(await since()).toEqual(expected);
    const list = demand(200, await service.operator('get', `/units?company_id=${company.id}`)).units;
    const listed = list.map((one: Record<string, unknown>) => [one['unit_name'], one['locked_out_since']]);
    expect(Object.fromEntries(listed)).toEqual({ ...expected, fine: undefined });
    const { unit_id } = await company.unit('calendar');
    const detail = demand(200, await service.operator('get', `/units/${unit_id}`));
    expect(detail.locked_out_since).toBe(expected.calendar);

    // Nothing is known of a location that was never counted.
    await service.part(LockoutDays).forget();
    expect(await since()).toEqual({ calendar: undefined, flag: undefined });
  });

  it('read the events of a tenant’s units once, though the units stand on several pages', async () => {
    const many = await service.company({ pms_location_code: 'MAIN' });
    const tenant = { pms_tenant_id: 'T', first_name: 'Ada', last_name: 'Park' };
    const unit = { occupied: true, move_in_date: '2025-10-01', tenant };
    const units = Array.from({ length: 250 }, (_, n) => ({ ...unit, crm_unit_id: `U-${n}` }));
    demand(200, await many.sync(units));
    await service.part(LockoutRounds).stop();
    const location = (await service.part(LocationDirectory).location(many.locations.get('MAIN')!))!;
    const read = jest.spyOn(service.part(UnitRecordReader), 'pagesOf');
    await service.part(LockoutDays).count(location, undefined, service.clock.now());
    const streams = read.mock.calls.map(([stream]) => stream);
    read.mockRestore();
    expect([streams.length, new Set(streams).size]).toEqual([250, 250]);
  });
});
