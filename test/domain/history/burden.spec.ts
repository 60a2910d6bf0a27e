import { type Burden, burdensOf } from '#domain/history/core/burden.js';
import { policyPeriods } from '#domain/history/core/periods.js';
import { finished } from '../../support/finished.js';
import { at, calendar, facts, movedIn, movedOut, RecordedLog, registered } from './support/recorded.js';

const T1 = at('2025-06-02T15:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OWES = facts({ balance_due: 5_000, paid_through_date: '2025-06-01' });
const OWES_LONG = facts({ balance_due: 5_000, paid_through_date: '2025-01-01' });
const PAYS = facts({ balance_due: 0 });
const GRACE_ENDS = at('2025-06-07T05:00:00.000Z');
const SPAN = { from: T1, until: T1 + 30 * DAY };

/** Ada rents `a`, `b` and `c` since T1. */
function rented(): RecordedLog {
  const log = new RecordedLog();
  for (const unit of ['a', 'b', 'c']) log.write(unit, T1, registered(unit), movedIn());
  return log;
}

function burdens(log: RecordedLog, span = SPAN, tenant_id = 'ada') {
  const periodsOfUnits = ['a', 'b', 'c'].map((unit) => log.periodsOf(unit));
  return burdensOf(tenant_id, periodsOfUnits, policyPeriods(log.recordOf('a').location), span, calendar);
}

const told = ({ from, debtor }: Burden) => [from, debtor?.unit_id ?? null];

function debtors(...given: Parameters<typeof burdens>) {
  return finished(burdens(...given)).map(told);
}

describe("what counts against a tenant's other units", () => {
  it('is a unit from the end of its grace on, as long as nothing is written', () => {
    const log = rented().write('b', T1 + HOUR, OWES);
    const [burden, ...then] = finished(burdens(log));
    expect(burden).toEqual({ from: GRACE_ENDS, debtor: log.periodsOf('b').at(-1)!.unit });
    expect(then.map(told)).toEqual([[Infinity, null]]);
  });

  it('is a unit until it is paid for, and nothing where that comes before grace ends or as it does', () => {
    const paid = (instant: number) =>
      rented()
        .write('b', T1 + HOUR, OWES)
        .write('b', instant, PAYS);
    expect(debtors(paid(GRACE_ENDS + HOUR))).toEqual([
      [GRACE_ENDS, 'b'],
      [GRACE_ENDS + HOUR, null],
    ]);
    expect(debtors(paid(GRACE_ENDS))).toEqual([]);
    expect(debtors(paid(GRACE_ENDS - HOUR))).toEqual([]);
  });

  it('is at once a unit that was past due before the span, and one that owes for long', () => {
    const log = rented().write('b', T1 + HOUR, OWES_LONG);
    expect(debtors(log)).toEqual([
      [T1 + HOUR, 'b'],
      [Infinity, null],
    ]);
    expect(debtors(log, { from: T1 + DAY, until: T1 + 2 * DAY })).toEqual([
      [T1 + DAY, 'b'],
      [Infinity, null],
    ]);
  });

  it('is of several units whichever counts for longest, until it does no more', () => {
    const log = rented()
      .write('a', T1 + HOUR, OWES_LONG)
      .write('b', T1 + HOUR, OWES_LONG)
      .write('c', T1 + HOUR, OWES_LONG)
      .write('a', T1 + 3 * HOUR, PAYS)
      .write('a', T1 + 4 * HOUR, OWES_LONG)
      .write('b', T1 + 6 * HOUR, PAYS)
      .write('c', T1 + 5 * HOUR, PAYS)
      .write('a', T1 + 7 * HOUR, PAYS);
    expect(debtors(log)).toEqual([
      [T1 + HOUR, 'b'],
      [T1 + 6 * HOUR, 'a'],
      [T1 + 7 * HOUR, null],
    ]);
    expect(debtors(log.write('b', T1 + 8 * HOUR, OWES_LONG)).slice(2)).toEqual([
      [T1 + 7 * HOUR, null],
      [T1 + 8 * HOUR, 'b'],
      [Infinity, null],
    ]);
  });

  it('is of several that count for as long the first', () => {
    expect(debtors(rented().write('b', T1, OWES_LONG).write('c', T1, OWES_LONG))).toEqual([
      [T1, 'b'],
      [Infinity, null],
    ]);
  });

  it('is passed on where one is paid for as the next begins to count', () => {
    const log = rented()
      .write('a', T1 + HOUR, OWES_LONG)
      .write('a', T1 + 2 * HOUR, PAYS)
      .write('b', T1 + 2 * HOUR, OWES_LONG);
    expect(debtors(log)).toEqual([
      [T1 + HOUR, 'a'],
      [T1 + 2 * HOUR, 'b'],
      [Infinity, null],
    ]);
  });

  it('is only what the tenant rents', () => {
    const log = rented()
      .write('b', T1 + HOUR, OWES_LONG)
      .write('b', T1 + 2 * HOUR, movedOut())
      .write('b', T1 + 3 * HOUR, movedIn('bob'), OWES_LONG);
    expect(debtors(log)).toEqual([
      [T1 + HOUR, 'b'],
      [T1 + 2 * HOUR, null],
    ]);
    expect(debtors(log, SPAN, 'bob')).toEqual([
      [T1 + 3 * HOUR, 'b'],
      [Infinity, null],
    ]);
  });

  it('is judged by the policy of the time', () => {
    const log = rented()
      .write('b', T1 + HOUR, OWES_LONG)
      .changePolicy(T1 + 2 * HOUR, { blanket_delinquency: false })
      .changePolicy(T1 + 3 * HOUR, {});
    expect(debtors(log)).toEqual([
      [T1 + HOUR, 'b'],
      [T1 + 2 * HOUR, null],
      [T1 + 3 * HOUR, 'b'],
      [Infinity, null],
    ]);
  });

  it('is nothing where no unit was there yet', () => {
    expect(debtors(rented(), { from: T1 - DAY, until: T1 - HOUR })).toEqual([]);
  });

  it('says at each step how much it was', () => {
    const log = rented()
      .write('a', T1 + HOUR, OWES_LONG)
      .write('b', T1 + HOUR, OWES_LONG);
    // Two states of `a` and of `b` and one of `c`, each with the policy; then where both begin and where both end.
    expect([...burdens(log)]).toEqual([3, 3, 2, 1, 2, 1, 0]);
    log.write('c', T1 + 2 * HOUR, OWES_LONG);
    expect([...burdens(log)]).toEqual([3, 3, 3, 1, 2, 1, 1, 0]);
  });
});
