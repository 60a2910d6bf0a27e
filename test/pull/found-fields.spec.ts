import { foundFields as foundFieldsInSteps, refusedSample, sampleOf } from '#pull/core/found-fields.js';
import { finished } from '../support/finished.js';

const foundFields = (...parameters: Parameters<typeof foundFieldsInSteps>) =>
  finished(foundFieldsInSteps(...parameters));

const fieldsBy = (entries: readonly unknown[], mapping: Record<string, string | null> | null = null) =>
  Object.fromEntries(foundFields(entries, mapping).map(({ name, field }) => [name, field]));

describe('the fields of a source', () => {
  it('take the name of the unit for its identifier, where nothing else identifies it', () => {
    expect(fieldsBy([{ UnitName: 'A-1' }])).toEqual({ UnitName: 'crm_unit_id' });
    expect(fieldsBy([{ UnitName: 'A-1', UnitID: 7 }])).toEqual({
      UnitName: 'unit_name',
      UnitID: 'crm_unit_id',
    });
  });

  it('are those of its first entries, nested ones by dots, each with a value where one was found', () => {
    const entries = [
      {
        unit: 'A-1',
        lease: { start: null, 'a.b': 1, '': 2 },
        tags: ['x'],
        deep: { a: { b: { c: { d: 1 } } } },
      },
      { lease: { start: '2025-12-01' }, rented: false },
      'no entry',
      null,
    ];
    expect(foundFields(entries, null).map(({ name, sample }) => [name, sample])).toEqual([
      ['unit', 'A-1'],
      ['lease.start', '2025-12-01'],
      ['tags', null],
      ['deep.a.b.c', null],
      ['rented', 'false'],
    ]);
  });

  it('are at most a hundred', () => {
    const wide = Object.fromEntries(Array.from({ length: 150 }, (_, place) => [`f${place}`, place]));
    expect(foundFields([wide], null)).toHaveLength(100);
  });

  it('tell the location code by its values, which are shown, and otherwise by its name', () => {
    const codes = new Set(['NORTH', 'SOUTH']);
    const entries = [
      { unit: 'A-1', where: 'NORTH', zone: 'NORTH', note: 'NORTH' },
      { unit: 'A-2', where: 'SOUTH', zone: 'EAST' },
    ];
    expect(foundFields(entries, null, codes)).toMatchObject([
      { name: 'unit', field: 'crm_unit_id' },
      { name: 'where', sample: 'NORTH', is_masked: false, field: 'pms_location_code' },
      { name: 'zone', sample: null, is_masked: true, field: null },
      { name: 'note', sample: null, is_masked: true, field: null },
    ]);
    expect(foundFields(entries, { where: null }, codes)[1]).toMatchObject({ sample: 'NORTH', field: null });
    expect(fieldsBy([{ where: 'NORTH' }])).toEqual({ where: null });
    expect(foundFields([{ site: '12 Oak St, A. Doe' }], null, codes)).toEqual([
      { name: 'site', sample: null, is_masked: true, field: 'pms_location_code' },
    ]);
    expect(foundFields([{ where: 'MAIN', pin: 'MAIN' }], null, new Set(['MAIN']))).toEqual([
      { name: 'where', sample: 'MAIN', is_masked: false, field: null },
      { name: 'pin', sample: null, is_masked: true, field: null },
    ]);
    expect(foundFields([], { site: 'pms_location_code' }, codes)).toEqual([
      { name: 'site', sample: null, is_masked: false, field: 'pms_location_code' },
    ]);
  });

  it('are hidden if they are of a person, even where the value looks like a code', () => {
    expect(foundFields([{ Last: 'Doe0', CustNo: 'T-17' }], null)).toMatchObject([
      { name: 'Last', sample: null, is_masked: true, field: 'tenant.last_name' },
      { name: 'CustNo', sample: 'T-17', is_masked: false },
    ]);
  });

  it('are what they are called, or called alike; none is taken twice', () => {
    const entry = {
      unit_name: 'A',
      unitNumber: 1,
      id: 2,
      Balance: 3,
      'Paid-Thru': 4,
      person: { FirstName: 5 },
      firstName: 6,
    };
    expect(fieldsBy([entry])).toEqual({
      unit_name: 'unit_name',
      unitNumber: 'crm_unit_id',
      id: null,
      Balance: 'balance_due',
      'Paid-Thru': 'paid_through_date',
      'person.FirstName': 'tenant.first_name',
      firstName: null,
    });
  });

  it('are guessed from short forms of first and last name', () => {
    expect(fieldsBy([{ FName: 'Ada', LName: 'Park' }])).toEqual({
      FName: 'tenant.first_name',
      LName: 'tenant.last_name',
    });
  });

  it('keep a name of ours, also of a detail, and take none that says too little', () => {
    const tenant = { pms_tenant_id: 'T', id: 1, name: 'Ada', number: 2 };
    expect(fieldsBy([{ tenant, crm_unit_id: 'A', unitId: 'B' }])).toEqual({
      'tenant.pms_tenant_id': 'tenant.pms_tenant_id',
      'tenant.id': 'pms_tenant_id',
      'tenant.name': null,
      'tenant.number': null,
      crm_unit_id: 'crm_unit_id',
      unitId: null,
    });
    expect(fieldsBy([{ person: { id: 1, number: 2 } }])).toEqual({
      'person.id': null,
      'person.number': null,
    });
    expect(Object.keys(fieldsBy([{ ['n'.repeat(255)]: 1, ['n'.repeat(256)]: 1 }]))).toEqual([
      'n'.repeat(255),
    ]);
  });

  it('are found in the example of the guide', () => {
    const customer = {
      id: 'T-50',
      first: 'Noor',
      last: 'Haddad',
      mobile: '+13125550150',
      name: 'Noor Haddad',
    };
    const entry = {
      number: 'C-301',
      rented: true,
      since: '2025-11-01',
      owed: 0,
      paid_until: '2099-12-31',
      size: '5x5',
    };
    expect(fieldsBy([{ customer, ...entry }])).toEqual({
      number: 'crm_unit_id',
      rented: 'occupied',
      since: 'move_in_date',
      owed: 'balance_due',
      paid_until: 'paid_through_date',
      size: null,
      'customer.id': 'pms_tenant_id',
      'customer.first': 'tenant.first_name',
      'customer.last': 'tenant.last_name',
      'customer.mobile': 'tenant.phone',
      'customer.name': null,
    });
  });

  it('are found under the names of a list by spaces and customers', () => {
    const row = { SpaceNo: 1, CustNo: 2, Rented: 3, Start: 4, PaidTo: 5, Locked: 6, Status: 7, Cell: 8 };
    expect(fieldsBy([row])).toEqual({
      SpaceNo: 'crm_unit_id',
      CustNo: 'pms_tenant_id',
      Rented: 'occupied',
      Start: 'move_in_date',
      PaidTo: 'paid_through_date',
      Locked: 'pms_lockout',
      Status: 'pms_status_raw',
      Cell: 'tenant.phone',
    });
  });

  it('show words that repeat over the rows, and hide those that may be names', () => {
    const row = { state: 'Past due', occupant: 'Ada Park', who: 'Ada Park', city: 'Boston', mixed: 'Ada' };
    const samplesOf = (entries: readonly unknown[]) =>
      Object.fromEntries(foundFields(entries, null).map(({ name, sample }) => [name, sample]));
    const others = ['', 'Lin', 'Noor', 'Max', 'Eve', 'Zoe'].map((who) => ({
      ...row,
      state: who && 'Rented',
      who,
    }));
    expect(samplesOf([{ state: '' }, row, ...others, { mixed: 'a@b.example' }, { mixed: 5 }])).toEqual({
      state: 'Past due',
      ...{ occupant: null, who: null, city: null, mixed: null },
    });
    expect(samplesOf([row, row])).toMatchObject({ state: null });
    const family = { Surname: 'Park', LastOne: 'Park' };
    expect(samplesOf([family, family, family])).toEqual({ Surname: null, LastOne: null });
  });

  it('are what the mapping says, also where it leaves them out or no entry has them', () => {
    const mapping = { unit: 'unit_name', balance: null, person: null, gone: 'ledger_id' };
    const entry = { unit: 'A', balance: 3, person: { email: 'x' }, unitId: 'B' };
    expect(fieldsBy([entry], mapping)).toEqual({
      unit: 'unit_name',
      balance: null,
      person: null,
      unitId: 'crm_unit_id',
      gone: 'ledger_id',
    });
  });
});

