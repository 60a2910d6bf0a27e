import fc from 'fast-check';
import {
  type AccessHours,
  ALWAYS_OPEN,
  contradicting,
  hoursChanges,
  withChanges,
} from '#domain/locations/index.js';
import { OFFICE_HOURS } from './support/office-hours.js';
import { anyHours } from './support/any-hours.js';

const DATES = ['2026-12-24', '2026-12-25', '2026-12-26'];
const christmas = { date: '2026-12-25', name: 'Christmas Day', hours: 'closed' } as const;
const withMonday = (mon: AccessHours['week']['mon']): AccessHours => ({
  ...OFFICE_HOURS,
  week: { ...OFFICE_HOURS.week, mon },
});

describe('changes of hours', () => {
  it('are none between equal hours, and none between always and no hours', () => {
    expect(hoursChanges(OFFICE_HOURS, structuredClone(OFFICE_HOURS))).toEqual([]);
    expect(hoursChanges(null, ALWAYS_OPEN)).toEqual([]);
  });

  it('name each day, each date and the time to leave, before and after', () => {
    const after = { ...withMonday('closed'), exceptions: [christmas], exit_grace_minutes: 15 };
    expect(hoursChanges(OFFICE_HOURS, after)).toEqual([
      { kind: 'day', day: 'mon', from: OFFICE_HOURS.week.mon, to: 'closed' },
      { kind: 'exception', date: '2026-12-25', from: null, to: christmas },
      { kind: 'exit_grace', from: 10, to: 15 },
    ]);
  });

  it('name a date that only got another name', () => {
    const before = { ...OFFICE_HOURS, exceptions: [{ date: '2026-12-25', hours: 'closed' } as const] };
    const after = { ...OFFICE_HOURS, exceptions: [christmas] };
    expect(hoursChanges(before, after)).toHaveLength(1);
  });

  it('name a date that lost its hours', () => {
    const before = { ...OFFICE_HOURS, exceptions: [christmas] };
    expect(hoursChanges(before, OFFICE_HOURS)).toEqual([
      { kind: 'exception', date: '2026-12-25', from: christmas, to: null },
    ]);
  });

  it('lead from any hours to any others', () => {
    fc.assert(
      fc.property(anyHours(DATES), anyHours(DATES), (before, after) => {
        expect(hoursChanges(after, withChanges(before, hoursChanges(before, after)))).toEqual([]);
      }),
    );
  });
});

describe('changes that two made of the same hours', () => {
  const mine = hoursChanges(OFFICE_HOURS, withMonday('closed'));

  it('contradict each other if they make something else of one day', () => {
    const theirs = hoursChanges(OFFICE_HOURS, withMonday('always'));
    expect(contradicting(mine, theirs)).toEqual(theirs);
  });

  it('agree if they are the same, or of other days', () => {
    const sunday = { ...OFFICE_HOURS, week: { ...OFFICE_HOURS.week, sun: 'closed' } } as const;
    expect(contradicting(mine, mine)).toEqual([]);
    expect(contradicting(mine, hoursChanges(OFFICE_HOURS, sunday))).toEqual([]);
  });
});
