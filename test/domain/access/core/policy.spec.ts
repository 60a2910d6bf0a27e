import type { Cure } from '#domain/access/core/decision.js';
import type { UnitFacts } from '#domain/units/core/fact-catalogue.js';
import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { Calendar } from '#domain/access/core/decision.js';
import { countsAgainstOthersFrom } from '#domain/access/core/outlook.js';
import { evaluate, isLockedOut, isSameAccess } from '#domain/access/core/policy.js';
import type { SubjectUnit } from '#domain/access/core/subject.js';
import {
  calendar,
  cure,
  decide,
  checkOf,
  explained,
  input,
  local,
  NOW,
  overridden,
  PAST_DUE,
  POLICY,
  sibling,
  unit,
} from '../support/subjects.js';

const LOCKED = { pms_lockout: true };
const FUTURE = { move_in_date: '2025-06-20' };
const TODAY = cure('move_in_date', '2025-06-06');
const PAY = cure('balance_due', 0);

/** The calendar, but for what is given. */
function calendarWith(other: Partial<Calendar>): Calendar {
  return {
    dateAt: (...given) => calendar.dateAt(...given),
    startOf: (...given) => calendar.startOf(...given),
    instantOf: (...given) => calendar.instantOf(...given),
    addDays: (...given) => calendar.addDays(...given),
    ...other,
  };
}

describe('also', () => {
  it.each<[string, Partial<UnitFacts>, readonly string[]]>([
    ['an auction names the lockout behind it', { pms_auction: true, ...LOCKED }, ['pms_lockout']],
    [
      'what has no reason of its own is named by its state',
      { pms_auction: true, pms_unrentable: true, ...LOCKED },
      ['unrentable', 'pms_lockout'],
    ],
    ['an unrentable unit names the debt', { pms_unrentable: true, ...PAST_DUE }, ['delinquent']],
    ['an auction of a vacant unit names nothing', { pms_auction: true, occupied: false, ...LOCKED }, []],
    ['an auction ends at an exemption', { pms_auction: true, pms_lock_exempt: true, ...LOCKED }, []],
    [
      'a future lease is named before an exemption',
      { pms_auction: true, ...FUTURE, pms_lock_exempt: true, ...LOCKED },
      ['future_move_in'],
    ],
    [
      'a future lease names what comes after',
      { ...FUTURE, ...LOCKED, ...PAST_DUE },
      ['pms_lockout', 'delinquent'],
    ],
    ['a lockout names the debt', { ...LOCKED, ...PAST_DUE }, ['delinquent']],
    ['a single cause names nothing more', LOCKED, []],
    ['a permitted unit names nothing', { ...LOCKED, pms_lock_exempt: true }, []],
    ['a vacant unit names nothing', { occupied: false, ...LOCKED, ...PAST_DUE }, []],
  ])('%s', (_case, facts, expected) => {
    expect(decide(unit(facts)).also).toEqual(expected);
  });

  it('names a delinquent sibling last', () => {
    const given = { siblings: [sibling()] };
    expect(decide(unit({ ...LOCKED, ...PAST_DUE }), given).also).toEqual([
      'delinquent',
      'blanket_delinquency',
    ]);
  });

  it("goes on behind an operator's lockout, as far as an exemption", () => {
    const locked = overridden('lockout');
    expect(decide(unit({ ...FUTURE, ...LOCKED }, locked)).also).toEqual(['future_move_in', 'pms_lockout']);
    expect(decide(unit({ ...FUTURE, ...LOCKED, pms_lock_exempt: true }, locked)).also).toEqual([
      'future_move_in',
    ]);
  });

  it("of an auction begins with an operator's lockout and ends at an operator's exemption", () => {
    const facts = { pms_auction: true, ...LOCKED };
    expect(decide(unit(facts, overridden('lockout'))).also).toEqual(['system_lockout', 'pms_lockout']);
    expect(decide(unit(facts, overridden('exempt'))).also).toEqual([]);
  });
});

