import { burdensOf } from '#domain/history/core/burden.js';
import { policyPeriods } from '#domain/history/core/periods.js';
import { countDayEnds, type EndOfDay } from '#domain/history/core/day-ends.js';
import { TapDays } from '#domain/history/core/tap-days.js';
import { countDates, lockoutsOf, type UnitLockouts } from '#domain/history/core/lockouts.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { finished } from '../../support/finished.js';
import { calendar, facts, movedIn, movedOut, POLICY, RecordedLog, registered } from './support/recorded.js';

const ZONE = POLICY.timezone;
/** Local midnights in Chicago. */
const day = (date: string, hour = 0) => calendar.startOf(date, ZONE) + hour * 3_600_000;
const override = (value: 'lockout' | 'exempt', expires_at: number | null = null): UnitEvent => ({
  type: 'AccessOverridden',
  data: { override: value, reason: 'Police', expires_at },
});
const CLEARED: UnitEvent = { type: 'AccessOverrideCleared', data: { cause: 'requested' } };
const OWES = facts({ balance_due: 5_000, paid_through_date: '2025-06-01' });
const LOCKED = facts({ pms_lockout: true });
const FREED = facts({ pms_lockout: false });
const SPAN = { from: day('2025-06-02') - 1, until: day('2025-06-12') };

type Write = readonly [instant: number, ...events: UnitEvent[]];

/** The lockouts of unit `a`, which Ada has rented since the 1st, beside unit `b`. */
function lockouts(
  writes: readonly Write[],
  others: readonly Write[] = [],
  policy = POLICY,
  span = SPAN,
  ends: readonly EndOfDay[] = [],
): UnitLockouts {
  const log = new RecordedLog(policy);
  for (const unit of ['a', 'b']) log.write(unit, day('2025-06-01', 9), registered(unit), movedIn());
  for (const [instant, ...events] of writes) log.write('a', instant, ...events);
  for (const [instant, ...events] of others) log.write('b', instant, ...events);
  const policies = policyPeriods(log.recordOf('a').location);
  const periodsOfUnits = [log.periodsOf('a'), log.periodsOf('b')];
  const burdens = new Map([['ada', finished(burdensOf('ada', periodsOfUnits, policies, span, calendar))]]);
  const days = { span, ends, timezone: ZONE };
  return finished(lockoutsOf(periodsOfUnits[0]!, { policies, burdens }, days, calendar));
}

const lost = (...given: Parameters<typeof lockouts>) => lockouts(...given).dates;

const TIED = { ...POLICY, blanket_delinquency: true };
const UNTIED = { ...POLICY, blanket_delinquency: false };

describe('the dates on which a unit lost access', () => {
  it.each<[string, readonly Write[], readonly string[]]>([
    ['none without a lockout', [], []],
    ['the day after grace, by the calendar alone', [[day('2025-06-02', 9), OWES]], ['2025-06-07']],
    ['the day of the PMS flag', [[day('2025-06-03', 9), LOCKED]], ['2025-06-03']],
    ['the day of an override', [[day('2025-06-04', 9), override('lockout')]], ['2025-06-04']],
    [
      'one day, where the unit is locked, freed and locked again on it',
      [
        [day('2025-06-03', 9), LOCKED],
        [day('2025-06-03', 10), FREED],
        [day('2025-06-03', 23), LOCKED],
      ],
      ['2025-06-03'],
    ],
    [
      'two days, where it is freed and locked again on the next',
      [
        [day('2025-06-03', 9), LOCKED],
        [day('2025-06-04', 10), FREED],
        [day('2025-06-04', 11), LOCKED],
      ],
      ['2025-06-03', '2025-06-04'],
    ],
    [
      'no further day for another reason of the same lockout',
      [
        [day('2025-06-02', 9), OWES],
        [day('2025-06-08', 9), override('lockout')],
      ],
      ['2025-06-07'],
    ],
    [
      'the day when an exemption ends',
      [[day('2025-06-02', 9), OWES, override('exempt', day('2025-06-09', 18))]],
      ['2025-06-09'],
    ],
    [
      'none where the tenant leaves, and none for who moves in later than today',
      [
        [day('2025-06-03', 9), movedOut()],
        [day('2025-06-04', 9), movedIn('bob', '2025-07-01')],
      ],
      [],
    ],
    ['none for a lockout before the span', [[day('2025-06-01', 10), LOCKED]], []],
    ['the first day for a lockout at its midnight', [[day('2025-06-02'), LOCKED]], ['2025-06-02']],
    ['none for a lockout after the span', [[day('2025-06-12', 1), LOCKED]], []],
    [
      'the day when an override is cleared from a unit that owes',
      [
        [day('2025-06-02', 9), OWES, override('exempt')],
        [day('2025-06-10', 9), CLEARED],
      ],
      ['2025-06-10'],
    ],
  ])('are %s', (_, writes, dates) => {
    expect(lost(writes, [], UNTIED)).toEqual(dates);
  });

  it('include the day on which another unit of the tenant begins to count', () => {
    expect(lost([], [[day('2025-06-02', 9), OWES]], TIED)).toEqual(['2025-06-07']);
    expect(lost([], [[day('2025-06-02', 9), OWES]], UNTIED)).toEqual([]);
  });

  it('are the same in two spans as in one', () => {
    const writes: Write[] = [
      [day('2025-06-03', 9), LOCKED],
      [day('2025-06-05', 9), FREED],
      [day('2025-06-06', 9), OWES],
    ];
    const middle = day('2025-06-07');
    const parts = [
      { from: SPAN.from, until: middle - 1 },
      { from: middle - 1, until: SPAN.until },
    ].flatMap((span) => lost(writes, [], UNTIED, span));
    expect(parts).toEqual(['2025-06-03', '2025-06-07']);
    expect(lost(writes, [], UNTIED)).toEqual(parts);
  });
});

