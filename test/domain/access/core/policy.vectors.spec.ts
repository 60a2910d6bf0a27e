import {
  PAST_DUE,
  decide,
  checkOf,
  input,
  local,
  overridden,
  sibling,
  unit,
  verdict,
} from '../support/subjects.js';
import { factsWarnings } from '#domain/units/core/unit.warnings.js';

/** America/Chicago, five days of grace, 6 June 2025 at 09:00 local, occupied. */
describe('the published test vectors', () => {
  it('permits a unit that owes nothing, however long ago it was paid through', () => {
    expect(verdict(unit({ balance_due: 0, paid_through_date: '2025-03-31' }))).toBe(
      'tenant_permitted active',
    );
  });

  it('denies a balance of 50 paid through 31 May', () => {
    expect(verdict(unit({ balance_due: 5_000, paid_through_date: '2025-05-31' }))).toBe(
      'tenant_denied delinquent',
    );
  });

  it('permits the same unit on 5 June at 23:59:59', () => {
    const now = local('2025-06-05T23:59:59');
    expect(verdict(unit(PAST_DUE), { now })).toBe('tenant_permitted active');
  });

  it('permits a balance of 50 without a date, with a warning', () => {
    const { facts } = unit({ balance_due: 5_000, paid_through_date: null });
    expect(verdict(unit(facts))).toBe('tenant_permitted active');
    const { policy, now } = input(unit(facts));
    expect(factsWarnings({ facts, override: null }, policy, now, new Set(['balance_due']))).toEqual([
      'balance_without_date',
    ]);
  });

  it('permits a unit that is locked out and exempt', () => {
    const subject = unit({ pms_lockout: true, pms_lock_exempt: true });
    expect(verdict(subject)).toBe('tenant_permitted pms_exempt');
  });

  it('has a unit in auction although it is exempt', () => {
    expect(verdict(unit({ pms_auction: true, pms_lock_exempt: true }))).toBe('auction');
  });

  it('denies an exempt unit whose lease begins tomorrow', () => {
    const subject = unit({ pms_lock_exempt: true, move_in_date: '2025-06-07' });
    expect(verdict(subject)).toBe('tenant_denied future_move_in');
  });

  it("permits by an operator's exemption although the lease begins tomorrow", () => {
    const subject = unit({ move_in_date: '2025-06-07' }, overridden('exempt'));
    expect(verdict(subject)).toBe('tenant_permitted system_exempt');
  });

  it("denies by an operator's lockout although the PMS exempts", () => {
    const subject = unit({ pms_lock_exempt: true }, overridden('lockout'));
    expect(verdict(subject)).toBe('tenant_denied system_lockout');
  });

  it('denies a paid unit whose sibling is delinquent', () => {
    expect(verdict(unit(), { siblings: [sibling()] })).toBe('tenant_denied blanket_delinquency');
  });

  it('permits a paid unit whose delinquent sibling is exempt', () => {
    const siblings = [sibling({ pms_lock_exempt: true })];
    expect(verdict(unit(), { siblings })).toBe('tenant_permitted active');
  });

  it('permits a paid unit whose delinquent sibling is elsewhere, and thus no sibling', () => {
    expect(verdict(unit(), { siblings: [] })).toBe('tenant_permitted active');
  });

  it('has an unoccupied and unrentable unit as unrentable', () => {
    expect(verdict(unit({ occupied: false, pms_unrentable: true }))).toBe('unrentable');
  });
});