describe('resolution', () => {
  const AUCTION = cure('pms_auction', false);
  const UNRENTABLE = cure('pms_unrentable', false);
  const UNLOCK = cure('pms_lockout', false);
  const LIFT = cure('override', null, { by: 'operator' });

  it.each<[string, Partial<UnitFacts>, readonly Cure[] | null]>([
    ['nothing where access is permitted', {}, []],
    ['nothing where an exemption already permits', { ...LOCKED, pms_lock_exempt: true }, []],
    ['none for a vacant unit', { occupied: false }, null],
    [
      'none for a vacant unit in auction: nobody would be let in',
      { occupied: false, pms_auction: true },
      null,
    ],
    ['to end the auction', { pms_auction: true }, [AUCTION]],
    ['to make it rentable', { pms_unrentable: true }, [UNRENTABLE]],
    ['to begin the lease today', FUTURE, [TODAY]],
    ['to take back the lockout', LOCKED, [UNLOCK]],
    ['to pay what is owed', PAST_DUE, [PAY]],
    ['one change for each cause', { ...LOCKED, ...PAST_DUE }, [UNLOCK, PAY]],
    [
      'nothing more for an exempt unit in auction',
      { pms_auction: true, ...LOCKED, pms_lock_exempt: true },
      [AUCTION],
    ],
    [
      'everything in the order of the checks',
      { pms_auction: true, pms_unrentable: true, ...FUTURE, ...LOCKED, ...PAST_DUE },
      [AUCTION, UNRENTABLE, TODAY, UNLOCK, PAY],
    ],
  ])('is %s', (_case, facts, expected) => {
    expect(decide(unit(facts)).resolution).toEqual(expected);
  });

  it('names each debtor where other units are the cause, whatever order they are known in', () => {
    const siblings = [
      sibling({}, { unit_id: 'unit-d' }),
      sibling({ pms_lock_exempt: true }, { unit_id: 'unit-c' }),
      sibling(),
    ];
    expect(decide(unit(PAST_DUE), { siblings }).resolution).toEqual([
      PAY,
      cure('balance_due', 0, { unit_id: 'unit-b' }),
      cure('balance_due', 0, { unit_id: 'unit-d' }),
    ]);
  });

  it('asks for all that is owed, whatever threshold lets pass', () => {
    expect(decide(unit(PAST_DUE), { policy: { balance_threshold: 2_500 } }).resolution).toEqual([PAY]);
  });

  it("names an operator's lockout among the causes, as the operator's to lift", () => {
    expect(decide(unit({}, overridden('lockout'))).resolution).toEqual([LIFT]);
    expect(decide(unit({ pms_auction: true, ...LOCKED }, overridden('lockout'))).resolution).toEqual([
      AUCTION,
      LIFT,
      UNLOCK,
    ]);
  });

  it('leaves the facts of a standalone unit to its operator', () => {
    expect(decide(unit(LOCKED, { source_type: 'standalone' })).resolution).toEqual([
      { ...UNLOCK, by: 'operator' },
    ]);
  });

  it("asks for no more than the end of the auction where an operator's exemption covers the rest", () => {
    const subject = unit({ pms_auction: true, ...FUTURE, ...LOCKED }, overridden('exempt'));
    expect(decide(subject).resolution).toEqual([AUCTION]);
  });
});

