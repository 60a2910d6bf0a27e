import { type BacktestSpan, backtestOf } from '#domain/history/core/backtest.js';
import { type Burden, burdensOf } from '#domain/history/core/burden.js';
import { type PolicyPeriods, policyPeriods } from '#domain/history/core/periods.js';
import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import { finished } from '../../support/finished.js';
import {
  at,
  calendar,
  facts,
  movedIn,
  movedOut,
  POLICY,
  RecordedLog,
  registered,
} from './support/recorded.js';

const T1 = at('2025-06-02T15:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OWES = facts({ balance_due: 5_000, paid_through_date: '2025-06-01' });
const PAYS = facts({ balance_due: 0 });
/** Midnight in Chicago after the last of five days of grace for what was paid through the 1st. */
const GRACE_ENDS = at('2025-06-07T05:00:00.000Z');
const TRIED = { from: T1, until: T1 + 30 * DAY };
const STRICT = { grace_period_days: 0 };
const MILD = { grace_period_days: 9 };
const ACTIVE = { state: 'tenant_permitted', reason: 'active' };
const DELINQUENT = { state: 'tenant_denied', reason: 'delinquent' };

/** A log with unit `a` rented by Ada since T1, who owes an hour later. */
function owing(): RecordedLog {
  return new RecordedLog().write('a', T1, registered('a'), movedIn()).write('a', T1 + HOUR, OWES);
}

/** What the others of a tenant, those of `b`, were to `a`. */
function circumstances(log: RecordedLog, policies: PolicyPeriods, others: readonly string[], tried: Span) {
  const periodsOfUnits = others.map((unit) => log.periodsOf(unit));
  const burdens = new Map<string, readonly Burden[]>();
  if (others.length > 0)
    burdens.set('ada', finished(burdensOf('ada', periodsOfUnits, policies, tried, calendar)));
  return { policies, burdens };
}

type Span = typeof TRIED;

function trial(log: RecordedLog, policy: Partial<LocationPolicy>, tried = TRIED, others: string[] = []) {
  const proposed = [{ from: -Infinity, policy: { ...POLICY, ...policy } }];
  const actual = policyPeriods(log.recordOf('a').location);
  return backtestOf(
    log.periodsOf('a'),
    circumstances(log, actual, others, tried),
    circumstances(log, proposed, others, tried),
    tried,
    calendar,
  );
}

const shown = (...given: Parameters<typeof trial>) => finished(trial(...given));
const line = ({ effect, from, until }: BacktestSpan) => [effect, from, until];
const spans = (...given: Parameters<typeof trial>) => shown(...given).spans.map(line);

describe('a trial of a policy', () => {
  it('tells in which span a tenant would have been denied who was let in', () => {
    expect(shown(owing(), STRICT)).toEqual({
      spans: [
        {
          effect: 'denied',
          from: T1 + HOUR,
          until: GRACE_ENDS,
          tenant_id: 'ada',
          actual: ACTIVE,
          proposed: DELINQUENT,
        },
      ],
      denied: { actual: ['ada'], proposed: ['ada'] },
      lockedOut: { actual: ['ada'], proposed: ['ada'] },
    });
  });

  it('tells in which span a tenant would have been let in who was denied', () => {
    const log = owing().write('a', GRACE_ENDS + HOUR, PAYS);
    expect(shown(log, MILD)).toMatchObject({
      spans: [
        {
          effect: 'spared',
          from: GRACE_ENDS,
          until: GRACE_ENDS + HOUR,
          tenant_id: 'ada',
          actual: DELINQUENT,
          proposed: ACTIVE,
        },
      ],
      denied: { actual: ['ada'], proposed: [] },
    });
  });

  it('tells nothing of the policy that is there', () => {
    expect(spans(owing(), {})).toEqual([]);
  });

  it('ends with the last instant that is tried, and leaves open what still is so', () => {
    const until = (instant: number) => ({ from: T1, until: instant });
    expect(spans(owing(), MILD, until(GRACE_ENDS))).toEqual([['spared', GRACE_ENDS, null]]);
    expect(shown(owing(), MILD, until(GRACE_ENDS)).denied.actual).toEqual(['ada']);
    expect(shown(owing(), MILD, until(GRACE_ENDS - 1))).toMatchObject({
      spans: [],
      denied: { actual: [], proposed: [] },
    });
  });

  it('begins with what held when it does, or with the unit', () => {
    const tried = { from: GRACE_ENDS + HOUR, until: GRACE_ENDS + DAY };
    expect(spans(owing(), MILD, tried)).toEqual([['spared', GRACE_ENDS + HOUR, null]]);
    expect(spans(owing(), STRICT, { ...TRIED, from: T1 - DAY })).toEqual([['denied', T1 + HOUR, GRACE_ENDS]]);
    expect(spans(owing(), STRICT, { from: T1 - DAY, until: T1 - HOUR })).toEqual([]);
  });

  it('turns with what happens to the unit, what is paid as grace ends as well', () => {
    const paid = (instant: number) => owing().write('a', instant, PAYS);
    expect(spans(paid(T1 + 2 * HOUR), STRICT)).toEqual([['denied', T1 + HOUR, T1 + 2 * HOUR]]);
    expect(shown(paid(GRACE_ENDS), STRICT)).toMatchObject({
      spans: [{ from: T1 + HOUR, until: GRACE_ENDS }],
      denied: { actual: [] },
    });
  });

  it('turns with the policy that was there', () => {
    const log = owing()
      .changePolicy(T1 + 2 * HOUR, STRICT)
      .changePolicy(T1 + 3 * HOUR, MILD);
    expect(spans(log, {}, { from: T1, until: T1 + DAY })).toEqual([['spared', T1 + 2 * HOUR, T1 + 3 * HOUR]]);
  });

  it('tells nothing of a vacant unit, who is let in by neither', () => {
    const log = owing().write('a', T1 + 2 * HOUR, movedOut());
    expect(spans(log, STRICT)).toEqual([['denied', T1 + HOUR, T1 + 2 * HOUR]]);
    expect(shown(log, STRICT).denied).toEqual({ actual: [], proposed: ['ada'] });
  });

  it('names everybody who was denied, one after another as well', () => {
    const log = owing().write('a', GRACE_ENDS + HOUR, movedOut(), movedIn('bob'), OWES);
    const tried = { from: T1, until: GRACE_ENDS + DAY };
    expect(shown(log, MILD, tried)).toMatchObject({
      spans: [{ effect: 'spared', from: GRACE_ENDS, until: null, tenant_id: 'ada' }],
      denied: { actual: ['ada', 'bob'], proposed: [] },
    });
  });

  it('names no tenant of a lease to come as locked out', () => {
    const log = owing().write('a', T1 + 2 * HOUR, movedOut(), movedIn('bob', '2030-01-01'));
    expect(shown(log, STRICT)).toMatchObject({
      denied: { actual: ['bob'], proposed: ['ada', 'bob'] },
      lockedOut: { actual: [], proposed: ['ada'] },
    });
  });

  it('tells a reason that changes while a tenant is denied as two spans', () => {
    const log = owing().write('a', GRACE_ENDS + HOUR, facts({ pms_lockout: true }));
    const told = shown(log, { delinquency_mode: 'pms_flag_only' }).spans;
    expect(told.map(line)).toEqual([['spared', GRACE_ENDS, GRACE_ENDS + HOUR]]);
    const relieved = { type: 'AccessOverridden' as const };
    const data = { override: 'lockout' as const, reason: 'on the phone', expires_at: GRACE_ENDS + DAY };
    const locked = owing().write('a', T1 + 2 * HOUR, { ...relieved, data });
    expect(spans(locked, MILD)).toEqual([['spared', GRACE_ENDS + DAY, at('2025-06-11T05:00:00.000Z')]]);
  });
});

describe('a trial of a policy that ties the units of a tenant', () => {
  /** Beside `b`, which Ada rents as well and owes for. */
  const tied = () =>
    new RecordedLog()
      .write('a', T1, registered('a'), movedIn())
      .write('b', T1, registered('b'), movedIn())
      .write('b', T1 + HOUR, OWES);
  const UNTIED = { blanket_delinquency: false };

  it('tells what another unit would have done to this one', () => {
    expect(shown(tied(), STRICT, TRIED, ['a', 'b']).spans).toEqual([
      {
        effect: 'denied',
        from: T1 + HOUR,
        until: GRACE_ENDS,
        tenant_id: 'ada',
        actual: ACTIVE,
        proposed: { state: 'tenant_denied', reason: 'blanket_delinquency' },
      },
    ]);
    const paid = tied().write('b', GRACE_ENDS + HOUR, PAYS);
    expect(spans(paid, UNTIED, TRIED, ['a', 'b'])).toEqual([['spared', GRACE_ENDS, GRACE_ENDS + HOUR]]);
  });

  it('tells nothing of it to whom nothing is known of others, nor to nobody or another', () => {
    expect(spans(tied(), STRICT)).toEqual([]);
    const followed = tied().write('a', T1 + 2 * HOUR, movedOut());
    followed.write('a', T1 + 3 * HOUR, movedIn('bob'));
    expect(spans(followed, STRICT, TRIED, ['a', 'b'])).toEqual([['denied', T1 + HOUR, T1 + 2 * HOUR]]);
  });
});

describe('the work of a trial', () => {
  it('is said at each step: the turns of each policy and what was decided between them', () => {
    expect([...trial(owing(), MILD)]).toEqual([2, 1, 1, 1, 2, 1, 1, 1]);
    expect([...trial(owing().write('a', GRACE_ENDS, PAYS), {})]).toEqual([3, 1, 1, 1, 3, 1, 1, 1]);
    const vacant = new RecordedLog().write('a', T1, registered('a'));
    expect([...trial(vacant, MILD)]).toEqual([1, 1, 1, 1]);
  });
});
