import { TemporalCalendar } from '#domain/access/index.js';
import { type Asked, morningStep, nextMorning } from '#domain/summaries/core/morning.js';

const calendar = new TemporalCalendar();
const CHICAGO = 'America/Chicago';
const at = (text: string) => Date.parse(text);

/** It is seven in the morning of 6 January at the site, and the mail was switched on the day before. */
const SEVEN: Asked = {
  since: at('2026-01-05T18:00:00Z'),
  last_date: null,
  timezone: CHICAGO,
  now: at('2026-01-06T13:00:00Z'),
};

function step(changes: Partial<Asked>) {
  return morningStep({ ...SEVEN, ...changes }, calendar);
}

test('A mail is due at seven of the site', () => {
  expect(step({})).toEqual({ kind: 'send', date: '2026-01-06' });
});

test('A mail waits until seven of the site', () => {
  const now = at('2026-01-06T12:59:59.999Z');
  expect(step({ now })).toEqual({ kind: 'wait', until: at('2026-01-06T13:00:00Z') });
});

test('A mail that could not be sent in time is due until noon', () => {
  expect(step({ now: at('2026-01-06T17:59:59.999Z') }).kind).toBe('send');
  const noon = step({ now: at('2026-01-06T18:00:00Z') });
  expect(noon).toEqual({ kind: 'wait', until: at('2026-01-07T13:00:00Z') });
});

test('A mail that was begun is not due on the same date again', () => {
  const begun = step({ last_date: '2026-01-06', now: at('2026-01-06T14:00:00Z') });
  expect(begun).toEqual({ kind: 'wait', until: at('2026-01-07T13:00:00Z') });
  expect(step({ last_date: '2026-01-05' }).kind).toBe('send');
});

test('A date that was begun is over also after the time zone has moved west', () => {
  // In Honolulu it is still the 6th.
  const moved = step({
    last_date: '2026-01-07',
    timezone: 'Pacific/Honolulu',
    now: at('2026-01-06T18:00:00Z'),
  });
  expect(moved).toEqual({ kind: 'wait', until: at('2026-01-07T17:00:00Z') });
});

test('A mail that is switched on after seven begins on the next day', () => {
  const since = at('2026-01-06T13:00:00.001Z');
  expect(step({ since, now: since })).toEqual({ kind: 'wait', until: at('2026-01-07T13:00:00Z') });
});

test('A mail that is switched on before seven begins on the same day', () => {
  expect(step({ since: at('2026-01-06T13:00:00Z') }).kind).toBe('send');
});

test('A day on which clocks change has its seven o’clock', () => {
  const now = at('2026-03-08T10:00:00Z');
  expect(step({ now })).toEqual({ kind: 'wait', until: at('2026-03-08T12:00:00Z') });
  expect(nextMorning('2026-10-31', CHICAGO, calendar)).toBe(at('2026-11-01T13:00:00Z'));
});