describe('a sample', () => {
  it.each([
    ['unit_name', 'A-101'],
    ['locationCode', 'M-1'],
    ['store.no', 12],
    ['balance', -12.5],
    ['occupied', true],
    ['paidThrough', '2026-01-31'],
    ['updated', '2026-01-31T10:00:00.000Z'],
    ['rented', 'Yes'],
    ['x', 12],
    ['x', -12],
    ['x', '1.2345'],
    ['x', '2026-01-31 10:00'],
    ['Start', '03/15/2026'],
    ['Start', '3/15/26 10:05 AM'],
    ['PaidTo', '15.3.2026'],
    ['x', 'Mar 15, 2026'],
    ['x', 'Y'],
    ['x', 'A-12b'],
  ])('shows %s as %s', (name, value) => {
    expect(sampleOf(name, value)).toEqual({ sample: String(value), is_masked: false });
  });

  it.each([
    ['tenant.first_name', 'Ada'],
    ['x', 'Ada'],
    ['x', 'ada@example.com'],
    ['x', 13125550100],
    ['x', 'Ada 2026-01-31'],
    ['x', '2026-01-31 Ada'],
    ['x', 'No, Ada'],
    ['x', 'Ada says no'],
    ['x', 'J'],
    ['x', '1 Ada'],
    ['x', '1!'],
    ['licenseNo', 'A1'],
    ['licenceNo', 'A1'],
    ['phone', '5550'],
    ['birthDate', '1990-01-01'],
    ['born', '01/31/1990'],
    ['x', '123-45-6789'],
    ['x', '555-12-3456'],
    ['zip', 60601],
    ['gateCode', '1234'],
    ['unit_pin_code', '1234'],
    ['tenant_unit_name', 'Ada1'],
    ['site', 'North wing'],
    ['restored_birthday', '1990-01-01'],
    ['property_owner_account', 12],
    ['site', { nested: 1 }],
    ['x', { nested: 1 }],
    ['x', ['A-1']],
  ])('hides %s', (name, value) => {
    expect(sampleOf(name, value)).toEqual({ sample: null, is_masked: true });
  });

  it.each([undefined, null, ''])('is none of %s', (value) => {
    expect(sampleOf('x', value)).toEqual({ sample: null, is_masked: false });
  });
});

it.each([
  ['amount', 'balance_due', '150.00 USD', '150.00 USD'],
  ['amount', 'balance_due', '$1,200.50', '$1,200.50'],
  ['lastPaid', 'paid_through_date', '11/05/2026', '11/05/2026'],
  ['amount', 'balance_due', 'Denise Whitfield', null],
  ['amount', 'balance_due', '555-123-4567', null],
  ['amount', 'balance_due', '123456789', null],
  ['card', 'balance_due', '150.00 USD', null],
  ['status', 'pms_status_raw', '150.00 USD', null],
])('a refused value of %s for %s that is “%s” is shown as %s', (name, field, value, shown) => {
  expect(refusedSample(name, field, value)).toBe(shown);
});
