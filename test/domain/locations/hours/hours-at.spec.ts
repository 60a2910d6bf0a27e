import { Temporal } from 'temporal-polyfill';
import { TemporalCalendar } from '#domain/access/calendar.js';
import { type AccessHours, type DayHours, WEEKDAYS } from '#domain/locations/core/hours/access-hours.js';
import { hoursAt } from '#domain/locations/core/hours/hours-at.js';

const clock = new TemporalCalendar();
const CHICAGO = 'America/Chicago';

function everyDay(hours: DayHours): AccessHours['week'] {
  return Object.fromEntries(WEEKDAYS.map((day) => [day, hours])) as AccessHours['week'];
}

function local(text: string): number {
  return Temporal.PlainDateTime.from(text).toZonedDateTime(CHICAGO).epochMilliseconds;
}

function at(text: string, { week, exceptions = [] }: Partial<AccessHours> & Pick<AccessHours, 'week'>) {
  const hours = { week, exceptions, exit_grace_minutes: 10 };
  return hoursAt({ hours, timezone: CHICAGO, clock }, local(text));
}

const OFFICE = everyDay({ open: '06:00', close: '22:00' });

describe('hoursAt', () => {
  it('is open from the opening until the closing', () => {
    const open = { state: 'open', since: local('2025-06-06T06:00'), until: local('2025-06-06T22:00') };
    expect(at('2025-06-06T06:00', { week: OFFICE })).toEqual(open);
    expect(at('2025-06-06T21:59:59.999', { week: OFFICE })).toEqual(open);
    expect(at('2025-06-06T22:00', { week: OFFICE })).toEqual({
      state: 'closed',
      since: local('2025-06-06T22:00'),
      until: local('2025-06-07T06:00'),
    });
  });

  it('closes on the next day if the closing is not after the opening', () => {
    const week = { ...everyDay('closed'), fri: { open: '18:00', close: '02:00' } };
    const night = { state: 'open', since: local('2025-06-06T18:00'), until: local('2025-06-07T02:00') };
    expect(at('2025-06-07T01:59', { week })).toEqual(night);
  });

  it('lets a window run into a closed holiday', () => {
    const week = everyDay({ open: '18:00', close: '02:00' });
    const exceptions = [{ date: '2025-07-04', hours: 'closed' }] as const;
    expect(at('2025-07-04T01:00', { week, exceptions })).toMatchObject({ until: local('2025-07-04T02:00') });
    expect(at('2025-07-04T19:00', { week, exceptions })).toEqual({
      state: 'closed',
      since: local('2025-07-04T02:00'),
      until: local('2025-07-05T18:00'),
    });
  });

  it('never changes where every day is always open', () => {
    expect(at('2025-06-06T12:00', { week: everyDay('always') })).toEqual({
      state: 'open',
      since: -Infinity,
      until: Infinity,
    });
  });

  it('never opens where every day is closed', () => {
    expect(at('2025-06-06T12:00', { week: everyDay('closed') })).toEqual({
      state: 'closed',
      since: -Infinity,
      until: Infinity,
    });
  });

  it('finds an exception in years to come and in years past', () => {
    const exceptions = [
      { date: '2019-12-25', hours: 'closed' },
      { date: '2031-12-25', hours: 'closed' },
    ] as const;
    expect(at('2025-06-06T12:00', { week: everyDay('always'), exceptions })).toEqual({
      state: 'open',
      since: local('2019-12-26T00:00'),
      until: local('2031-12-25T00:00'),
    });
  });

  it('keeps the night before a far exception open until its window ends', () => {
    const week = everyDay({ open: '06:00', close: '06:00' });
    const exceptions = [{ date: '2031-12-25', hours: 'closed' }] as const;
    expect(at('2025-06-06T12:00', { week, exceptions })).toMatchObject({
      since: -Infinity,
      until: local('2031-12-25T06:00'),
    });
  });

  it('opens at the change of the clocks if the change skips the opening', () => {
    const week = everyDay({ open: '02:30', close: '05:00' });
    expect(at('2025-03-09T03:10', { week })).toMatchObject({
      state: 'open',
      since: local('2025-03-09T03:00'),
    });
  });

  it('closes at the earlier time if the clocks repeat the closing', () => {
    const week = everyDay({ open: '00:00', close: '01:30' });
    const afterChange = Date.parse('2025-11-02T07:10Z');
    const hours = { week, exceptions: [], exit_grace_minutes: 10 };
    expect(hoursAt({ hours, timezone: CHICAGO, clock }, afterChange)).toMatchObject({
      state: 'closed',
      since: Date.parse('2025-11-02T06:30Z'),
    });
  });
});
