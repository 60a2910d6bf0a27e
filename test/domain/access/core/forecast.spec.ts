import { bySoonest, type ForecastChange, forecastOf } from '#domain/access/core/forecast.js';
import type { SubjectUnit } from '#domain/access/core/subject.js';
import { finished } from '../../../support/finished.js';
import { calendar, local, NOW, overridden, POLICY, sibling, unit } from '../support/subjects.js';

const OWES_LATER = { balance_due: 1, paid_through_date: '2025-06-10' };
const GRACE_ENDS = local('2025-06-16T00:00');
const ACTIVE = { state: 'tenant_permitted', reason: 'active' };
const DENIED = { state: 'tenant_denied', reason: 'delinquent' };

function forecast(units: readonly SubjectUnit[], until: number): ForecastChange[] {
  return finished(forecastOf(units, POLICY, { now: NOW, until }, calendar));
}

describe('a forecast', () => {
  it('tells what the calendar will change up to the end of its span, this included', () => {
    const owing = unit(OWES_LATER);
    const change = {
      unit_id: 'unit-a',
      crm_unit_id: 'key of unit-a',
      at: GRACE_ENDS,
      from: ACTIVE,
      to: DENIED,
    };
    expect(forecast([owing], GRACE_ENDS)).toEqual([change]);
    expect(forecast([owing], GRACE_ENDS - 1)).toEqual([]);
  });

  it('tells each change of one unit, from what it was to what it will be', () => {
    const ends = local('2025-06-20T12:00');
    const changes = forecast([unit(OWES_LATER, overridden('exempt', ends))], ends);
    expect(changes.map(({ at, from, to }) => [at, from.reason, to.reason])).toEqual([
      [ends, 'system_exempt', 'delinquent'],
    ]);
    const begins = { ...OWES_LATER, move_in_date: '2025-06-08' };
    expect(
      forecast([unit(begins)], GRACE_ENDS).map(({ at, from, to }) => [at, from.reason, to.reason]),
    ).toEqual([
      [local('2025-06-08T00:00'), 'future_move_in', 'active'],
      [GRACE_ENDS, 'active', 'delinquent'],
    ]);
  });

  it('tells what a unit will do to the tenant’s others, at the same instant', () => {
    const changes = forecast([unit(OWES_LATER), unit({}, { unit_id: 'unit-b' })], GRACE_ENDS);
    expect(changes.map(({ unit_id, at, to }) => [unit_id, at, to.reason])).toEqual([
      ['unit-a', GRACE_ENDS, 'delinquent'],
      ['unit-b', GRACE_ENDS, 'blanket_delinquency'],
    ]);
  });

  it('tells first what comes first, of whichever unit', () => {
    const begins = (unit_id: string, move_in_date: string) => unit({ move_in_date }, { unit_id });
    const units = [begins('b', '2025-06-10'), begins('c', '2025-06-08'), begins('d', '2025-06-09')];
    expect(forecast(units, GRACE_ENDS).map(({ unit_id }) => unit_id)).toEqual(['c', 'd', 'b']);
  });

  it('tells nothing where only further causes come', () => {
    expect(forecast([unit({ ...OWES_LATER, pms_lockout: true })], GRACE_ENDS)).toEqual([]);
    expect(forecast([unit(), sibling(), sibling(OWES_LATER, { unit_id: 'unit-c' })], GRACE_ENDS - 1)).toEqual(
      [],
    );
  });

  it('tells of a change of the reason alone', () => {
    const ends = NOW + 1;
    const changes = forecast([unit({}, overridden('exempt', ends))], ends);
    expect(changes.map(({ from, to }) => [from.reason, to.reason])).toEqual([['system_exempt', 'active']]);
  });

  it('says with each decision how many units it looked at, and decides again only what ends', () => {
    const steps = [
      ...forecastOf(
        [unit(OWES_LATER), unit({ pms_auction: true }, { unit_id: 'unit-b' })],
        POLICY,
        { now: NOW, until: GRACE_ENDS },
        calendar,
      ),
    ];
    // Two at first; the one whose grace ends, and the other, which has a cause more.
    expect(steps).toEqual([2, 2, 2, 2]);
    const ended = unit({ pms_auction: true, pms_lock_exempt: true }, { unit_id: 'unit-b' });
    const apart = forecastOf([unit(OWES_LATER), ended], POLICY, { now: NOW, until: GRACE_ENDS }, calendar);
    expect([...apart]).toEqual([2, 2, 2]);
    const alone = [...forecastOf([unit(OWES_LATER)], POLICY, { now: NOW, until: NOW }, calendar)];
    expect(alone).toEqual([1]);
  });
});

describe('a forecast under another policy', () => {
  const OWES = { balance_due: 1, paid_through_date: '2025-05-30' };
  const lenient = { ...POLICY, grace_period_days: 60 };

  it('begins with what the policy changes at once', () => {
    const span = { now: NOW, until: NOW };
    const changes = finished(forecastOf([unit(OWES)], POLICY, span, calendar, lenient));
    expect(changes).toEqual([
      { unit_id: 'unit-a', crm_unit_id: 'key of unit-a', at: NOW, from: DENIED, to: ACTIVE },
    ]);
  });

  it('goes on with what the calendar changes under it', () => {
    const until = local('2025-08-31T00:00');
    const changes = finished(forecastOf([unit(OWES)], POLICY, { now: NOW, until }, calendar, lenient));
    expect(changes.map(({ at, to }) => [at, to])).toEqual([
      [NOW, ACTIVE],
      [expect.any(Number), DENIED],
    ]);
  });
});

describe('changes of many tenants', () => {
  const change = (at: number, unit_id: string) => ({ at, unit_id }) as ForecastChange;

  it('stand by time, and by unit where several happen at once', () => {
    const [first, second, third] = [change(1, 'z'), change(2, 'a'), change(2, 'b')];
    expect([third, second, first].sort(bySoonest)).toEqual([first, second, third]);
    expect([first, second, third].sort(bySoonest)).toEqual([first, second, third]);
    expect(bySoonest(second, { ...second })).toBe(0);
    expect([bySoonest(second, third), bySoonest(third, second)]).toEqual([-1, 1]);
  });
});
