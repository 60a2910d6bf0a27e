import { unitAsOf, windowAt } from '#domain/history/core/as-of.js';
import { finished } from '../../support/finished.js';
import { at, calendar, facts, movedIn, POLICY, RecordedLog, registered } from './support/recorded.js';

const T1 = at('2025-06-02T15:00:00.000Z');
const HOUR = 3_600_000;
const GRACE_ENDS = at('2025-06-07T05:00:00.000Z');

/** Ada rents `a`, and owes an hour later. */
const log = () =>
  new RecordedLog()
    .write('a', T1, registered('a'), movedIn())
    .write('a', T1 + HOUR, facts({ balance_due: 5_000, paid_through_date: '2025-06-01' }))
    .changePolicy(T1 + 2 * HOUR, { grace_period_days: 6 });

const asOf = (instant: number) => finished(unitAsOf(log().recordOf('a'), instant, calendar));

describe('a unit at an instant', () => {
  it('is not there before it was registered', () => {
    expect(asOf(T1 - 1)).toBeUndefined();
  });

  it('is what was written at the instant or before, decided then', () => {
    expect(asOf(T1)).toMatchObject({
      unit: { revision: 1, tenancy: { tenant_id: 'ada' }, facts: { balance_due: 0 } },
      head: { type: 'TenantMovedIn', revision: 1 },
      location: { name: 'Main St', policy: POLICY, policy_revision: 0 },
      decision: { state: 'tenant_permitted', reason: 'active', valid_until: null },
    });
    expect(asOf(T1 + HOUR - 1)).toEqual(asOf(T1));
    expect(asOf(T1 + HOUR)).toMatchObject({
      head: { type: 'UnitFactsChanged', revision: 2 },
      decision: { reason: 'active', valid_until: GRACE_ENDS },
    });
  });

  it('of an instant to come is what the calendar makes of it', () => {
    expect(asOf(GRACE_ENDS)).toMatchObject({
      location: { policy_revision: 1 },
      decision: { reason: 'active' },
    });
    expect(asOf(GRACE_ENDS + 24 * HOUR)).toMatchObject({ decision: { reason: 'delinquent' } });
  });

  it('says at each step how much it was', () => {
    expect([...unitAsOf(log().recordOf('a'), T1 + HOUR, calendar)]).toEqual([5, 1, 1, 1, 1]);
    expect([...unitAsOf(log().recordOf('a'), T1 - 1, calendar)]).toEqual([5, 1]);
  });

  it('is told of what holds at the end of it', () => {
    const { after, before } = windowAt(T1);
    expect(after).toEqual(before);
    expect(after.instant).toBe(T1);
    const { own } = log().recordOf('a');
    expect(own.every(({ position }) => position < after.position)).toBe(true);
  });
});
