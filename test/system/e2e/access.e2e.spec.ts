import { ManualClock } from '../../support/manual-clock.js';
import { type Company, demand, Service } from '../../support/service.js';

const CHICAGO = 'America/Chicago';
/** 09:00 on 6 June 2025 in Chicago, as in the decisions' test vectors. */
const NOW = Date.UTC(2025, 5, 6, 14);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let service: Service;
let company: Company;

const startAt = (now: number) => Service.start({ clock: new ManualClock(now) });

beforeAll(async () => {
  service = await startAt(NOW);
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company({ pms_location_code: 'MAIN', timezone: CHICAGO });
});

/** Tests for which the time of day matters share a service whose clock nobody else moves. */
function onServiceAt(now: number): void {
  let shared: Service;
  beforeAll(async () => {
    shared = service;
    service = await startAt(now);
  });
  afterAll(async () => {
    await service.close();
    service = shared;
  });
}

/** Sets the clock forward to an instant. */
const until = (instant: number) => service.manualClock.advance(instant - service.clock.now());

const rented = (crm_unit_id: string, more: object = {}) => ({
  crm_unit_id,
  occupied: true,
  pms_tenant_id: 't-1',
  move_in_date: '2025-01-01',
  pms_location_code: 'MAIN',
  ...more,
});
const sync = async (...units: object[]) => {
  const data = demand(200, await company.sync(units));
  expect(data.errors).toEqual([]);
};
const override = async (crm_unit_id: string, body: object) => {
  const { unit_id } = await company.unit(crm_unit_id);
  return demand(200, await service.operator('put', `/units/${unit_id}/override`, { reason: 'r', ...body }));
};
const listed = async (state: string) =>
  (await company.list(`state=${state}`)).map(({ crm_unit_id }) => crm_unit_id);
const PAST_DUE = { balance_due: 50, paid_through_date: '2025-05-31' };

describe('access over the interface', () => {
  it.each<[string, object]>([
    ['tenant_permitted active', { balance_due: 0, paid_through_date: '2025-03-31' }],
    ['tenant_denied delinquent', PAST_DUE],
    ['tenant_permitted pms_exempt', { pms_lockout: true, pms_lock_exempt: true }],
    ['tenant_denied future_move_in', { pms_lock_exempt: true, move_in_date: '2025-06-07' }],
    ['tenant_denied pms_lockout', { pms_lockout: true }],
    ['unrentable', { pms_unrentable: true }],
    ['auction', { pms_auction: true }],
  ])('is %s for %j', async (access, facts) => {
    await sync(rented('A-1', facts));
    expect(await company.access('A-1')).toBe(access);
    expect(await listed(access.split(' ')[0]!)).toEqual(['A-1']);
  });

  it('of a shared unit is listed once by state, also if who shares it has units in that state', async () => {
    await sync(rented('A-1', { pms_lockout: true }), rented('B-1', { pms_tenant_id: 't-2', ...PAST_DUE }));
    const [{ unit_id }, debtor] = [await company.unit('A-1'), await company.unit('B-1')];
    const { tenant } = demand(200, await service.operator('get', `/units/${debtor.unit_id}`));
    demand(200, await service.operator('put', `/units/${unit_id}/shares/${tenant.tenant_id}`));
    expect(await listed('tenant_denied')).toEqual(['A-1', 'B-1']);
  });

  it('is unrentable and vacant without a tenant', async () => {
    await sync(
      { crm_unit_id: 'A-1', occupied: false, pms_unrentable: true },
      { crm_unit_id: 'A-2', occupied: false },
    );
    expect([await company.access('A-1'), await company.access('A-2')]).toEqual(['unrentable', 'vacant']);
  });

  it('names the other causes as well, and what removes each', async () => {
    await sync(rented('A-1', { pms_lockout: true }), rented('A-2', PAST_DUE));
    const [one, two] = [await company.unit('A-1'), await company.unit('A-2')];
    const unlock = { unit_id: one.unit_id, crm_unit_id: 'A-1', field: 'pms_lockout', to: false, by: 'pms' };
    const pay = { unit_id: two.unit_id, crm_unit_id: 'A-2', field: 'balance_due', to: 0, by: 'pms' };
    expect(one.access).toMatchObject({
      reason: 'pms_lockout',
      also: ['blanket_delinquency'],
      resolution: [unlock, pay],
    });
    await override('A-1', { override: 'lockout' });
    expect((await company.unit('A-1')).access).toMatchObject({
      reason: 'system_lockout',
      also: ['pms_lockout', 'blanket_delinquency'],
      resolution: [{ ...unlock, field: 'override', to: null, by: 'operator' }, unlock, pay],
    });
  });
});

