import { zoneOf } from '../../src/dashboard/companies/company-frame.js';
import { dateText, instantText } from '../../src/dashboard/parts/words.js';

it('writes dates as instants begin, and names the zone of an instant', () => {
  expect(dateText('2026-11-01')).toBe('Nov 1, 2026');
  expect(dateText('2026-10-31', 1)).toBe('Nov 1, 2026');
  expect(instantText('2026-11-02T01:30:00Z', 'America/Chicago')).toBe('Nov 1, 2026, 7:30 PM CST');
});

it('tells a company’s times by the zone of most of its locations', () => {
  const [east, west] = [{ timezone: 'America/New_York' }, { timezone: 'America/Los_Angeles' }];
  expect(zoneOf([west, east, east])).toBe('America/New_York');
  expect(zoneOf([])).toBe('UTC');
});
