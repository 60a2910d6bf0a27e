import { daysOfText, weekChangesOf } from '#dashboard/hours/hours-form-values.js';
import { type AccessHours, WEEKDAYS, withChanges } from '#domain/locations/index.js';
import type { FormValues } from '#dashboard/page/page.js';
import { OFFICE_HOURS } from '../../domain/locations/hours/support/office-hours.js';

describe('days from text', () => {
  it.each([
    ['2026-12-25, closed, Christmas Day', { date: '2026-12-25', hours: 'closed', name: 'Christmas Day' }],
    ['2026-12-25\tclosed\tChristmas Day', { date: '2026-12-25', hours: 'closed', name: 'Christmas Day' }],
    ['2026-12-24; 6:00-14:00', { date: '2026-12-24', hours: { open: '06:00', close: '14:00' } }],
    ['2026-12-24, 06:00 to 14:00', { date: '2026-12-24', hours: { open: '06:00', close: '14:00' } }],
    ['2026-12-24, Always', { date: '2026-12-24', hours: 'always' }],
  ])('reads %s', (line, day) => {
    expect(daysOfText(line)).toEqual([day]);
  });

  it('reads many lines, and passes over empty ones', () => {
    const text = '2026-12-24, closed\n\n2026-12-25, closed\r\n';
    expect(daysOfText(text).map(({ date }) => date)).toEqual(['2026-12-24', '2026-12-25']);
  });

  it('names the line at fault', () => {
    expect(() => daysOfText('2026-12-24, closed\nChristmas')).toThrow(
      expect.objectContaining({ errors: { days: [expect.stringMatching(/^Line 2: /)] } }),
    );
  });

  it('refuses a text without days', () => {
    expect(() => daysOfText('\n')).toThrow(expect.objectContaining({ status: 422 }));
  });
});

describe('the hours of a form', () => {
  const hoursOfForm = (values: FormValues, seen: AccessHours | null) =>
    withChanges(seen, weekChangesOf(values, seen));

  const fields = WEEKDAYS.flatMap((day) => [
    [`${day}_kind`, 'hours'],
    [`${day}_open`, '06:00'],
    [`${day}_close`, '22:00:00'],
  ]);
  const form = { ...Object.fromEntries(fields), exit_grace_minutes: '10' };

  it('are those of each day', () => {
    expect(hoursOfForm(form, null)).toEqual(OFFICE_HOURS);
  });

  it('leave the times of a day that is open always, or closed', () => {
    const { week } = hoursOfForm({ ...form, mon_kind: 'always', sun_kind: 'closed' }, null);
    expect([week.mon, week.sun]).toEqual(['always', 'closed']);
  });

  it('keep the exceptions that are there', () => {
    const exceptions = [{ date: '2026-12-25', hours: 'closed' as const }];
    expect(hoursOfForm(form, { ...OFFICE_HOURS, exceptions }).exceptions).toEqual(exceptions);
  });
});
