import { closesAt } from '#domain/access/core/closing.js';
import { shortDecision } from '#domain/access/core/policy.js';
import type { SubjectUnit } from '#domain/access/core/subject.js';
import { calendar, input, local, overridden, PAST_DUE, sibling, unit } from '../support/subjects.js';

/** Five days of grace end on the 6th of June, the day of `NOW`. */
const DUE_TODAY = { balance_due: 5_000, paid_through_date: '2025-06-01' };
const DUE_TOMORROW = { balance_due: 5_000, paid_through_date: '2025-06-02' };
const EVENING = local('2025-06-06T18:00');
const MIDNIGHT = local('2025-06-07T00:00');
const NEXT_MIDNIGHT = local('2025-06-08T00:00');

function closing(subject: SubjectUnit, siblings: readonly SubjectUnit[] = []): number | null {
  const given = input(subject, { siblings });
  return closesAt(given, shortDecision(given, calendar), calendar);
}

describe('an open unit closes', () => {
  it.each<[string, number | null, number | null]>([
    ['never if nothing is owed', closing(unit()), null],
    ['at the end of its own grace', closing(unit(DUE_TODAY)), MIDNIGHT],
    ["at the end of another unit's grace", closing(unit(), [sibling(DUE_TODAY)]), MIDNIGHT],
    ['at the first of two ends of grace', closing(unit(DUE_TOMORROW), [sibling({ ...DUE_TODAY })]), MIDNIGHT],
    [
      'at the end of the exemption that keeps it open',
      closing(unit(PAST_DUE, overridden('exempt', EVENING))),
      EVENING,
    ],
    [
      'later than its exemption ends if nothing else denies then',
      closing(unit(DUE_TOMORROW, overridden('exempt', EVENING))),
      NEXT_MIDNIGHT,
    ],
    [
      'never if its exemption ends and nothing is owed',
      closing(unit({}, overridden('exempt', EVENING))),
      null,
    ],
  ])('%s', (_when, found, expected) => {
    expect(found).toBe(expected);
  });

  it('not if it is not open now, although it will be', () => {
    expect(closing(unit({ move_in_date: '2025-06-07', ...DUE_TOMORROW }))).toBeNull();
  });
});
