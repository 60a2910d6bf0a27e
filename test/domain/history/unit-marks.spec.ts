import type { AccessReason, AccessState } from '#domain/access/core/decision.js';
import { countUnits, markOf } from '#domain/history/core/unit-marks.js';

describe('the mark of a unit', () => {
  it.each<[string, AccessState, AccessReason | null]>([
    ['o', 'tenant_permitted', 'active'],
    ['e', 'tenant_permitted', 'system_exempt'],
    ['e', 'tenant_permitted', 'pms_exempt'],
    ['d', 'tenant_denied', 'delinquent'],
    ['n', 'tenant_denied', 'future_move_in'],
    ['a', 'auction', null],
    ['u', 'unrentable', null],
    ['v', 'vacant', null],
  ])('is %s where it is %s for %s', (mark, state, reason) => {
    expect(markOf({ state, reason })).toBe(mark);
  });
});

describe('the units of a site', () => {
  const unit = (unit_name: string, mark: 'o' | 'd' | 'v') => ({ unit_name, mark });

  it('are counted by mark, and pictured in the order of their names, numbers as numbers', () => {
    expect(countUnits([unit('A10', 'v'), unit('A9', 'd'), unit('B1', 'o'), unit('A11', 'o')])).toEqual({
      counts: { d: 1, o: 2, v: 1 },
      marks: 'dvoo',
    });
  });

  it('have no picture where they are more than 600', () => {
    const units = Array.from({ length: 600 }, (_, place) => unit(`A${place}`, 'o'));
    expect(countUnits(units).marks).toHaveLength(600);
    expect(countUnits([...units, unit('B', 'd')])).toEqual({ counts: { d: 1, o: 600 }, marks: null });
  });
});
