import { NO_CONTACT } from '#domain/locations/core/contact.js';
import { type NamedSite, type NamedUnit, noticeText } from '#domain/notices/core/notice-text.js';
import { CHICAGO, local } from '../access/support/subjects.js';

const SITE: NamedSite = {
  name: 'Main St',
  timezone: CHICAGO,
  currency: 'USD',
  contact: {
    ...NO_CONTACT,
    phone: '+13125550100',
    payment_url: 'https://pay.example.com/{pms_tenant_id}?unit={crm_unit_id}',
  },
};
const PAY = 'Pay: https://pay.example.com/T%201?unit=key-A-1';

function named(unit_name: string, over: Partial<NamedUnit> = {}): NamedUnit {
  return {
    unit_name,
    crm_unit_id: `key-${unit_name}`,
    pms_tenant_id: 'T 1',
    closes_at: null,
    isForDebt: false,
    ...over,
  };
}
const owing = { isForDebt: true };
const closes_at = local('2025-06-10T00:00');

describe('the text of', () => {
  it('a welcome says where, and whom to ask', () => {
    expect(noticeText({ kind: 'welcome', units: [named('A-1')], site: SITE, owed: 0 })).toBe(
      'Welcome to Main St. Unit A-1 is open for you in the app. Questions: +13125550100',
    );
  });

  it('a closed unit says what is owed, and where to pay', () => {
    expect(noticeText({ kind: 'closed', units: [named('A-1', owing)], site: SITE, owed: 12_050 })).toBe(
      `Main St: unit A-1 is closed. You owe $120.50. ${PAY} Questions: +13125550100`,
    );
  });

  it('a unit that is closed for another reason speaks of no money', () => {
    expect(noticeText({ kind: 'closed', units: [named('A-1')], site: SITE, owed: 12_050 })).toBe(
      'Main St: unit A-1 is closed. Questions: +13125550100',
    );
  });

  it('an opening names the units, and whom to ask', () => {
    const units = [named('A-1'), named('A-2'), named('A-3')];
    expect(noticeText({ kind: 'opened', units, site: SITE, owed: 0 })).toBe(
      'Main St: units A-1, A-2 and A-3 are open again. Questions: +13125550100',
    );
  });

  it('a closing names the day at the site', () => {
    const units = [named('A-1', { ...owing, closes_at })];
    expect(noticeText({ kind: 'closes_in_days', units, site: SITE, owed: 5_000 })).toBe(
      `Main St: unit A-1 closes on Tue, Jun 10. You owe $50.00. ${PAY} Questions: +13125550100`,
    );
  });

  it('closings on several days names each day once', () => {
    const units = [
      named('A-1', { closes_at }),
      named('A-2', { closes_at: local('2025-06-11T00:00') }),
      named('A-3', { closes_at }),
    ];
    expect(noticeText({ kind: 'closes_in_days', units, site: SITE, owed: 0 })).toBe(
      'Main St: units A-1 and A-3 close on Tue, Jun 10, unit A-2 closes on Wed, Jun 11. Questions: +13125550100',
    );
  });

  it('a site without contact ends with the fact', () => {
    const site = { ...SITE, contact: NO_CONTACT };
    expect(noticeText({ kind: 'closed', units: [named('A-1')], site, owed: 0 })).toBe(
      'Main St: unit A-1 is closed.',
    );
  });

  it('a site without a phone names its e-mail address', () => {
    const site = { ...SITE, contact: { ...NO_CONTACT, email: 'office@example.com' } };
    expect(noticeText({ kind: 'closed', units: [named('A-1')], site, owed: 0 })).toContain(
      'Questions: office@example.com',
    );
  });

  it('many units with long names stays short enough to be sent', () => {
    const units = Array.from({ length: 300 }, (_, at) => named(`${at} ${'x'.repeat(250)}`, owing));
    const payment_url = `https://pay.example.com/${'y'.repeat(2_000)}`;
    const site = { ...SITE, name: 'z'.repeat(255), contact: { ...SITE.contact, payment_url } };
    const text = noticeText({ kind: 'closed', units, site, owed: 1 });
    expect(text).toContain('and 295 more are closed. You owe $0.01. Questions');
    expect(text.length).toBeLessThan(600);
  });

  it('a unit with a name of more than forty characters names its beginning', () => {
    const opening = (unit_name: string) =>
      noticeText({
        kind: 'opened',
        units: [named(unit_name)],
        site: { ...SITE, contact: NO_CONTACT },
        owed: 0,
      });
    expect(opening('x'.repeat(40))).toBe(`Main St: unit ${'x'.repeat(40)} is open again.`);
    expect(opening('x'.repeat(41))).toBe(`Main St: unit ${'x'.repeat(37)}... is open again.`);
  });

  it('five units names them all', () => {
    const units = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5'].map((name) => named(name));
    expect(noticeText({ kind: 'opened', units, site: SITE, owed: 0 })).toBe(
      'Main St: units A-1, A-2, A-3, A-4 and A-5 are open again. Questions: +13125550100',
    );
  });

  it('a unit for whose debt nothing is owed any more speaks of no money', () => {
    expect(noticeText({ kind: 'closed', units: [named('A-1', owing)], site: SITE, owed: 0 })).toBe(
      'Main St: unit A-1 is closed. Questions: +13125550100',
    );
  });

  it('a closed unit of a site without a payment link says what is owed', () => {
    const site = { ...SITE, contact: NO_CONTACT };
    expect(noticeText({ kind: 'closed', units: [named('A-1', owing)], site, owed: 100 })).toBe(
      'Main St: unit A-1 is closed. You owe $1.00.',
    );
  });

  it('another currency shows it', () => {
    const site = { ...SITE, currency: 'EUR' };
    expect(noticeText({ kind: 'closed', units: [named('A-1', owing)], site, owed: 100 })).toContain('€1.00');
  });
});
