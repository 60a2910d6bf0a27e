import { timeZoneNamed } from '../../src/operator/time-zone.js';

describe('a time zone', () => {
  it.each(['America/Chicago', 'UTC', 'Etc/GMT+5', 'US/Central', 'America/Argentina/Buenos_Aires'])(
    'may be called %s',
    (text) => {
      expect(timeZoneNamed(text)).toBe(text);
    },
  );

  it.each([
    ['america/chicago', 'America/Chicago'],
    ['utc', 'UTC'],
  ])('called %s is %s', (text, name) => {
    expect(timeZoneNamed(text)).toBe(name);
  });

  it.each([
    '+02:00',
    '-05:00',
    'UTC+2',
    '',
    'Z',
    'Mars/Olympus',
    'America',
    '2025-06-06T00:00Z[UTC]',
    ' UTC',
    'UTC\n',
  ])('is not called %j', (text) => {
    expect(timeZoneNamed(text)).toBeUndefined();
  });

  it('may be any that Node lists', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    expect(zones.filter((zone) => timeZoneNamed(zone) !== zone)).toEqual([]);
  });
});
