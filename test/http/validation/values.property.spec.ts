import { isEmail } from 'class-validator';
import fc from 'fast-check';
import { isCalendarDate } from '../../../src/config/clock.js';
import {
  codePoints,
  emailRule,
  fromCents,
  hasWholeCents,
  parseTimestamp,
  toCents,
} from '../../../src/http/validation/rules.js';
import { anyCharacter } from '../../support/any-text.js';
import { runs } from '../../support/campaign.js';

const cents = fc.integer({ min: -999_999_999_999, max: 999_999_999_999 });

describe('money', () => {
  it('goes to cents and back without a loss, over its JSON text too', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        const shown = JSON.parse(JSON.stringify(fromCents(amount))) as number;
        expect(toCents(shown)).toBe(amount);
      }),
    );
  });

  it('with a third decimal is refused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }),
        fc.integer({ min: 1, max: 9 }),
        (whole, mill) => {
          expect(hasWholeCents(Number(`${whole}.00${mill}`))).toBe(false);
        },
      ),
    );
  });

  it('agrees with the decimal text', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (amount) => {
        const text = String(amount);
        const plain = /^-?\d+(\.\d{1,2})?$/.test(text);
        expect(hasWholeCents(amount)).toBe(plain);
      }),
    );
  });

  it('knows no minus zero, and refuses what is no amount', () => {
    expect(Object.is(toCents(-0), 0)).toBe(true);
    for (const amount of [0.1 + 0.2, 1e11, NaN, Infinity]) expect(() => toCents(amount)).toThrow(RangeError);
  });
});

describe('email addresses', () => {
  it('are those of class-validator', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aZ0_+-.@é'), maxLength: 70 });
    const long = fc.stringMatching(/^[a-z]{60,68}@[a-z]{55,68}\.com$/);
    const short = fc.stringMatching(/^[a.-]{1,4}@[a0.-]{1,5}\.[a0-]{1,3}$/);
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), text, long, short), (address) => {
        expect(emailRule(address) === undefined).toBe(isEmail(address));
      }),
      runs(1_000),
    );
  });
});

describe('dates', () => {
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

describe('length', () => {
  it('is counted in code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) =>
        expect(codePoints(text)).toBe([...text].length),
      ),
    );
    expect(codePoints('\ud83d')).toBe(1);
  });
});