describe('the end of the grace period', () => {
  onServiceAt(NOW);

  // Each test sets the clock of all forward, and counts from where it finds it.
  const BEHIND_UTC = 5 * 60 * MINUTE;
  /** A date in Chicago, so many days from today. */
  const date = (days: number) =>
    new Date(service.clock.now() - BEHIND_UTC + days * DAY).toISOString().slice(0, 10);
  /** The instant at which tomorrow begins in Chicago. */
  const nextMidnight = () => Date.parse(date(1)) + BEHIND_UTC;
  /** What is owed since the day whose grace period ends with today. */
  const lastDayOfGrace = () => ({ balance_due: 50, paid_through_date: date(-5) });

  it('denies at local midnight and not a millisecond before, with nothing written', async () => {
    await sync(rented('A-1', lastDayOfGrace()), rented('A-2', { pms_tenant_id: 't-2' }));
    const boundary = nextMidnight();
    expect((await company.unit('A-1')).access.valid_until).toBe(new Date(boundary).toISOString());
    const before = await company.unitEvents();
    until(boundary - 1);
    expect(await company.access('A-1')).toBe('tenant_permitted active');
    expect(await listed('tenant_permitted')).toEqual(['A-1', 'A-2']);
    expect(await listed('tenant_denied')).toEqual([]);
    service.manualClock.advance(1);
    expect(await listed('tenant_denied')).toEqual(['A-1']);
    expect(await listed('tenant_permitted')).toEqual(['A-2']);
    expect(await company.access('A-1')).toBe('tenant_denied delinquent');
    expect((await company.unit('A-1')).access.valid_until).toBeNull();
    const query = `company_id=${company.id}&state=tenant_denied`;
    expect((await service.operator('get', `/units?${query}`)).body.data.units).toHaveLength(1);
    expect(await company.unitEvents()).toEqual(before);
  });

  it('reaches the tenant’s other units at the same instant', async () => {
    await sync(rented('A-1', lastDayOfGrace()), rented('A-2'));
    const boundary = nextMidnight();
    expect((await company.unit('A-2')).access.valid_until).toBe(new Date(boundary).toISOString());
    until(boundary);
    expect(await listed('tenant_denied')).toEqual(['A-1', 'A-2']);
    expect(await company.access('A-2')).toBe('tenant_denied blanket_delinquency');
  });

  it('holds after the service was restarted past it', async () => {
    await sync(rented('A-1', lastDayOfGrace()));
    expect(await listed('tenant_denied')).toEqual([]);
    until(nextMidnight());
    await service.restart();
    expect(await listed('tenant_denied')).toEqual(['A-1']);
    expect(await listed('tenant_permitted')).toEqual([]);
  });

  it('begins a lease as the date arrives', async () => {
    await sync(rented('A-1', { move_in_date: date(1) }));
    until(nextMidnight() - 1);
    expect(await listed('tenant_denied')).toEqual(['A-1']);
    service.manualClock.advance(1);
    expect(await listed('tenant_permitted')).toEqual(['A-1']);
  });
});

