import { isPaymentUrl, paymentLink } from '#domain/locations/core/contact.js';
import { CURRENCIES } from '#domain/locations/core/currencies.js';

const unit = { crm_unit_id: 'A 1/&?#', pms_tenant_id: 'T-1' };

describe('the link by which a tenant pays', () => {
  it('holds the identifiers of unit and tenant, encoded', () => {
    const template = 'https://pay.example.com/{pms_tenant_id}/pay?unit={crm_unit_id}&again={crm_unit_id}';
    expect(paymentLink(template, unit)).toBe(
      'https://pay.example.com/T-1/pay?unit=A%201%2F%26%3F%23&again=A%201%2F%26%3F%23',
    );
  });

  it('fills in nothing that an identifier itself looks like', () => {
    const odd = { crm_unit_id: '{pms_tenant_id}', pms_tenant_id: '$&' };
    expect(paymentLink('https://pay.example.com/{crm_unit_id}/{pms_tenant_id}', odd)).toBe(
      'https://pay.example.com/%7Bpms_tenant_id%7D/%24%26',
    );
  });
});

describe('a payment link', () => {
  it.each([
    'https://pay.example.com',
    'https://pay.example.com/{crm_unit_id}?tenant={pms_tenant_id}',
    'https://pay.example.com:8443/pay#top',
  ])('may be %s', (url) => {
    expect(isPaymentUrl(url)).toBe(true);
  });

  it.each([
    ['without a scheme', 'pay.example.com'],
    ['of http', 'http://pay.example.com'],
    ['of a script', 'javascript:alert(1)'],
    ['with a user', 'https://ada@pay.example.com'],
    ['with a password', 'https://:secret@pay.example.com'],
    ['with a placeholder in the host', 'https://{crm_unit_id}.example.com'],
    ['with a placeholder that makes the host', 'https://pay.example.com{crm_unit_id}/'],
    ['with a placeholder as the user', 'https://{crm_unit_id}@pay.example.com'],
    ['with a placeholder as the port', 'https://pay.example.com:{crm_unit_id}'],
    ['with a placeholder behind #', 'https://pay.example.com/#{crm_unit_id}'],
    ['with another placeholder', 'https://pay.example.com/{name}'],
    ['with an open brace', 'https://pay.example.com/{crm_unit_id'],
  ])('%s is refused', (_what, url) => {
    expect(isPaymentUrl(url)).toBe(false);
  });
});

it('currencies are codes, each once, and none without two decimals', () => {
  expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length);
  expect(CURRENCIES.filter((one) => !/^[A-Z]{3}$/.test(one))).toEqual([]);
  expect(['JPY', 'KRW', 'CLP', 'ISK', 'KWD', 'BHD', 'TND'].filter((one) => CURRENCIES.includes(one))).toEqual(
    [],
  );
});
