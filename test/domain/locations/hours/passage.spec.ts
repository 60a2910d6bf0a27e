import { TemporalCalendar } from '#domain/access/calendar.js';
import { ALWAYS, nextWindowAfter, passageAt } from '#domain/locations/core/hours/passage.js';
import { CHICAGO, local } from '../../access/support/subjects.js';
import { everyDay, OFFICE_HOURS } from './support/office-hours.js';

const MINUTE = 60_000;
const clock = new TemporalCalendar();
const zoned = (over: Partial<typeof OFFICE_HOURS> = {}) => ({
  hours: { ...OFFICE_HOURS, ...over },
  timezone: CHICAGO,
  clock,
});
const CLOSING = local('2025-06-06T22:00');
const OPENING = local('2025-06-07T06:00');

describe('hours let pass', () => {
  it('from the opening until the closing, and for the time to leave', () => {
    const passable = { kind: 'passable', closes_at: CLOSING, ends_at: CLOSING + 10 * MINUTE };
    expect(passageAt(zoned(), local('2025-06-06T06:00'))).toEqual(passable);
    expect(passageAt(zoned(), CLOSING)).toEqual(passable);
    expect(passageAt(zoned(), CLOSING + 10 * MINUTE - 1)).toEqual(passable);
  });

  it('nobody from the end of the time to leave until the opening', () => {
    const closed = { kind: 'closed', opens_at: OPENING };
    expect(passageAt(zoned(), CLOSING + 10 * MINUTE)).toEqual(closed);
    expect(passageAt(zoned({ exit_grace_minutes: 0 }), CLOSING)).toEqual(closed);
    expect(passageAt(zoned(), OPENING - 1)).toEqual(closed);
  });

  it('everybody at any time if nothing closes', () => {
    expect(passageAt(zoned({ week: everyDay('always') }), CLOSING)).toEqual(ALWAYS);
  });

  it('nobody ever if nothing opens', () => {
    expect(passageAt(zoned({ week: everyDay('closed') }), CLOSING)).toEqual({
      kind: 'closed',
      opens_at: Infinity,
    });
  });
});

describe('the next window', () => {
  const nextAt = (instant: number, over: Partial<typeof OFFICE_HOURS> = {}) =>
    nextWindowAfter(zoned(over), instant);
  const tomorrow = { opens_at: OPENING, ends_at: local('2025-06-07T22:10') };

  it('is the one that opens after the instant, also while one is open', () => {
    expect(nextAt(local('2025-06-06T12:00'))).toEqual(tomorrow);
    expect(nextAt(OPENING - 1)).toEqual(tomorrow);
    expect(nextAt(OPENING)).toEqual({
      opens_at: local('2025-06-08T06:00'),
      ends_at: local('2025-06-08T22:10'),
    });
  });

  it('is the one of this evening, which lasts into the next day', () => {
    expect(nextAt(local('2025-06-06T12:00'), { week: everyDay({ open: '18:00', close: '02:00' }) })).toEqual({
      opens_at: local('2025-06-06T18:00'),
      ends_at: local('2025-06-07T02:10'),
    });
  });

  it('is none if nothing opens again', () => {
    for (const day of ['always', 'closed'] as const)
      expect(nextAt(local('2025-06-06T12:00'), { week: everyDay(day) })).toBeUndefined();
  });
});
