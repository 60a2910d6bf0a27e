import fc from 'fast-check';
import { parseTimestamp } from '#kernel/timestamp.js';

describe('timestamps', () => {
  it('read what the service writes', () => {
    const instant = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, (date) => expect(parseTimestamp(date.toISOString())).toBe(date.getTime())),
    );
  });

  it.each([
    ['2026-01-01T00:00:00+02:00', Date.UTC(2025, 11, 31, 22)],
    ['2026-01-01T00:00:00-05:30', Date.UTC(2026, 0, 1, 5, 30)],
    // As `strftime` of Python and C writes it, and with it generated clients.
    ['2026-01-01T00:00:00.123000-0530', Date.UTC(2026, 0, 1, 5, 30) + 123],
    ['2026-01-01T00:00Z', Date.UTC(2026, 0, 1)],
    ['2026-01-01T00:00:00.1Z', Date.UTC(2026, 0, 1) + 100],
    ['2026-01-01T00:00:00.123456789Z', Date.UTC(2026, 0, 1) + 123],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ['9999-12-31T09:59:59.999999-14:00', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ['0001-01-01T14:00:00+14:00', Date.parse('0001-01-01T00:00:00.000Z')],
  ])('%s', (text, instant) => expect(parseTimestamp(text)).toBe(instant));

  it.each([
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-01T00:00.5Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+2400',
    '2026-01-01T00:00:00+02',
    '2026-01-01 00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-01-01t00:00:00z',
    '9999-12-31T10:00:00-14:00',
    '9999-12-31T23:59:59-14:00',
    '0001-01-01T13:59:59.999+14:00',
    '0000-01-01T00:00:00+14:00',
  ])('%s is none', (text) => expect(parseTimestamp(text)).toBeUndefined());
});