describe('days of grace', () => {
  const subject = unit({ balance_due: 1, paid_through_date: '2025-06-01' });

  it('last through the end of the fifth day', () => {
    const now = local('2025-06-06T23:59:59.999');
    expect(verdict(subject, { now })).toBe('tenant_permitted active');
  });

  it('are over when the sixth day begins', () => {
    const now = local('2025-06-07T00:00');
    expect(verdict(subject, { now })).toBe('tenant_denied delinquent');
  });

  it('may be none: denied from the day after paid_through_date', () => {
    const policy = { grace_period_days: 0 };
    expect(verdict(subject, { policy, now: local('2025-06-01T23:59:59.999') })).toBe(
      'tenant_permitted active',
    );
    expect(verdict(subject, { policy, now: local('2025-06-02T00:00') })).toBe('tenant_denied delinquent');
  });

  it("end at the location's midnight, not at that of UTC", () => {
    const now = local('2025-06-06T23:59:59.999');
    expect(verdict(subject, { now, policy: { timezone: 'UTC' } })).toBe('tenant_denied delinquent');
  });

  it.each([
    ['forward', '2025-03-09', '2025-03-04'],
    ['back', '2025-11-02', '2025-10-28'],
  ])('end at midnight when clocks went %s on their last day', (_direction, lastDay, paidThrough) => {
    const late = unit({ balance_due: 1, paid_through_date: paidThrough });
    const end = local(`${lastDay}T23:59:59.999`);
    expect(verdict(late, { now: end })).toBe('tenant_permitted active');
    expect(verdict(late, { now: end + 1 })).toBe('tenant_denied delinquent');
    expect(decide(late, { now: local(`${lastDay}T00:30`) }).valid_until).toBe(end + 1);
  });

  it.each([
    ['America/Santiago', '2025-09-01', '2025-09-07T01:00'],
    ['Asia/Beirut', '2025-03-24', '2025-03-30T01:00'],
    ['Africa/Cairo', '2025-04-19', '2025-04-25T01:00'],
  ])('end at one o’clock in %s where that day has no midnight', (timezone, paidThrough, wallClock) => {
    const late = unit({ balance_due: 1, paid_through_date: paidThrough });
    const begin = local(wallClock, timezone);
    expect(verdict(late, { policy: { timezone }, now: begin - 1 })).toBe('tenant_permitted active');
    expect(verdict(late, { policy: { timezone }, now: begin })).toBe('tenant_denied delinquent');
    expect(decide(late, { policy: { timezone }, now: begin - 1 }).valid_until).toBe(begin);
  });

  it('end with the day before a date that the zone skipped', () => {
    const late = unit({ move_in_date: '2010-01-01', balance_due: 1, paid_through_date: '2011-12-24' });
    const policy = { timezone: 'Pacific/Apia' };
    const end = local('2011-12-29T23:59:59.999', 'Pacific/Apia');
    expect(decide(late, { policy, now: end })).toMatchObject({ reason: 'active', valid_until: end + 1 });
    expect(verdict(late, { policy, now: end + 1 })).toBe('tenant_denied delinquent');
  });

  it('that would end after the last date never end', () => {
    const late = unit({ balance_due: 1, paid_through_date: '9999-12-30' });
    expect(decide(late)).toMatchObject({ reason: 'active', valid_until: null });
    expect(verdict(late, { now: 8_640_000_000_000_000 })).toBe('tenant_permitted active');
  });
});

describe('the balance', () => {
  it('must exceed the threshold', () => {
    const policy = { balance_threshold: 40 };
    expect(verdict(unit({ ...PAST_DUE, balance_due: 40 }), { policy })).toBe('tenant_permitted active');
    expect(verdict(unit({ ...PAST_DUE, balance_due: 41 }), { policy })).toBe('tenant_denied delinquent');
  });

  it('counts from the first cent by default, and a credit never does', () => {
    expect(verdict(unit({ ...PAST_DUE, balance_due: 1 }))).toBe('tenant_denied delinquent');
    expect(verdict(unit({ ...PAST_DUE, balance_due: -1 }))).toBe('tenant_permitted active');
  });
});

