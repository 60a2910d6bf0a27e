interface PhoneFields {
  readonly country_code: string;
  readonly phone_number: string;
}

const { phoneOf } = jest.requireActual<{ phoneOf: (country: string, number: string) => PhoneFields }>(
  '../../examples/tenant-app/words.js',
);

describe('the phone number that a tenant types into the example page', () => {
  it.each([
    ['', '+44 7700 900123', { country_code: '4', phone_number: '47700900123' }],
    [' ', '0044 7700 900123', { country_code: '4', phone_number: '47700900123' }],
    ['1', '+44 7700 900123', { country_code: '4', phone_number: '47700900123' }],
    ['44', '+44 7700 900123', { country_code: '44', phone_number: '7700900123' }],
    ['1', '011 44 7700 900123', { country_code: '4', phone_number: '47700900123' }],
    ['', '(011) 44 7700 900123', { country_code: '4', phone_number: '47700900123' }],
    ['999', '0110 1234', { country_code: '999', phone_number: '01101234' }],
    ['999', '0001 1234', { country_code: '999', phone_number: '00011234' }],
    ['+1', '(555) 010-0123', { country_code: '1', phone_number: '5550100123' }],
    ['1', '1 555 010 0123', { country_code: '1', phone_number: '5550100123' }],
  ])('%j and %j are split into a country code and the rest', (country, number, fields) => {
    expect(phoneOf(country, number)).toEqual(fields);
  });

  it('has no country code if neither field names one', () => {
    expect(phoneOf(' ', '7700 900123')).toEqual({ country_code: '', phone_number: '7700900123' });
  });
});

interface Gate {
  readonly kind?: string;
  readonly state: string;
  readonly reason: string | null;
  readonly opens_at: string | null;
  readonly key?: string;
  readonly key_expires_at?: string;
  readonly next_key?: { readonly key: string; readonly valid_from: string; readonly key_expires_at: string };
}

const { gateAt, whyShut } = jest.requireActual<{
  gateAt: (gate: Gate, now: number) => Gate;
  whyShut: (gate: Gate, timezone: string) => readonly [string, string];
}>('../../examples/tenant-app/words.js');

describe('a gate that is outside of its hours', () => {
  const opens_at = '2026-01-02T06:00:00.000Z';
  const closed: Gate = { kind: 'gate', state: 'denied', reason: 'outside_hours', opens_at };
  const next_key = { key: 'tomorrow', valid_from: opens_at, key_expires_at: '2026-01-02T08:00:00.000Z' };

  it('says when it opens', () => {
    jest.spyOn(Date, 'now').mockReturnValueOnce(Date.parse('2026-01-01T23:00:00Z'));
    expect(whyShut(closed, 'UTC')[1]).toMatch(/^The gate opens at 6:00/);
  });

  it('says the day, too, if it opens later than in a day', () => {
    jest.spyOn(Date, 'now').mockReturnValueOnce(Date.parse('2025-12-31T23:00:00Z'));
    expect(whyShut(closed, 'UTC')[1]).toBe('The gate opens on Friday at 6:00 AM.');
  });

  it('sends people to the facility if it never opens', () => {
    expect(whyShut({ ...closed, opens_at: null }, 'UTC')[1]).toBe('Call the facility.');
  });

  it('opens with its next key once that begins, without a network', () => {
    const before = gateAt({ ...closed, next_key }, Date.parse(opens_at) - 1);
    const after = gateAt({ ...closed, next_key }, Date.parse(opens_at));
    expect([before.state, before.key]).toEqual(['denied', undefined]);
    expect([after.state, after.key]).toEqual(['permitted', 'tomorrow']);
  });
});

interface Unit {
  readonly state: string;
  readonly reason: string | null;
  readonly relationship: string;
  readonly balance_due?: number;
  readonly currency?: string;
  readonly paid_through_date?: string | null;
  readonly move_in_date?: string | null;
  readonly closes_at?: string | null;
  readonly location: { readonly timezone: string; readonly contact: Record<string, string | null> };
}

const { namesInZones, payLink, payText, waysToReach, whyClosed } = jest.requireActual<{
  namesInZones: (
    zones: readonly string[],
    others: readonly { readonly zones: readonly string[]; readonly name: string }[],
    nameOf: (one: { readonly name: string }) => string,
  ) => string[];
  payLink: (unit: Unit) => string | undefined;
  payText: (unit: Unit) => string;
  waysToReach: (contact: Record<string, string | null>) => string[][];
  whyClosed: (unit: Unit) => readonly [string, string];
}>('../../examples/tenant-app/words.js');

