import { tiesOf } from '#domain/access/core/ties.js';
import type { SubjectUnit } from '#domain/access/core/subject.js';
import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import { calendar, input, local, NOW, overridden, PAST_DUE, sibling, unit } from '../support/subjects.js';

const LET_IN = overridden('exempt');
const owing = (rest = {}) => unit(PAST_DUE, rest);
const paid = (rest = {}) => unit({}, { unit_id: 'unit-c', ...rest });

/** The units of both lists, by the last letter of their identifiers. */
function tied(subject: SubjectUnit, siblings: readonly SubjectUnit[], policy: Partial<LocationPolicy> = {}) {
  const ties = tiesOf(input(subject, { siblings: [subject, ...siblings], policy }), calendar);
  const names = (units: readonly SubjectUnit[]) => units.map(({ unit_id }) => unit_id.slice(-1)).join('');
  return [names(ties.others), names(ties.keptOpenBy)];
}

describe('the other units that stand or fall with an override', () => {
  it.each<[string, SubjectUnit, readonly SubjectUnit[], string]>([
    ['are those that its debt locks', owing(), [paid()], 'c'],
    ['are those that it opens, being let in', owing(LET_IN), [paid()], 'c'],
    ['are the same while staff locks it out', owing(overridden('lockout')), [paid()], 'c'],
    ['are none where it owes nothing', unit({}, LET_IN), [paid()], ''],
    ['are none where another debt locks them, too', owing(), [sibling(), paid()], ''],
    ['are none that have a lockout of their own', owing(), [paid(overridden('lockout'))], ''],
    ['are none that are let in themselves', owing(), [paid(LET_IN)], ''],
  ])('%s', (_what, subject, siblings, others) => {
    expect(tied(subject, siblings)[0]).toBe(others);
  });

  it('are none where debts do not count across units', () => {
    expect(tied(owing(LET_IN), [paid()], { blanket_delinquency: false })).toEqual(['', '']);
  });
});

it('tells when such a unit locks all the same, by a debt of its own', () => {
  const due = paid({ facts: unit({ balance_due: 5_000, paid_through_date: '2025-06-01' }).facts });
  const ties = tiesOf(input(owing(LET_IN), { siblings: [due] }), calendar);
  expect(ties.others.map(({ locksAt }) => locksAt)).toEqual([local('2025-06-07T00:00')]);
});

describe('the units whose override keeps a unit open', () => {
  it.each<[string, SubjectUnit, readonly SubjectUnit[], string]>([
    ['are those that owe and are let in', paid(), [sibling({}, LET_IN), unit({}, LET_IN)], 'b'],
    ['are all of them', paid(), [sibling({}, LET_IN), owing(LET_IN)], 'ba'],
    ['are none that only owe', paid(), [sibling()], ''],
    ['are none whose override has ended', paid(), [sibling({}, overridden('exempt', NOW))], ''],
    ['are none of a unit that is locked', paid(overridden('lockout')), [sibling({}, LET_IN)], ''],
    ['are none of a unit that is let in itself', paid(LET_IN), [sibling({}, LET_IN)], ''],
  ])('%s', (_what, subject, siblings, keeping) => {
    expect(tied(subject, siblings)[1]).toBe(keeping);
  });
});
