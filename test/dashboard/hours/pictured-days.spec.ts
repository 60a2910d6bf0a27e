import { picturedDays } from '#dashboard/hours/pictured-days.js';
import { TemporalCalendar } from '#domain/access/index.js';
import { everyDay, OFFICE_HOURS } from '../../domain/locations/hours/support/office-hours.js';

const clock = new TemporalCalendar();
const CHICAGO = 'America/Chicago';
const NOW = clock.instantOf('2026-12-20', '12:00', CHICAGO);

describe('the days of a picture', () => {
  it('are 14 from today on, with their hours', () => {
    const days = picturedDays(OFFICE_HOURS, CHICAGO, NOW, clock);
    expect(days).toHaveLength(14);
    expect(days[0]).toEqual({
      date: '2026-12-20',
      text: '6 AM – 10 PM',
      isException: false,
      open: [{ from: 6, to: 22 }],
    });
  });

  it('mark a day with hours of its own, and name it', () => {
    const exceptions = [{ date: '2026-12-25', name: 'Christmas Day', hours: 'closed' as const }];
    const days = picturedDays({ ...OFFICE_HOURS, exceptions }, CHICAGO, NOW, clock);
    expect(days[5]).toEqual({
      date: '2026-12-25',
      text: 'Closed, Christmas Day',
      isException: true,
      open: [],
    });
  });

  it('show the end of a window on the day after it began', () => {
    const hours = { ...OFFICE_HOURS, week: everyDay({ open: '18:00', close: '02:00' }) };
    expect(picturedDays(hours, CHICAGO, NOW, clock)[1]!.open).toEqual([
      { from: 0, to: 2 },
      { from: 18, to: 24 },
    ]);
  });
});