describe('pms_flag_only', () => {
  const policy = { delinquency_mode: 'pms_flag_only' } as const;

  it('leaves past-due units and their siblings alone', () => {
    expect(decide(unit(PAST_DUE), { policy, siblings: [sibling()] })).toEqual({
      state: 'tenant_permitted',
      reason: 'active',
      also: [],
      resolution: [],
      valid_until: null,
    });
  });

  it("still obeys the PMS's lockout", () => {
    expect(verdict(unit({ pms_lockout: true }), { policy })).toBe('tenant_denied pms_lockout');
  });
});

describe('blanket delinquency', () => {
  it('can be off', () => {
    const policy = { blanket_delinquency: false };
    expect(verdict(unit(), { policy, siblings: [sibling()] })).toBe('tenant_permitted active');
  });

  it('passes over a sibling that an operator exempts', () => {
    expect(verdict(unit(), { siblings: [sibling({}, overridden('exempt'))] })).toBe(
      'tenant_permitted active',
    );
  });

  it("counts a sibling again when its operator's exemption ends", () => {
    const end = local('2025-06-06T12:00');
    const siblings = [sibling({}, overridden('exempt', end))];
    expect(decide(unit(), { siblings })).toMatchObject({ reason: 'active', valid_until: end });
    expect(verdict(unit(), { siblings, now: end })).toBe('tenant_denied blanket_delinquency');
  });

  it('counts a sibling that an operator locked out', () => {
    const siblings = [sibling({}, overridden('lockout'))];
    expect(verdict(unit(), { siblings })).toBe('tenant_denied blanket_delinquency');
  });

  it('passes over a sibling that is not occupied', () => {
    expect(verdict(unit(), { siblings: [sibling({ occupied: false })] })).toBe('tenant_permitted active');
  });

  it('passes over a sibling within its days of grace, until they end', () => {
    const siblings = [
      sibling({ paid_through_date: '2025-06-02' }),
      sibling({ paid_through_date: '2025-06-01' }),
    ];
    expect(decide(unit(), { siblings })).toMatchObject({
      reason: 'active',
      valid_until: local('2025-06-07T00:00'),
    });
  });

  it('is not transitive: a sibling that is only locked out or denied by its own sibling does not count', () => {
    const siblings = [sibling({ balance_due: 0, pms_lockout: true })];
    expect(verdict(unit(), { siblings })).toBe('tenant_permitted active');
  });

  it('does not spread from the unit to itself when it stands among its siblings', () => {
    const subject = unit(PAST_DUE);
    expect(decide(subject, { siblings: [subject] })).toMatchObject({ reason: 'delinquent', also: [] });
    expect(checkOf('blanket_delinquency', subject, { siblings: [subject] }).matched).toBe(false);
  });

  it('counts a sibling in auction or not yet moved in: the debt is there', () => {
    expect(verdict(unit(), { siblings: [sibling({ pms_auction: true })] })).toBe(
      'tenant_denied blanket_delinquency',
    );
  });
});

describe('an override', () => {
  const end = local('2025-06-06T10:00');

  it.each([
    ['lockout', 'tenant_denied system_lockout', 'tenant_permitted active'],
    ['exempt', 'tenant_permitted system_exempt', 'tenant_permitted active'],
  ] as const)('that is a %s counts until the instant it ends', (override, during, after) => {
    const subject = unit({}, overridden(override, end));
    expect(verdict(subject, { now: end - 1 })).toBe(during);
    expect(verdict(subject, { now: end })).toBe(after);
    expect(decide(subject, { now: end - 1 }).valid_until).toBe(end);
    expect(decide(subject, { now: end }).valid_until).toBeNull();
  });

  it('without an end stands', () => {
    expect(decide(unit({}, overridden('lockout'))).valid_until).toBeNull();
  });

  it('cannot open a unit in auction, not for rent or vacant', () => {
    const exempt = overridden('exempt');
    expect(verdict(unit({ pms_auction: true }, exempt))).toBe('auction');
    expect(verdict(unit({ pms_unrentable: true }, exempt))).toBe('unrentable');
    expect(verdict(unit({ occupied: false }, exempt))).toBe('vacant');
  });
});
