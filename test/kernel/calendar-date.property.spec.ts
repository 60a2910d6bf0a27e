import fc from 'fast-check';
import { isCalendarDate } from '#kernel/calendar-date.js';
import { runs } from '../support/campaign.js';

describe('calendar dates', () => {
  it('are those of the calendar', () => {
    const day = fc.tuple(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 0, max: 14 }),
      fc.integer({ min: 0, max: 33 }),
    );
    fc.assert(
      fc.property(day, ([year, month, date]) => {
        const pad = (number: number, length: number) => String(number).padStart(length, '0');
        const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}`;
        const known = new Date(0);
        known.setUTCFullYear(year, month - 1, date);
        expect(isCalendarDate(text)).toBe(known.getUTCMonth() === month - 1 && known.getUTCDate() === date);
      }),
      runs(400),
    );
  });

  it.each([
    '0000-01-01',
    '0000-12-31',
    '2026-1-1',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '20260101',
    '٢٠٢٥-06-06',
    '１２３４-01-01',
    '',
  ])('%j is none', (text) => expect(isCalendarDate(text)).toBe(false));

  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('%s is one', (text) =>
    expect(isCalendarDate(text)).toBe(true),
  );

  it.each(['2023-02-29', '1900-02-29', '2026-04-31'])('%s does not exist', (text) =>
    expect(isCalendarDate(text)).toBe(false),
  );
});