describe('blanket delinquency', () => {
  const states = async () => Promise.all(['A-1', 'A-2'].map((unit) => company.access(unit)));

  it('denies the tenant’s other unit at the location, and releases it', async () => {
    await sync(rented('A-1'), rented('A-2'));
    await company.patch('A-1', PAST_DUE);
    expect(await states()).toEqual(['tenant_denied delinquent', 'tenant_denied blanket_delinquency']);
    expect(await listed('tenant_denied')).toEqual(['A-1', 'A-2']);
    await company.patch('A-1', { balance_due: 0 });
    expect(await states()).toEqual(['tenant_permitted active', 'tenant_permitted active']);
    expect(await listed('tenant_permitted')).toEqual(['A-1', 'A-2']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the PMS exempts the delinquent unit', () => company.patch('A-1', { pms_lock_exempt: true })],
    ['an operator exempts it', () => override('A-1', { override: 'exempt' })],
    ['its tenant moves out', () => company.moveOut('A-1')],
    [
      'another tenant takes it',
      () => company.moveIn('A-1', { pms_tenant_id: 't-2', move_in_date: '2025-01-01' }),
    ],
  ])('ends when %s', async (_what, end) => {
    await sync(rented('A-1', PAST_DUE), rented('A-2'));
    expect(await company.access('A-2')).toBe('tenant_denied blanket_delinquency');
    await end();
    expect(await company.access('A-2')).toBe('tenant_permitted active');
    expect(await listed('tenant_permitted')).toContain('A-2');
  });

  it('stops at the location’s border, at another tenant, and is not transitive', async () => {
    await company.addLocation({ pms_location_code: 'FAR', timezone: CHICAGO });
    await sync(
      rented('A-1', PAST_DUE),
      rented('B-1', { pms_location_code: 'FAR' }),
      rented('C-1', { pms_tenant_id: 't-2' }),
    );
    expect([await company.access('B-1'), await company.access('C-1')]).toEqual([
      'tenant_permitted active',
      'tenant_permitted active',
    ]);
  });

  it('is off where the location says so', async () => {
    await sync(rented('A-1', PAST_DUE), rented('A-2'));
    const path = `/locations/${company.locations.get('MAIN')}`;
    demand(200, await service.operator('patch', path, { blanket_delinquency: false }));
    expect(await states()).toEqual(['tenant_denied delinquent', 'tenant_permitted active']);
    expect(await listed('tenant_permitted')).toEqual(['A-2']);
  });
});

describe('a change of policy', () => {
  // 01:00 local on the day after the grace period: 20:00 of the day before in Honolulu.
  onServiceAt(NOW + 16 * 60 * MINUTE);

  it.each<[object, string]>([
    [{ grace_period_days: 6 }, 'tenant_permitted active'],
    [{ balance_threshold: 50 }, 'tenant_permitted active'],
    [{ balance_threshold: 49.99 }, 'tenant_denied delinquent'],
    [{ delinquency_mode: 'pms_flag_only' }, 'tenant_permitted active'],
    [{ timezone: 'Pacific/Honolulu' }, 'tenant_permitted active'],
    [{ name: 'Other name' }, 'tenant_denied delinquent'],
  ])('to %j evaluates every unit of the location again: %s', async (change, access) => {
    await sync(rented('A-1', { balance_due: 50, paid_through_date: '2025-06-01' }));
    expect(await company.access('A-1')).toBe('tenant_denied delinquent');
    const path = `/locations/${company.locations.get('MAIN')}`;
    demand(200, await service.operator('patch', path, change));
    expect(await company.access('A-1')).toBe(access);
    expect(await listed(access.split(' ')[0]!)).toEqual(['A-1']);
  });
});

describe('an operator’s override', () => {
  it('with an end ends by itself, at its instant, with nothing written', async () => {
    await sync(rented('A-1'));
    const expires_at = new Date(service.clock.now() + 10 * MINUTE).toISOString();
    const { access } = await override('A-1', { override: 'lockout', expires_at });
    expect(access).toMatchObject({
      state: 'tenant_denied',
      reason: 'system_lockout',
      valid_until: expires_at,
    });
    const before = await company.unitEvents();
    service.manualClock.advance(10 * MINUTE - 1);
    expect(await company.access('A-1')).toBe('tenant_denied system_lockout');
    service.manualClock.advance(1);
    expect(await listed('tenant_permitted')).toEqual(['A-1']);
    expect(await company.access('A-1')).toBe('tenant_permitted active');
    expect(await company.unitEvents()).toEqual(before);
  });

  it('may not have ended already', async () => {
    await sync(rented('A-1'));
    const { unit_id } = await company.unit('A-1');
    const body = {
      override: 'lockout',
      reason: 'r',
      expires_at: new Date(service.clock.now()).toISOString(),
    };
    const answer = await service.operator('put', `/units/${unit_id}/override`, body);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { expires_at: ['The expires at field must be in the future.'] },
    ]);
  });
});

describe('a move-out', () => {
  it('keeps identifier, name and locks of the unit, and what was there before in the log', async () => {
    await company.moveIn('A-1', { unit_name: 'One', move_in_date: '2025-01-01' });
    const { unit_id } = await company.unit('A-1');
    const location = `/locations/${company.locations.get('MAIN')}`;
    const { lock_id } = demand(201, await service.operator('post', `${location}/locks`, { name: 'Door' }));
    demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
    const log = await company.unitEvents();
    await company.moveOut('A-1');
    const after = demand(200, await service.operator('get', `/units/${unit_id}`));
    expect(after).toMatchObject({
      unit_id,
      crm_unit_id: 'A-1',
      unit_name: 'One',
      locks: [{ lock_id, name: 'Door' }],
      tenant: null,
      access: { state: 'vacant', reason: null },
    });
    expect((await company.unitEvents()).slice(0, log.length)).toEqual(log);
  });
});
