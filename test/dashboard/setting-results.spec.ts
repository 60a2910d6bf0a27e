import { settingResultText } from '#dashboard/companies/setting-results.js';

const POLICY = {
  grace_period_days: 5,
  balance_threshold: 0,
  blanket_delinquency: true,
  delinquency_mode: 'automatic',
  timezone: 'UTC',
};
const NOTICES = { welcome: false, closes_in_days: null, closed: false, opened: false };

it.each([
  [
    'a policy by each field that changed',
    'LocationPolicyChanged',
    { policy: POLICY },
    { policy: { ...POLICY, grace_period_days: 4, balance_threshold: 12.5, blanket_delinquency: false } },
    'Days of grace: 5 → 4; Ignore balances up to: €0.00 → €12.50; Lock all the tenant’s units here: yes → no',
  ],
  [
    'texts by those that were switched',
    'LocationNoticesChanged',
    { notices: NOTICES },
    { notices: { ...NOTICES, closed: true, closes_in_days: 3 }, at: 'now' },
    'Locked out: off → on; Lockout soon: off → 3 days before',
  ],
  [
    'a contact by its parts',
    'LocationContactChanged',
    { phone: null, email: 'a@example.com', address: null },
    { phone: '+13125550100', email: 'a@example.com', address: '1 Lake St' },
    'Phone: none → +1 312-555-0100; Address: none → 1 Lake St',
  ],
  [
    'a payment link',
    'LocationPaymentUrlChanged',
    { payment_url: null },
    { payment_url: 'https://a' },
    'none → https://a',
  ],
  ['a name', 'LocationRenamed', { name: 'Main' }, { name: 'Lake Street' }, 'Main → Lake Street'],
  ['a currency', 'LocationCurrencyChanged', { currency: 'USD' }, { currency: 'EUR' }, 'USD → EUR'],
  [
    'sharing',
    'LocationTenantSharingChanged',
    { tenant_sharing: false },
    { tenant_sharing: true },
    'off → on',
  ],
])('the list of changes tells %s, before and after', (_, type, before, data, text) => {
  expect(settingResultText({ type, data, before }, 'EUR')).toBe(text);
});

it('the list of changes says that it is not known what a setting was, where that lies too far back', () => {
  const change = { type: 'LocationPolicyChanged', data: { policy: POLICY } } as never;
  expect(settingResultText(change, 'USD')).toBe('What it was before is not known here');
});

it('an event that changes no setting of a site has no such text', () => {
  expect(settingResultText({ type: 'TenantMovedIn', data: {} }, 'USD')).toBeUndefined();
});