describe('the begin of a lockout that lasts to the end', () => {
  it.each<[string, readonly Write[], number | null | undefined]>([
    [
      'none for an open unit',
      [
        [day('2025-06-03', 9), LOCKED],
        [day('2025-06-03', 10), FREED],
      ],
      undefined,
    ],
    ['the midnight after grace', [[day('2025-06-02', 9), OWES]], day('2025-06-07')],
    [
      'the first cause, whatever is added later',
      [
        [day('2025-06-03', 9), LOCKED],
        [day('2025-06-08', 9), override('lockout')],
      ],
      day('2025-06-03', 9),
    ],
    [
      'the last of several lockouts',
      [
        [day('2025-06-03', 9), LOCKED],
        [day('2025-06-04', 9), FREED],
        [day('2025-06-05', 9), LOCKED],
      ],
      day('2025-06-05', 9),
    ],
    ['null before the span', [[day('2025-06-01', 10), LOCKED]], null],
    [
      'a move-in that was denied at once',
      [
        [day('2025-06-03', 9), movedOut()],
        [day('2025-06-04', 9), movedIn('bob', '2025-07-01'), override('lockout')],
      ],
      day('2025-06-04', 9),
    ],
    [
      'none for a lease to come',
      [
        [day('2025-06-03', 9), movedOut()],
        [day('2025-06-04', 9), movedIn('bob', '2025-07-01')],
      ],
      undefined,
    ],
    [
      'the day on which a lease begins with a debt',
      [
        [day('2025-06-03', 9), movedOut()],
        [day('2025-06-04', 9), movedIn('bob', '2025-06-09'), OWES],
      ],
      day('2025-06-09'),
    ],
  ])('is %s', (_, writes, since) => {
    expect(lockouts(writes, [], UNTIED).since).toBe(since);
  });
});

it('counts units by date, in order', () => {
  expect(countDates([['2025-06-09', '2025-06-03'], [], ['2025-06-09', '2025-06-05']])).toEqual([
    { date: '2025-06-03', units: 1 },
    { date: '2025-06-05', units: 1 },
    { date: '2025-06-09', units: 2 },
  ]);
});

describe('the ends of days at which a unit was locked out', () => {
  const endOf = (date: string) => ({ date, at: day(date) + 86_400_000 - 1 });
  const ENDS = ['2025-06-02', '2025-06-06', '2025-06-07', '2025-06-08'].map(endOf);
  const endsOf = (writes: readonly Write[]) => lockouts(writes, [], UNTIED, SPAN, ENDS).lockedOut;

  it('begin with the day after grace, with who rented it then and what was owed then', () => {
    const paid: Write = [day('2025-06-08', 9), facts({ balance_due: 7_000 })];
    expect(endsOf([[day('2025-06-02', 9), OWES], paid])).toEqual([
      { date: '2025-06-07', tenant_id: 'ada', balance_due: 5_000 },
      { date: '2025-06-08', tenant_id: 'ada', balance_due: 7_000 },
    ]);
  });

  it('leave out a day within which the unit was locked and freed', () => {
    const writes: Write[] = [
      [day('2025-06-06', 9), LOCKED],
      [day('2025-06-06', 20), FREED],
    ];
    expect(endsOf(writes)).toEqual([]);
  });

  it('hold the last instant of the day, and not the first of the next', () => {
    expect(endsOf([[day('2025-06-07') - 1, LOCKED]]).map(({ date }) => date)).toContain('2025-06-06');
    expect(endsOf([[day('2025-06-07'), LOCKED]]).map(({ date }) => date)).not.toContain('2025-06-06');
  });

  it('leave out a lease to come', () => {
    const writes: Write[] = [
      [day('2025-06-03', 9), movedOut()],
      [day('2025-06-04', 9), movedIn('bob', '2025-07-01')],
    ];
    expect(endsOf(writes)).toEqual([]);
  });
});

it('counts a tenant of several units once a day, and adds up what they owe', () => {
  const one = { date: '2025-06-09', tenant_id: 'ada', balance_due: 5_000 };
  const counted = countDayEnds([
    one,
    { ...one, balance_due: 250 },
    { ...one, tenant_id: 'bob', balance_due: 1 },
    { ...one, date: '2025-06-02' },
  ]);
  expect(counted).toEqual([
    { date: '2025-06-02', tenants: 1, owed: 5_000 },
    { date: '2025-06-09', tenants: 2, owed: 5_251 },
  ]);
});

describe('the taps of days', () => {
  const day = (date: string, more: object) => ({
    ...{ date, openings: 0, refusals: 0, denied_openings: 0 },
    ...more,
  });

  it('are added to the counts of before, by date, and leave out days before the first', () => {
    const days = new TapDays([day('2025-06-03', { openings: 2 }), day('2025-06-01', { refusals: 9 })]);
    days.add('2025-06-03', ['openings', 'denied_openings']);
    days.add('2025-06-02', ['refusals']);
    days.add('2025-06-04', []);
    expect(days.from('2025-06-02')).toEqual([
      day('2025-06-02', { refusals: 1 }),
      day('2025-06-03', { openings: 3, denied_openings: 1 }),
    ]);
  });

  it('leave the counts that they began with as they were', () => {
    const before = [day('2025-06-03', { openings: 2 })];
    new TapDays(before).add('2025-06-03', ['openings']);
    expect(before).toEqual([day('2025-06-03', { openings: 2 })]);
  });
});
