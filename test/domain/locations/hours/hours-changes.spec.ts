import fc from 'fast-check';
import {
  type AccessHours,
  ALWAYS_OPEN,
  contradicting,
  hoursChanges,
  withChanges,
} from '#domain/locations/index.js';
import { everyDay, OFFICE_HOURS } from './support/office-hours.js';
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

  it('name dates in their order, each with its own hours', () => {
    const before = { ...OFFICE_HOURS, exceptions: [{ date: '2026-12-26', hours: 'closed' } as const] };
    const after = {
      ...OFFICE_HOURS,
      exceptions: [christmas, { date: '2026-12-26', hours: 'always' } as const],
    };
    expect(hoursChanges(before, after)).toEqual([
      { kind: 'exception', date: '2026-12-25', from: null, to: christmas },
      {
        kind: 'exception',
        date: '2026-12-26',
        from: { date: '2026-12-26', hours: 'closed' },
        to: { date: '2026-12-26', hours: 'always' },
      },
    ]);
  });

  it('begin from hours that are always open', () => {
    const changes = hoursChanges(null, { ...ALWAYS_OPEN, week: { ...ALWAYS_OPEN.week, sun: 'closed' } });
    expect(changes).toEqual([{ kind: 'day', day: 'sun', from: 'always', to: 'closed' }]);
    const { week, exceptions } = withChanges(null, changes);
    expect({ week, exceptions }).toEqual({ week: { ...everyDay('always'), sun: 'closed' }, exceptions: [] });
  });

  it('leave the dates in their order, with their names', () => {
    const after = withChanges({ ...OFFICE_HOURS, exceptions: [christmas] }, [
      { kind: 'exception', date: '2026-12-24', from: null, to: { date: '2026-12-24', hours: 'closed' } },
    ]);
    expect(after.exceptions).toStrictEqual([{ date: '2026-12-24', hours: 'closed' }, christmas]);
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

  it('contradict each other in that day alone, however many they are', () => {
    const both = { ...withMonday('closed'), exceptions: [christmas], exit_grace_minutes: 15 };
    const theirs = { ...withMonday('always'), exceptions: [christmas], exit_grace_minutes: 15 };
    expect(contradicting(hoursChanges(OFFICE_HOURS, both), hoursChanges(OFFICE_HOURS, theirs))).toEqual(
      hoursChanges(OFFICE_HOURS, withMonday('always')),
    );
  });

  it('contradict each other if they make something else of one date, or of the time to leave', () => {
    const withExceptions = (...exceptions: AccessHours['exceptions']) => ({ ...OFFICE_HOURS, exceptions });
    const open = { ...christmas, hours: { open: '10:00', close: '12:00' } };
    const longer = { ...christmas, hours: { open: '10:00', close: '13:00' } };
    const onDate = hoursChanges(OFFICE_HOURS, withExceptions(open));
    const other = hoursChanges(OFFICE_HOURS, withExceptions(longer));
    expect(contradicting(onDate, other)).toEqual(other);
    const nextDay = hoursChanges(OFFICE_HOURS, withExceptions({ ...longer, date: '2026-12-26' }));
    expect(contradicting(onDate, nextDay)).toEqual([]);
    const grace = (exit_grace_minutes: number) =>
      hoursChanges(OFFICE_HOURS, { ...OFFICE_HOURS, exit_grace_minutes });
    expect(contradicting(grace(15), grace(20))).toEqual(grace(20));
    expect(contradicting(grace(15), onDate)).toEqual([]);
  });

  it('agree if they are the same, or of other days', () => {
    const sunday = { ...OFFICE_HOURS, week: { ...OFFICE_HOURS.week, sun: 'closed' } } as const;
    const tuesday = { ...OFFICE_HOURS, week: { ...OFFICE_HOURS.week, tue: 'always' } } as const;
    expect(contradicting(mine, mine)).toEqual([]);
    expect(contradicting(mine, hoursChanges(OFFICE_HOURS, tuesday))).toEqual([]);
    expect(contradicting(mine, hoursChanges(OFFICE_HOURS, sunday))).toEqual([]);
  });
});
