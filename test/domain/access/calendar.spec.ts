import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { TemporalCalendar } from '#domain/access/calendar.js';
import { CHICAGO, calendar, local } from './support/subjects.js';
import { runs } from '../../support/campaign.js';

const utc = (text: string) => Temporal.Instant.from(text).epochMilliseconds;

describe('dateAt', () => {
  it('turns at local midnight, not at that of UTC', () => {
    expect(calendar.dateAt(utc('2025-06-07T04:59:59.999Z'), CHICAGO)).toBe('2025-06-06');
    expect(calendar.dateAt(utc('2025-06-07T05:00:00Z'), CHICAGO)).toBe('2025-06-07');
  });

  it('gives the same answer again from its cache, whichever day was asked for in between', () => {
    const fresh = new TemporalCalendar();
    const instants = [0, 1, 2, 30, 365, 1].map(
      (days) => local('2025-03-08T23:59:59.999') + days * 86_400_000,
    );
    const first = instants.map((instant) => fresh.dateAt(instant, CHICAGO));
    expect(instants.map((instant) => fresh.dateAt(instant, CHICAGO))).toEqual(first);
    expect(fresh.dateAt(instants[0]!, 'Asia/Tokyo')).toBe('2025-03-09');
  });

  it('knows days of 23 and of 25 hours', () => {
    expect(calendar.startOf('2025-03-10', CHICAGO) - calendar.startOf('2025-03-09', CHICAGO)).toBe(
      23 * 3_600_000,
    );
    expect(calendar.startOf('2025-11-03', CHICAGO) - calendar.startOf('2025-11-02', CHICAGO)).toBe(
      25 * 3_600_000,
    );
  });

  it('does not go back where clocks are turned back across midnight', () => {
    // St. John's went from 00:01 on 7 November 2010 back to 23:01 on the 6th.
    expect(calendar.dateAt(utc('2010-11-07T02:29:59Z'), 'America/St_Johns')).toBe('2010-11-06');
    expect(calendar.dateAt(utc('2010-11-07T02:30:30Z'), 'America/St_Johns')).toBe('2010-11-07');
    expect(calendar.dateAt(utc('2010-11-07T03:00:00Z'), 'America/St_Johns')).toBe('2010-11-07');
  });

  it('stays within the dates that a fact may name, whatever the instant', () => {
    expect(calendar.dateAt(utc('9999-12-31T23:00:00Z'), 'Pacific/Kiritimati')).toBe('9999-12-31');
    expect(calendar.dateAt(Infinity, CHICAGO)).toBe('9999-12-31');
    expect(calendar.dateAt(8.7e15, CHICAGO)).toBe('9999-12-31');
    expect(calendar.dateAt(utc('0001-01-01T00:00:00Z'), CHICAGO)).toBe('0001-01-01');
    expect(calendar.dateAt(-8.7e15, CHICAGO)).toBe('0001-01-01');
  });

  it('agrees with the time zone database at random instants', () => {
    const zones = [
      CHICAGO,
      'America/Santiago',
      'Asia/Beirut',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'UTC',
    ];
    fc.assert(
      fc.property(
        fc.integer({ min: utc('2012-01-01T00:00Z'), max: utc('2040-01-01T00:00Z') }),
        fc.constantFrom(...zones),
        (instant, zone) => {
          const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
          expect(calendar.dateAt(instant, zone)).toBe(zoned.toPlainDate().toString());
        },
      ),
      runs(400),
    );
  });

  it('refuses a time zone that does not exist', () => {
    expect(() => calendar.dateAt(0, 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('instantOf', () => {
  it('of a time that the clocks skip is the instant of the change', () => {
    expect(calendar.instantOf('2025-03-09', '02:30', CHICAGO)).toBe(utc('2025-03-09T08:00:00Z'));
    expect(calendar.instantOf('2025-10-05', '02:10', 'Australia/Lord_Howe')).toBe(
      utc('2025-10-04T15:30:00Z'),
    );
  });

  it('of a time that the clocks repeat is the earlier instant', () => {
    expect(calendar.instantOf('2025-11-02', '01:30', CHICAGO)).toBe(utc('2025-11-02T06:30:00Z'));
  });

  it('of midnight is the start of the day', () => {
    expect(calendar.instantOf('2025-09-07', '00:00', 'America/Santiago')).toBe(
      calendar.startOf('2025-09-07', 'America/Santiago'),
    );
  });

  it('gives the same answer again from its cache', () => {
    const fresh = new TemporalCalendar();
    const first = fresh.instantOf('2025-06-06', '06:00', CHICAGO);
    expect(fresh.instantOf('2025-06-06', '06:00', CHICAGO)).toBe(first);
    expect(first).toBe(utc('2025-06-06T11:00:00Z'));
  });
});

describe('startOf', () => {
  it.each([
    ['America/Santiago', '2025-09-07', '2025-09-07T01:00'],
    ['Asia/Beirut', '2025-03-30', '2025-03-30T01:00'],
    ['Africa/Cairo', '2025-04-25', '2025-04-25T01:00'],
    ['America/Toronto', '1919-03-31', '1919-03-31T00:30'],
    ['America/Chicago', '2025-03-09', '2025-03-09T00:00'],
  ])('is the first valid instant in %s on %s', (zone, date, wallClock) => {
    const start = calendar.startOf(date, zone);
    expect(start).toBe(local(wallClock, zone));
    expect(calendar.dateAt(start, zone)).toBe(date);
    expect(calendar.dateAt(start - 1, zone)).toBe(calendar.addDays(date, -1));
  });

  it('is the earlier midnight where the clock strikes it twice', () => {
    expect(calendar.startOf('2025-11-02', 'America/Havana')).toBe(utc('2025-11-02T04:00:00Z'));
    expect(calendar.startOf('2010-11-07', 'America/St_Johns')).toBe(utc('2010-11-07T02:30:00Z'));
  });

  it('of a date that the zone skipped is the start of the next one', () => {
    const start = calendar.startOf('2011-12-30', 'Pacific/Apia');
    expect(start).toBe(calendar.startOf('2011-12-31', 'Pacific/Apia'));
    expect(calendar.dateAt(start, 'Pacific/Apia')).toBe('2011-12-31');
    expect(calendar.dateAt(start - 1, 'Pacific/Apia')).toBe('2011-12-29');
  });

  it.each(['0001-01-01', '9999-12-31'])('reaches %s', (date) => {
    for (const zone of [CHICAGO, 'Asia/Tokyo', 'Pacific/Kiritimati']) {
      expect(calendar.dateAt(calendar.startOf(date, zone), zone)).toBe(date);
    }
  });

  it('refuses what is not a date', () => {
    expect(() => calendar.startOf('2025-02-30', CHICAGO)).toThrow(RangeError);
  });
});

describe('addDays', () => {
  it('agrees with the calendar over the whole range', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3_652_058 }),
        fc.integer({ min: -800_000, max: 800_000 }),
        (day, days) => {
          const from = Temporal.PlainDate.from('0001-01-01').add({ days: day });
          const to = from.add({ days });
          const expected = to.year < 1 ? '0001-01-01' : to.year > 9_999 ? '9999-12-31' : to.toString();
          expect(calendar.addDays(from.toString(), days)).toBe(expected);
        },
      ),
      runs(400),
    );
  });

  it.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2025-02-28', 1, '2025-03-01'],
    ['1900-02-28', 1, '1900-03-01'],
    ['2000-02-29', 366, '2001-03-01'],
    ['2025-12-31', 1, '2026-01-01'],
    ['2025-03-01', -1, '2025-02-28'],
    ['9999-12-30', 90, '9999-12-31'],
    ['0001-01-02', -5, '0001-01-01'],
    ['2025-06-06', Infinity, '9999-12-31'],
    ['2025-06-06', -Infinity, '0001-01-01'],
    ['2025-06-06', 1.9, '2025-06-07'],
  ])('takes %s by %d days to %s', (date, days, expected) => {
    expect(calendar.addDays(date, days)).toBe(expected);
  });
});
