import { picturedDays, picturedWeek } from '#dashboard/hours/pictured-days.js';
import { TemporalCalendar } from '#domain/access/index.js';
import { everyDay, OFFICE_HOURS } from '../../domain/locations/hours/support/office-hours.js';

const clock = new TemporalCalendar();
const CHICAGO = 'America/Chicago';
const NOW = clock.instantOf('2026-12-20', '12:00', CHICAGO);

describe('the days of a picture', () => {
  it('are 14 from today on, with their hours', () => {
    const days = picturedDays(OFFICE_HOURS, CHICAGO, NOW, clock);
    expect(days).toHaveLength(14);
    expect(days[1]).toEqual({
      name: 'Mon, Dec 21',
      text: '6 AM – 10 PM',
      open: [{ from: 6, to: 22, isException: false }],
    });
  });

  it('begin with today, and mark the present hour in it alone', () => {
    const days = picturedDays(OFFICE_HOURS, CHICAGO, NOW, clock);
    expect([days[0]!.name, days[0]!.now]).toEqual(['Today', 12]);
    expect(days.slice(1).filter(({ now }) => now !== undefined)).toEqual([]);
  });

  it('mark the present hour where the bar of a day with a change of the clocks has it', () => {
    const now = clock.instantOf('2026-03-08', '12:00', CHICAGO);
    const day = picturedDays(OFFICE_HOURS, CHICAGO, now, clock)[0]!;
    expect(day.now).toBeGreaterThan(day.open[0]!.from);
    expect(day.now).toBeLessThan(day.open[0]!.to);
    expect(day.now).toBeCloseTo((11 / 23) * 24);
  });

  it('name a day with hours of its own', () => {
    const exceptions = [{ date: '2026-12-25', name: 'Christmas Day', hours: 'closed' as const }];
    const days = picturedDays({ ...OFFICE_HOURS, exceptions }, CHICAGO, NOW, clock);
    expect(days[5]).toEqual({
      name: 'Fri, Dec 25',
      text: 'Closed, Christmas Day',
      open: [],
    });
  });

  it('show the end of a window on the day after it began', () => {
    const hours = { ...OFFICE_HOURS, week: everyDay({ open: '18:00', close: '02:00' }) };
    expect(picturedDays(hours, CHICAGO, NOW, clock)[1]!.open).toEqual([
      { from: 0, to: 2, isException: false },
      { from: 18, to: 24, isException: false },
    ]);
  });

  it('mark the window that begins on a day with hours of its own, not the one that runs on into it', () => {
    const exceptions = [{ date: '2026-12-25', hours: { open: '20:00', close: '01:00' } }];
    const hours = { ...OFFICE_HOURS, week: everyDay({ open: '18:00', close: '02:00' }), exceptions };
    const days = picturedDays(hours, CHICAGO, NOW, clock);
    expect(days[5]!.open.map(({ isException }) => isException)).toEqual([false, true]);
    expect(days[6]!.open.map(({ isException }) => isException)).toEqual([true, false]);
  });

  it.each([
    ['of 6 PM to 2 AM on each day', '18:00', '02:00', 'Until 2 AM, then 6 PM – 2 AM of the next day'],
    ['that ends at midnight', '18:00', '00:00', '6 PM – 12 AM'],
    ['that is one with the next', '06:00', '06:00', 'All day, until 6 AM'],
  ])('say in words what a window %s does to the day after', (_name, open, close, text) => {
    const hours = { ...OFFICE_HOURS, week: everyDay({ open, close }) };
    expect(picturedDays(hours, CHICAGO, NOW, clock)[1]!.text).toBe(text);
  });

  it.each([
    ['closed', 'Until 2 AM, then closed, Christmas Day'],
    ['always', 'Always, Christmas Day'],
    [{ open: '01:00', close: '10:00' }, 'Until 10 AM, Christmas Day'],
    [{ open: '01:00', close: '01:30' }, 'Until 2 AM, Christmas Day'],
  ] as const)('say in words that a night runs on into a holiday (%j)', (hoursOfDay, text) => {
    const exceptions = [{ date: '2026-12-25', name: 'Christmas Day', hours: hoursOfDay }];
    const hours = { ...OFFICE_HOURS, week: everyDay({ open: '18:00', close: '02:00' }), exceptions };
    expect(picturedDays(hours, CHICAGO, NOW, clock)[5]!.text).toBe(text);
  });
});

describe('the days of a week', () => {
  it('are seven from Monday on, without days of their own', () => {
    const exceptions = [{ date: '2024-01-02', name: 'Paving', hours: 'closed' as const }];
    const days = picturedWeek({ ...OFFICE_HOURS, exceptions }, clock);
    expect(days.map(({ name }) => name)).toEqual([
      'Monday',
      'Tuesday',
      'Wednesday',
      'Thursday',
      'Friday',
      'Saturday',
      'Sunday',
    ]);
    expect(days[1]).toEqual({
      name: 'Tuesday',
      text: '6 AM – 10 PM',
      open: [{ from: 6, to: 22, isException: false }],
    });
  });

  it('show on Monday what Sunday runs on past midnight', () => {
    const week = { ...everyDay('closed'), sun: { open: '18:00', close: '02:00' } };
    const days = picturedWeek({ ...OFFICE_HOURS, week }, clock);
    expect(days[0]).toEqual({
      name: 'Monday',
      text: 'Until 2 AM, then closed',
      open: [{ from: 0, to: 2, isException: false }],
    });
  });
});
