import { explained, sibling, unit } from '../support/subjects.js';

describe('the siblings that blanket delinquency looked at', () => {
  it('stand in one order, in whatever order the views came to know them', () => {
    const [one, other] = [sibling({}, { unit_id: 'unit-b' }), sibling({}, { unit_id: 'unit-c' })];
    const decision = explained(unit(), { siblings: [one, other] });
    expect(decision.reason).toBe('blanket_delinquency');
    expect(explained(unit(), { siblings: [other, one] })).toEqual(decision);
  });
});
