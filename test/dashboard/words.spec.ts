import { zoneOf } from '#dashboard/frame/company-frame.js';
import { amountText, dateText, eventsText, instantText, phoneText } from '#dashboard/parts/words.js';

it('writes dates as instants begin, and names the zone of an instant', () => {
  expect(dateText('2026-11-01')).toBe('Nov 1, 2026');
  expect(dateText('2026-10-31', 1)).toBe('Nov 1, 2026');
  expect(instantText('2026-11-02T01:30:00Z', 'America/Chicago')).toBe('Nov 1, 2026, 7:30 PM CST');
});

it.each([
  ['+16175557788', '+1 617-555-7788'],
  ['+442079460958', '+44 207 946 0958'],
  ['+4930123456', '+49 301 234 56'],
  ['+33123456789', '+33 123 456 789'],
  ['+79161234567', '+7 916 123 4567'],
  ['+3581234', '+358 1234'],
  ['+353861234567', '+353 861 234 567'],
  ['8812', '8812'],
])('groups the phone number %s', (phone, text) => {
  expect(phoneText(phone)).toBe(text);
});

it('counts taps as events of gates and locks', () => {
  expect(eventsText('EntryPointActivityReported', 34)).toBe('34 gate events');
  expect(eventsText('LockActivityReported', 1)).toBe('1 lock event');
  expect(eventsText('UnitFactsChanged', 2000)).toBe('2,000 × PMS data changed');
});

it('tells a company’s times by the zone of most of its locations', () => {
  const [east, west] = [{ timezone: 'America/New_York' }, { timezone: 'America/Los_Angeles' }];
  expect(zoneOf([west, east, east])).toBe('America/New_York');
  expect(zoneOf([])).toBe('UTC');
});

describe('an amount', () => {
  it.each([
    ['USD', 1234.5, '$1,234.50'],
    ['EUR', 319, '€319.00'],
    ['CAD', -20, '-CA$20.00'],
    // Intl alone would leave out their decimals.
    ['HUF', 10.5, 'HUF 10.50'],
    ['COP', 1, 'COP 1.00'],
  ])('of %s has two decimals', (currency, amount, text) => {
    expect(amountText(amount, currency).replaceAll('\u00a0', ' ')).toBe(text);
  });
});