describe('a unit of the tenant', () => {
  const { sharesText } = jest.requireActual<{ sharesText: (unit: object) => string }>(
    '../../examples/tenant-app/words.js',
  );
  const location = { timezone: 'America/Chicago' };

  it('says who shares it, and until when', () => {
    const shares = [
      { name: 'Bob', until: '2026-03-06T18:00:00.000Z' },
      { name: null, until: null },
    ];
    expect(sharesText({ shares, location })).toMatch(
      /^Shared with Bob until .*Mar.* 6.*12:00.*, Somebody\.$/,
    );
  });

  it('says nothing where nobody shares it', () => {
    expect([sharesText({ shares: [], location }), sharesText({ location })]).toEqual(['', '']);
  });
});

describe('an invitation', () => {
  const { invitedText, invitationText } = jest.requireActual<{
    invitedText: (share: object, timezone: string) => string;
    invitationText: (invitation: object) => string;
  }>('../../examples/tenant-app/words.js');
  const until = '2026-03-06T18:00:00.000Z';

  it.each([
    [{ name: 'Bob', state: 'offered', code: '123456', until }, /^Bob is invited\. Tell them .*: 123456$/],
    [{ name: 'Bob', state: 'locked', code: null, until }, /^Bob has entered a wrong code five times\./],
    [{ name: 'Bob', state: 'accepted', code: null, until }, /^Bob until .*Mar.* 6.*12:00/],
    [{ name: null, state: 'accepted', code: null, until: null }, /^Somebody$/],
  ])('says how %j stands', (share, text) => {
    expect(invitedText(share, 'America/Chicago')).toMatch(text);
  });

  it('names the place alone to whoever is invited', () => {
    const location = { name: 'Main St', timezone: 'America/Chicago' };
    expect(invitationText({ location, until })).toMatch(
      /^Somebody shares a unit at Main St with you, until .*Mar.* 6/,
    );
  });
});

describe('a unit of somebody else', () => {
  const { sharedText } = jest.requireActual<{ sharedText: (unit: object) => string }>(
    '../../examples/tenant-app/words.js',
  );
  const location = { timezone: 'America/Chicago' };

  it('says until when it is shared', () => {
    expect(sharedText({ until: '2026-03-06T18:00:00.000Z', location })).toMatch(
      /^shared with you until .*Mar.* 6.*12:00/,
    );
  });

  it('says nothing of an end where there is none', () => {
    expect(sharedText({ until: null, location })).toBe('shared with you');
  });
});

describe('what a tenant is told to do', () => {
  const contact = {
    phone: '+13125550100',
    email: null,
    address: null,
    payment_url: 'https://pay.example.com',
  };
  const owing: Unit = {
    state: 'tenant_denied',
    reason: 'delinquent',
    relationship: 'primary',
    balance_due: 45.5,
    currency: 'EUR',
    paid_through_date: '2026-01-31',
    move_in_date: '2025-01-01',
    closes_at: null,
    location: { timezone: 'America/Chicago', contact },
  };

  it('is how much to pay, with two decimals and the currency, and since when', () => {
    expect(payText(owing)).toBe('You owe €45.50. It is paid through Jan 31, 2026.');
  });

  it('is until when to pay, while the unit is open', () => {
    const open = { ...owing, state: 'tenant_permitted', closes_at: '2026-02-06T06:00:00.000Z' };
    expect(payText(open)).toMatch(/^Pay €45\.50 by Feb 6, 2026, 12:00\sAM, or the unit closes\.$/);
  });

  it('is where to pay, if something is owed and there is a page', () => {
    expect(payLink(owing)).toBe('https://pay.example.com');
    expect(payLink({ ...owing, balance_due: 0 })).toBeUndefined();
    const without = { ...owing.location, contact: { ...contact, payment_url: null } };
    expect(payLink({ ...owing, location: without })).toBeUndefined();
  });

  it('is nothing to pay for somebody with a share, who is sent to the tenant', () => {
    const { state, reason, location } = owing;
    const shared = { state, reason, location, relationship: 'shared' };
    expect([payText(shared), payLink(shared)]).toEqual(['', undefined]);
    expect(whyClosed(shared)[1]).toBe('Ask the tenant who shares it with you.');
  });

  it('is the day on which the lease begins', () => {
    expect(whyClosed({ ...owing, reason: 'future_move_in', move_in_date: '2026-03-01' })[1]).toBe(
      'It opens on Mar 1, 2026.',
    );
  });

  it('is whom to call', () => {
    expect(waysToReach({ ...contact, email: 'office@example.com', address: '1 Main St' })).toEqual([
      ['Call +13125550100', 'tel:+13125550100'],
      ['Write to office@example.com', 'mailto:office@example.com'],
      ['1 Main St'],
    ]);
    expect(waysToReach({ phone: null, email: null, address: null })).toEqual([]);
  });

  it('is which gates a unit opens: those that share a zone', () => {
    const gates = [
      { name: 'North', zones: ['a', 'b'] },
      { name: 'South', zones: ['c'] },
    ];
    expect(namesInZones(['b'], gates, ({ name }) => name)).toEqual(['North']);
    expect(namesInZones([], gates, ({ name }) => name)).toEqual([]);
  });
});