describe('valid_until', () => {
  const MORNING = local('2025-06-20T00:00');

  it.each<[string, Partial<UnitFacts>]>([
    ['nothing is owed', {}],
    ['the unit is past due already', PAST_DUE],
    ['there is no date to count from', { balance_due: 5_000, paid_through_date: null }],
    ['an exemption hides the days of grace', { balance_due: 1, pms_lock_exempt: true }],
    ['nobody rents the unit', { occupied: false, ...FUTURE, balance_due: 1 }],
  ])('is never where %s', (_case, facts) => {
    expect(decide(unit(facts)).valid_until).toBeNull();
  });

  it('is the day the lease begins, over all the midnights before', () => {
    expect(decide(unit(FUTURE)).valid_until).toBe(MORNING);
  });

  it('is the day the lease begins for an exempt unit too', () => {
    expect(decide(unit({ ...FUTURE, pms_lock_exempt: true })).valid_until).toBe(MORNING);
  });

  it('is the end of grace', () => {
    const subject = unit({ balance_due: 1, paid_through_date: '2025-06-10' });
    expect(decide(subject).valid_until).toBe(local('2025-06-16T00:00'));
  });

  it('is the end of grace behind a lockout, because `also` changes', () => {
    const subject = unit({ ...LOCKED, balance_due: 1, paid_through_date: '2025-06-10' });
    expect(decide(subject).valid_until).toBe(local('2025-06-16T00:00'));
  });

  it('is when one more reason joins `also`, although everything else stays', () => {
    const subject = unit({ ...LOCKED, ...PAST_DUE });
    const siblings = [sibling({ paid_through_date: '2025-06-10' })];
    expect(decide(subject, { siblings })).toMatchObject({
      also: ['delinquent'],
      resolution: [cure('pms_lockout', false), PAY],
      valid_until: local('2025-06-16T00:00'),
    });
  });

  it('is the first of several changes', () => {
    const subject = unit({ ...FUTURE, balance_due: 1, paid_through_date: '2025-06-10' });
    expect(decide(subject).valid_until).toBe(local('2025-06-16T00:00'));
    const overriden = unit(subject.facts, overridden('lockout', local('2025-06-08T12:00')));
    expect(decide(overriden).valid_until).toBe(local('2025-06-08T12:00'));
  });

  it('passes over what an exemption by the operator covers', () => {
    const subject = unit({ ...FUTURE, ...LOCKED }, overridden('exempt', local('2025-07-01T00:00')));
    expect(decide(subject).valid_until).toBe(local('2025-07-01T00:00'));
  });

  it('is the end of an override although the state stays, because the reason changes', () => {
    const end = local('2025-06-08T12:00');
    expect(decide(unit({}, overridden('exempt', end)))).toMatchObject({
      reason: 'system_exempt',
      valid_until: end,
    });
    expect(decide(unit(LOCKED, overridden('lockout', end)))).toMatchObject({ valid_until: end });
  });

  it('is never where the end of an override changes nothing', () => {
    const end = local('2025-06-08T12:00');
    expect(decide(unit({ pms_auction: true }, overridden('exempt', end))).valid_until).toBeNull();
  });

  it("is the end of an operator's lockout behind an auction, because `also` and the resolution change", () => {
    const end = local('2025-06-08T12:00');
    const subject = unit({ pms_auction: true, pms_lock_exempt: true }, overridden('lockout', end));
    expect(decide(subject)).toMatchObject({
      also: ['system_lockout'],
      resolution: [cure('pms_auction', false), cure('override', null, { by: 'operator' })],
      valid_until: end,
    });
  });

  it("is a sibling's end of grace, the earlier one of two", () => {
    const late = (date: string, unit_id: string) => sibling({ paid_through_date: date }, { unit_id });
    const siblings = [late('2025-06-12', 'unit-b'), late('2025-06-10', 'unit-c')];
    expect(decide(unit(), { siblings }).valid_until).toBe(local('2025-06-16T00:00'));
  });

  it('is when one more sibling owes, although the reason stays, because the resolution changes', () => {
    const siblings = [sibling(), sibling({ paid_through_date: '2025-06-10' }, { unit_id: 'unit-c' })];
    expect(decide(unit(), { siblings }).valid_until).toBe(local('2025-06-16T00:00'));
  });

  it("is the later of a sibling's end of grace and end of exemption", () => {
    const siblings = [
      sibling({ paid_through_date: '2025-06-10' }, overridden('exempt', local('2025-06-18T12:00'))),
    ];
    expect(decide(unit(), { siblings }).valid_until).toBe(local('2025-06-18T12:00'));
  });

  it('is never on account of a sibling that stays exempt', () => {
    const siblings = [
      sibling({}, overridden('exempt')),
      sibling({ pms_lock_exempt: true, paid_through_date: '2025-06-10' }, { unit_id: 'unit-c' }),
    ];
    expect(decide(unit(), { siblings }).valid_until).toBeNull();
  });

  describe('where others of the tenant come to owe one after another', () => {
    const from = (paid_through_date: string, unit_id: string) => sibling({ paid_through_date }, { unit_id });
    const FIRST = local('2025-06-13T00:00');
    const SECOND = local('2025-06-14T00:00');
    const THIRD = local('2025-06-18T00:00');
    const siblings = [from('2025-06-12', 'd'), from('2025-06-08', 'c'), from('2025-06-07', 'b')];

    it('is when the next one does, in whatever order they are known', () => {
      const ends = [local('2025-06-12T00:00'), FIRST, SECOND, THIRD].map(
        (now) => decide(unit(), { siblings, now }).valid_until,
      );
      expect(ends).toEqual([FIRST, SECOND, THIRD, null]);
    });

    it('is when the next one does although the unit itself owes too', () => {
      expect(decide(unit(PAST_DUE), { siblings, now: FIRST }).valid_until).toBe(SECOND);
    });

    it('is never where an exemption stands before what others owe', () => {
      const exempt = unit({ pms_auction: true, pms_lock_exempt: true });
      expect(decide(exempt, { siblings }).valid_until).toBeNull();
    });
  });

  it('is when one cause takes the place of another, as many and under the same state', () => {
    const midnight = local('2025-06-16T00:00');
    const owes = { balance_due: 1, paid_through_date: '2025-06-10' };
    const subject = unit({ pms_auction: true, ...owes }, overridden('lockout', midnight));
    expect(decide(subject)).toMatchObject({ also: ['system_lockout'], valid_until: midnight });
    expect(decide(subject, { now: midnight }).also).toEqual(['delinquent']);
  });
});

