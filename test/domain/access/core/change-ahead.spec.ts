import { changeAhead } from '#domain/access/core/change-ahead.js';
import type { SubjectUnit } from '#domain/access/core/subject.js';
import type { UnitFacts } from '#domain/units/core/fact-catalogue.js';
import { calendar, cure, input, local, overridden, PAST_DUE, sibling, unit } from '../support/subjects.js';

/** Five days of grace end on the 6th of June, the day of `NOW`. */
const DUE_TODAY = { balance_due: 5_000, paid_through_date: '2025-06-01' };
const MIDNIGHT = local('2025-06-07T00:00');
const EVENING = local('2025-06-07T18:00');
const LET_IN = overridden('exempt', EVENING);
const PAY = cure('balance_due', 0);
const PAY_OTHER = cure('balance_due', 0, { unit_id: 'unit-b' });

const ahead = (facts: Partial<UnitFacts>, siblings: readonly SubjectUnit[] = [], rest = {}) => {
  const change = changeAhead(input(unit(facts, rest), { siblings }), calendar);
  return change && [change.from, change.reason, change.resolution];
};

describe('the change ahead', () => {
  it.each<[string, ReturnType<typeof ahead>, ReturnType<typeof ahead>]>([
    ['is none if nothing follows', ahead({}), null],
    ['is none after its only debt is paid', ahead(PAST_DUE), null],
    ['is none of a vacant unit', ahead({ ...DUE_TODAY, occupied: false }), null],
    ['of an open unit is its own lockout', ahead(DUE_TODAY), [MIDNIGHT, 'delinquent', [PAY]]],
    ['follows the payment of another debt', ahead(DUE_TODAY, [sibling()]), [MIDNIGHT, 'delinquent', [PAY]]],
    [
      'follows the payment of its own debt',
      ahead(PAST_DUE, [sibling(DUE_TODAY)]),
      [MIDNIGHT, 'blanket_delinquency', [PAY_OTHER]],
    ],
    [
      'follows the end of a lockout of the PMS',
      ahead({ ...DUE_TODAY, pms_lockout: true }),
      [MIDNIGHT, 'delinquent', [PAY]],
    ],
    [
      'follows the removal of a lockout by staff',
      ahead(DUE_TODAY, [], overridden('lockout')),
      [MIDNIGHT, 'delinquent', [PAY]],
    ],
    [
      'names every debt at the end of an override',
      ahead(PAST_DUE, [sibling(DUE_TODAY)], LET_IN),
      [EVENING, 'delinquent', [PAY, PAY_OTHER]],
    ],
  ])('%s', (_what, change, expected) => {
    expect(change).toEqual(expected);
  });
});
