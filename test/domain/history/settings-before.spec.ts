import { settingBefore } from '#domain/history/core/settings-before.js';
import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';

const opened = {
  type: 'LocationOpened',
  revision: 0,
  data: {
    location_id: 'L',
    company_id: 'C',
    pms_location_code: 'MAIN',
    name: 'Main',
    policy: { ...DEFAULT_POLICY },
  },
};
const policy = (revision: number, grace_period_days: number) => ({
  type: 'LocationPolicyChanged',
  revision,
  data: { policy: { ...DEFAULT_POLICY, grace_period_days } },
});
const unzoned = { type: 'ZoneAdded', revision: 2, data: { zone_id: 'Z', name: 'North' } };

describe('a setting before a change', () => {
  it('is what the newest earlier change of the same setting set', () => {
    const older = [policy(4, 9), policy(3, 4), unzoned, policy(1, 3), opened];
    expect(settingBefore(policy(4, 9), older)).toEqual(policy(3, 4).data);
  });

  it.each([
    ['policy', policy(1, 3), { policy: DEFAULT_POLICY }],
    ['name', { type: 'LocationRenamed', revision: 1, data: { name: 'Lake' } }, { name: 'Main' }],
    [
      'contact',
      {
        type: 'LocationContactChanged',
        revision: 1,
        data: { phone: '+13125550100', email: null, address: null },
      },
      { phone: null, email: null, address: null },
    ],
    [
      'payment link',
      { type: 'LocationPaymentUrlChanged', revision: 1, data: { payment_url: 'https://pay.example.com' } },
      { payment_url: null },
    ],
    [
      'currency',
      { type: 'LocationCurrencyChanged', revision: 1, data: { currency: 'EUR' } },
      { currency: 'USD' },
    ],
    [
      'sharing by tenants',
      { type: 'LocationTenantSharingChanged', revision: 1, data: { tenant_sharing: true } },
      { tenant_sharing: false },
    ],
    [
      'texts',
      { type: 'LocationNoticesChanged', revision: 1, data: { notices: {}, at: 1 } },
      { notices: { welcome: false, closes_in_days: null, closed: false, opened: false } },
    ],
  ])('is the %s that the location was opened with, where none was set', (_, change, before) => {
    expect(settingBefore(change, [opened])).toEqual(before);
  });

  it('is not known where what was read does not reach back so far', () => {
    expect(settingBefore(policy(4, 9), [unzoned])).toBeUndefined();
  });
});