describe('what is known of siblings', () => {
  const siblings = [sibling({ paid_through_date: '2025-06-10' })];
  const GRACE_ENDS = local('2025-06-16T00:00');

  it('is of its day: the past is decided as it was, whatever was decided of later', () => {
    const given = input(unit(), { siblings });
    expect(evaluate({ ...given, now: GRACE_ENDS }, calendar).reason).toBe('blanket_delinquency');
    expect(evaluate(given, calendar)).toMatchObject({ reason: 'active', valid_until: GRACE_ENDS });
  });

  it('is by the calendar and the policy that are asked', () => {
    const given = input(unit(), { siblings });
    const slow = calendarWith({ startOf: (...day) => calendar.startOf(...day) + 1 });
    expect(evaluate(given, calendar).valid_until).toBe(GRACE_ENDS);
    expect(evaluate(given, slow).valid_until).toBe(GRACE_ENDS + 1);
    const patient = { ...given, policy: { ...given.policy, grace_period_days: 6 } };
    expect(evaluate(patient, slow).valid_until).toBe(local('2025-06-17T00:00') + 1);
  });

  it('is reckoned once for all units of a tenant', () => {
    let asked = 0;
    const counted = calendarWith({
      addDays: (...given) => {
        asked += 1;
        return calendar.addDays(...given);
      },
    });
    const { policy } = input(unit());
    const tenant = [...siblings, sibling({}, { unit_id: 'unit-c' })];
    evaluate({ ...input(unit(), { siblings: tenant }), policy }, counted);
    const once = asked;
    evaluate({ ...input(unit({}, { unit_id: 'unit-d' }), { siblings: tenant }), policy }, counted);
    expect([once, asked]).toEqual([2, 2]);
  });
});

describe('from when a unit counts against the tenant’s others', () => {
  const from = (subject: SubjectUnit, policy: Partial<LocationPolicy> = {}) =>
    countsAgainstOthersFrom(subject, { ...POLICY, ...policy }, NOW, calendar);

  it('is when it comes to owe, and never where the location ties no units', () => {
    const owing = unit({ balance_due: 1, paid_through_date: '2025-06-10' });
    expect(from(owing)).toBe(local('2025-06-16T00:00'));
    expect(from(owing, { blanket_delinquency: false })).toBe(Infinity);
    expect(from(unit(PAST_DUE))).toBe(-Infinity);
    expect(from(unit())).toBe(Infinity);
  });
});

describe('checks', () => {
  it('have each their own outcome', () => {
    const { checks } = explained(unit({ ...LOCKED, pms_lock_exempt: true }));
    expect(checks.filter((check) => check.matched).map((check) => check.name)).toEqual([
      'pms_exempt',
      'pms_lockout',
    ]);
  });

  it('match `active` only where nothing else does', () => {
    expect(
      explained(unit())
        .checks.filter((check) => check.matched)
        .map((check) => check.name),
    ).toEqual(['active']);
  });

  it('name what they looked at, with the revision that last set it', () => {
    const set_at = { pms_lockout: 7, balance_due: 3, paid_through_date: 2, override: 5 };
    const { checks } = explained(unit({ ...LOCKED, ...PAST_DUE }, { set_at, ...overridden('lockout') }));
    const seen = Object.fromEntries(checks.map(({ name, looked_at }) => [name, looked_at]));
    expect(seen).toMatchObject({
      auction: [{ name: 'pms_auction', value: false, revision: null }],
      unrentable: [{ name: 'pms_unrentable', value: false, revision: null }],
      vacant: [{ name: 'occupied', value: true, revision: null }],
      system_lockout: [{ name: 'override', value: 'lockout', revision: 5 }],
      system_exempt: [{ name: 'override', value: 'lockout', revision: 5 }],
      future_move_in: [
        { name: 'move_in_date', value: '2024-01-01', revision: null },
        { name: 'today', value: '2025-06-06', revision: null },
      ],
      pms_exempt: [{ name: 'pms_lock_exempt', value: false, revision: null }],
      pms_lockout: [{ name: 'pms_lockout', value: true, revision: 7 }],
      delinquent: [
        { name: 'balance_due', value: 5_000, revision: 3 },
        { name: 'paid_through_date', value: '2025-05-31', revision: 2 },
        { name: 'today', value: '2025-06-06', revision: null },
        { name: 'balance_threshold', value: 0, revision: null },
        { name: 'grace_period_days', value: 5, revision: null },
        { name: 'delinquency_mode', value: 'automatic', revision: null },
      ],
      blanket_delinquency: [
        { name: 'blanket_delinquency', value: true, revision: null },
        { name: 'delinquency_mode', value: 'automatic', revision: null },
      ],
      active: [],
    });
  });

  it('show an override that has ended as none, set where it was set', () => {
    const subject = unit(
      {},
      { ...overridden('lockout', local('2025-06-06T09:00')), set_at: { override: 5 } },
    );
    expect(checkOf('system_lockout', subject)).toMatchObject({
      matched: false,
      looked_at: [{ name: 'override', value: null, revision: 5 }],
    });
  });

  it('name the siblings that made `blanket_delinquency` match, and no other', () => {
    const siblings = [
      sibling({}, { set_at: { balance_due: 4, paid_through_date: 9 } }),
      sibling({ pms_lock_exempt: true }, { unit_id: 'unit-c' }),
      sibling({ balance_due: 0 }, { unit_id: 'unit-d' }),
    ];
    const later = sibling({ paid_through_date: '2025-06-10' }, { unit_id: 'unit-e' });
    const own = unit(PAST_DUE);
    const check = checkOf('blanket_delinquency', own, { siblings: [own, ...siblings, later] });
    expect(check.matched).toBe(true);
    expect(check.looked_at).toEqual([
      { name: 'blanket_delinquency', value: true, revision: null },
      { name: 'delinquency_mode', value: 'automatic', revision: null },
      { name: 'today', value: '2025-06-06', revision: null },
      { name: 'balance_threshold', value: 0, revision: null },
      { name: 'grace_period_days', value: 5, revision: null },
      { name: 'occupied', value: true, revision: null, unit_id: 'unit-b' },
      { name: 'balance_due', value: 5_000, revision: 4, unit_id: 'unit-b' },
      { name: 'paid_through_date', value: '2025-05-31', revision: 9, unit_id: 'unit-b' },
      { name: 'pms_lock_exempt', value: false, revision: null, unit_id: 'unit-b' },
      { name: 'override', value: null, revision: null, unit_id: 'unit-b' },
    ]);
  });

  it('name no sibling where blanket delinquency is off', () => {
    const given = { siblings: [sibling()], policy: { blanket_delinquency: false } };
    expect(checkOf('blanket_delinquency', unit(), given)).toMatchObject({
      matched: false,
      looked_at: [
        { name: 'blanket_delinquency', value: false, revision: null },
        { name: 'delinquency_mode', value: 'automatic', revision: null },
      ],
    });
  });
});

it('is the same access if state and reason are', () => {
  const vacant = { state: 'vacant', reason: null } as const;
  const locked = { state: 'tenant_denied', reason: 'delinquent' } as const;
  expect(isSameAccess(locked, { ...locked })).toBe(true);
  expect(isSameAccess(vacant, { state: 'auction', reason: null })).toBe(false);
  expect(isSameAccess(locked, { ...locked, reason: 'pms_lockout' })).toBe(false);
});

it('is a lockout if the tenant is denied after the lease has begun', () => {
  expect(isLockedOut({ state: 'tenant_denied', reason: 'delinquent' })).toBe(true);
  expect(isLockedOut({ state: 'tenant_denied', reason: 'future_move_in' })).toBe(false);
  expect(isLockedOut({ state: 'tenant_permitted', reason: 'active' })).toBe(false);
});
