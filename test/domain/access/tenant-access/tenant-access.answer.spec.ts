import fc from 'fast-check';
import { entityTagOf } from '#api/tenant/access/answer-tag.js';
import { isKnown } from '#web/entity-tag.js';
import { grantsIn, issueKeys } from '#domain/access/tenant-access/answer-keys.js';
import { answerHoldings } from '#domain/access/tenant-access/tenant-access.answer.js';
import type { HeldUnit, TenantHoldings } from '#domain/access/tenant-access/tenant-holdings.js';
import { HmacKeyIssuer, type KeyGrant } from '#domain/locks/index.js';
import { locationDocument } from '../../locations/location-document.js';
import type { EntryPointState, MountedLock } from '#domain/locations/index.js';
import type { UnitFacts } from '#domain/units/index.js';
import { calendar, local, NOW, PAST_DUE, POLICY, unit } from '../support/subjects.js';

const LOCATION = locationDocument('location-1', 'company-1', { name: 'Main St', policy: POLICY });
const TOMORROW = local('2025-06-07T00:00');
const NIGHT = local('2025-06-07T02:00');
/** Permitted until the grace period runs out at midnight. */
const LAST_DAY = { balance_due: 100, paid_through_date: '2025-06-01' };

function held(unit_id: string, rest: Partial<HeldUnit> = {}): HeldUnit {
  return {
    unit_id,
    unit_name: unit_id,
    location: LOCATION,
    relationship: 'primary',
    shares: [],
    until: null,
    share_id: null,
    tenancy_id: `stay-${unit_id}`,
    subject: unit({}, { unit_id }),
    siblings: [],
    locks: [lock(`lock-${unit_id}`)],
    zone_ids: ['zone-1'],
    round_the_clock: false,
    last_accessed_at: null,
    ...rest,
  };
}

function lock(lock_id: string): MountedLock {
  return { lock_id, name: lock_id, serial: 's', key_format: 1 };
}

function gate(rest: Partial<EntryPointState> = {}): EntryPointState {
  const { location_id } = LOCATION;
  return {
    entry_point_id: 'gate',
    revision: 1,
    location_id,
    name: 'North gate',
    kind: 'gate',
    zone_ids: ['zone-1'],
    zone_stays: [],
    in_service: true,
    hours: 'location',
    hours_set_at: [],
    key_format: 1,
    ...rest,
  };
}

function answer(units: HeldUnit[], entry_points: EntryPointState[] = [], now = NOW) {
  const issuer = { issue: ({ lock_id }: KeyGrant) => `key to ${lock_id}`, provisioning: () => ({}) };
  const tenant = { id: 'tenant-1', name: 'Ada' };
  const holdings: TenantHoldings = { tenant, units, entry_points, passes: [] };
  const granted = answerHoldings(holdings, { now: () => now, isSandbox: false }, calendar).answer;
  return { told: issueKeys(granted, issuer), grants: grantsIn(granted) };
}

describe('an answer', () => {
  it('orders units by name and then by id, capitals first', () => {
    const units = [
      held('4', { unit_name: 'b' }),
      held('3', { unit_name: 'B' }),
      held('2', { unit_name: 'A' }),
      held('1', { unit_name: 'B' }),
    ];
    expect(answer(units).told.units.map(({ unit_id }) => unit_id)).toEqual(['2', '1', '3', '4']);
  });

  it('is valid until the first of its decisions ends, denied ones included', () => {
    const denied = held('a', { subject: unit({ move_in_date: '2025-06-09' }, { unit_id: 'a' }) });
    const ending = held('b', { subject: unit(LAST_DAY, { unit_id: 'b' }) });
    expect(answer([held('c')]).told.valid_until).toBeNull();
    expect(answer([held('c'), denied]).told.valid_until).toBe('2025-06-09T05:00:00.000Z');
    expect(answer([held('c'), denied, ending]).told.valid_until).toBe('2025-06-07T05:00:00.000Z');
  });

  it('is to be asked for again when the first key or decision ends', () => {
    const refresh_at = (unit: HeldUnit) => answer([unit]).told.refresh_at;
    const denied = unit(PAST_DUE, { unit_id: 'a' });
    const becoming = unit({ move_in_date: '2025-06-07' }, { unit_id: 'a' });
    const evening = local('2025-06-06T23:00');
    const ofEvening = (unit: HeldUnit) => answer([unit], [], evening).told.refresh_at;
    expect(ofEvening(held('a'))).toBe('2025-06-07T07:00:00.000Z');
    expect(ofEvening(held('a', { subject: unit(LAST_DAY, { unit_id: 'a' }) }))).toBe(
      '2025-06-07T05:00:00.000Z',
    );
    expect(ofEvening(held('a', { subject: becoming }))).toBe('2025-06-07T05:00:00.000Z');
    // Nothing ends within six hours: 9:00 in Chicago is 14:00 UTC.
    expect(refresh_at(held('a', { subject: denied }))).toMatch(/^2025-06-06T18:/);
    expect(refresh_at(held('a'))).toMatch(/^2025-06-06T18:/);
  });

  describe('of a unit', () => {
    const location = {
      ...LOCATION,
      currency: 'EUR',
      contact: {
        phone: '+13125550100',
        email: 'office@example.com',
        address: null,
        payment_url: 'https://pay.example.com/{pms_tenant_id}?unit={crm_unit_id}',
      },
    };
    const facts = { ...LAST_DAY, move_in_date: '2025-01-15', pms_tenant_id: 'T 1' };
    const subject = unit(facts, { unit_id: 'a', crm_unit_id: 'A/1' });
    const shown = (rest: Partial<HeldUnit> = {}) =>
      answer([held('a', { location, subject, ...rest })]).told.units[0]!;

    it('tells its tenant the sum, the dates, the zones, and where to pay', () => {
      expect(shown()).toMatchObject({
        relationship: 'primary',
        balance_due: 1,
        currency: 'EUR',
        paid_through_date: '2025-06-01',
        move_in_date: '2025-01-15',
        closes_at: '2025-06-07T05:00:00.000Z',
        zones: ['zone-1'],
        location: {
          contact: {
            phone: '+13125550100',
            email: 'office@example.com',
            address: null,
            payment_url: 'https://pay.example.com/T%201?unit=A%2F1',
          },
        },
      });
    });

    it('tells its tenant who shares it, until the share ends', () => {
      const shares = [
        { tenant_id: 'bob', name: 'Bob', until: NOW },
        { tenant_id: 'eve', name: 'Eve', until: NOW + 60_000 },
        { tenant_id: 'dan', name: null, until: null },
      ];
      expect(shown({ shares })).toMatchObject({
        shares: [
          { name: 'Eve', until: '2025-06-06T14:01:00.000Z' },
          { name: null, until: null },
        ],
      });
    });

    it('tells somebody who shares it the contact, and neither sum nor dates nor a link to pay', () => {
      expect(shown({ relationship: 'shared', locks: [] })).toEqual({
        locks: [],
        unit_id: 'a',
        unit_name: 'a',
        location: {
          id: 'location-1',
          name: 'Main St',
          timezone: 'America/Chicago',
          contact: { phone: '+13125550100', email: 'office@example.com', address: null },
        },
        relationship: 'shared',
        share_id: null,
        until: null,
        state: 'tenant_permitted',
        reason: 'active',
        last_accessed_at: null,
        zones: ['zone-1'],
      });
    });

    it('lists a share until the instant at which it ends', () => {
      const share = held('a', { relationship: 'shared', until: NOW + 1 });
      expect(answer([share], [], NOW).told.units).toHaveLength(1);
      expect(answer([share], [], NOW + 1).told.units).toEqual([]);
    });

    it('gives a share a key that ends with it, and is valid until then', () => {
      const share = held('a', { relationship: 'shared', until: NOW + 60_000 });
      const { told, grants } = answer([share, held('b')], [gate()]);
      const ends = '2025-06-06T14:01:00.000Z';
      expect(told).toMatchObject({ valid_until: ends, refresh_at: ends });
      expect(told.units[0]).toMatchObject({ until: ends, locks: [{ key_expires_at: ends }] });
      expect(told.units[1]).toMatchObject({ locks: [{ key_expires_at: '2025-06-07T07:00:00.000Z' }] });
      expect(told.entry_points).toMatchObject([{ key_expires_at: ends }]);
      expect(grants.map(({ expires_at }) => expires_at).sort()[0]).toBe(NOW + 60_000);
    });

    it('gives a share a key that ends with the decision where that is earlier', () => {
      const subject_ = unit(LAST_DAY, { unit_id: 'a' });
      const share = held('a', { relationship: 'shared', until: NIGHT, subject: subject_ });
      expect(answer([share]).told.valid_until).toBe('2025-06-07T05:00:00.000Z');
    });

    it('has no gate any more where a share alone opened it', () => {
      const share = held('a', { relationship: 'shared', until: NOW });
      expect(answer([share], [gate()]).told.entry_points).toEqual([]);
    });

    it('has no link to pay if its location has none', () => {
      expect(shown({ location: LOCATION }).location.contact.payment_url).toBeNull();
    });

    it.each<[string, Partial<UnitFacts>, string | null]>([
      ['denied', PAST_DUE, null],
      ['not to lose access', {}, null],
      ['not open yet', { ...LAST_DAY, move_in_date: '2025-06-07' }, null],
    ])('that is %s has no closing', (_what, given, closes_at) => {
      expect(shown({ subject: unit(given, { unit_id: 'a' }) })).toMatchObject({ closes_at });
    });

    it('closes when an exemption ends over a debt, and not when it ends over none', () => {
      const expires_at = local('2025-06-06T20:00');
      const override = { override: 'exempt', reason: 'r', expires_at } as const;
      const exempt = (given: Partial<UnitFacts>) =>
        shown({ subject: unit(given, { unit_id: 'a', override }) });
      expect(exempt(PAST_DUE)).toMatchObject({ closes_at: new Date(expires_at).toISOString() });
      expect(exempt(LAST_DAY)).toMatchObject({ closes_at: '2025-06-07T05:00:00.000Z' });
      expect(exempt({})).toMatchObject({ closes_at: null });
    });
  });

  it('grants a key to each lock of a permitted unit', () => {
    const { told, grants } = answer([
      held('a', { locks: [lock('one'), lock('two')] }),
      held('b', { subject: unit(PAST_DUE, { unit_id: 'b' }) }),
    ]);
    const grant = {
      unit_id: 'a',
      tenancy_id: 'stay-a',
      tenant_id: 'tenant-1',
      expires_at: NIGHT,
      valid_from: null,
      key_format: 1,
      sandbox: false,
    };
    expect(grants).toEqual([
      { lock_id: 'one', ...grant },
      { lock_id: 'two', ...grant },
    ]);
    expect(told.units[0]!.locks[1]).toEqual({
      lock_id: 'two',
      name: 'two',
      key: 'key to two',
      key_expires_at: '2025-06-07T07:00:00.000Z',
    });
    expect(told.units[1]!.locks).toEqual([{ lock_id: 'lock-b', name: 'lock-b' }]);
  });

  it('grants an entry point one key, of no unit, until the first unit that opens it is decided again', () => {
    const units = [
      held('a', { locks: [] }),
      held('b', { locks: [], subject: unit(LAST_DAY, { unit_id: 'b' }) }),
      held('c', { locks: [], subject: unit({ move_in_date: '2025-06-07' }, { unit_id: 'c' }) }),
    ];
    const { grants } = answer(units, [gate()]);
    const opens = {
      lock_id: 'gate',
      unit_id: null,
      tenancy_id: null,
      tenant_id: 'tenant-1',
      valid_from: null,
      key_format: 1,
      sandbox: false,
    };
    expect(grants).toEqual([{ ...opens, expires_at: TOMORROW }]);
    expect(answer([units[0]!, units[2]!], [gate()]).grants).toEqual([{ ...opens, expires_at: NIGHT }]);
  });

  it('tells an entry point that is out of service from one that the units have lost', () => {
    const denied = held('a', { subject: unit(PAST_DUE, { unit_id: 'a' }) });
    const verdict = (units: HeldUnit[], entry_point: EntryPointState) => {
      const [shown] = answer(units, [entry_point]).told.entry_points;
      return [shown!.state, shown!.would_have_access, shown!.key !== undefined];
    };
    expect(verdict([held('a')], gate())).toEqual(['permitted', true, true]);
    expect(verdict([denied], gate())).toEqual(['denied', true, false]);
    expect(verdict([held('a')], gate({ in_service: false }))).toEqual(['denied', false, false]);
    expect(verdict([denied], gate({ in_service: false }))).toEqual(['denied', false, false]);
    expect(verdict([denied, held('b', { zone_ids: ['zone-2'] })], gate())).toEqual(['denied', true, false]);
  });

  it('passes over entry points that serve none of the units', () => {
    expect(
      answer([held('a')], [gate({ zone_ids: ['zone-2'] }), gate({ zone_ids: [] })]).told.entry_points,
    ).toEqual([]);
  });
});

describe('an entity tag', () => {
  const issuers = ['one secret', 'another'].map((secret) => new HmacKeyIssuer(Buffer.from(secret)));
  const tag = entityTagOf(answer([held('a')], [gate()]).told).entity_tag;

  const some = <Value>(...values: Value[]) => fc.constantFrom(...values);
  const heldUnit = (unit_id: string) =>
    fc
      .record({
        facts: some<Partial<UnitFacts>>({}, LAST_DAY, PAST_DUE),
        relationship: some<HeldUnit['relationship']>('primary', 'shared'),
        tenancy_id: some('one stay', 'another'),
        unit_name: some('A', 'B'),
        locks: some([], [lock('one')], [{ ...lock('one'), name: 'door' }]),
        zone_ids: some([], ['zone-1']),
        last_accessed_at: some(null, 5),
      })
      .map(({ facts, ...rest }) => held(unit_id, { ...rest, subject: unit(facts, { unit_id }) }));
  const read = fc.record({
    issuer: some(...issuers),
    name: some('Ada', 'Bea'),
    units: fc.tuple(heldUnit('a'), heldUnit('b')).chain((units) => fc.subarray(units)),
    gates: some([], [gate()], [gate({ in_service: false })], [gate({ name: 'South gate' })]),
    now: some(NOW, NOW + 1, TOMORROW - 1, TOMORROW, NIGHT),
  });
  /** Two reads that differ in few things, if in any. */
  const reads = fc
    .tuple(read, read)
    .chain(([one, other]) =>
      fc
        .subarray(Object.keys(other) as (keyof typeof other)[], { maxLength: 2 })
        .map((names) => [one, { ...one, ...Object.fromEntries(names.map((name) => [name, other[name]])) }]),
    );

  it('is the same for answers that say the same but when, and for no others', () => {
    let same = 0;
    fc.assert(
      fc.property(reads, (pair) => {
        const [one, other] = pair.map(({ issuer, name, units, gates, now }) => {
          const holdings = { tenant: { id: 'tenant-1', name }, units, entry_points: gates, passes: [] };
          const granted = answerHoldings(holdings, { now: () => now, isSandbox: false }, calendar).answer;
          const told = issueKeys(granted, issuer);
          return {
            tag: entityTagOf(told).entity_tag,
            body: JSON.stringify({ ...told, evaluated_at: undefined }),
          };
        });
        expect(one!.tag === other!.tag).toBe(one!.body === other!.body);
        same += one!.tag === other!.tag ? 1 : 0;
      }),
      { numRuns: 800 },
    );
    expect(same).toBeGreaterThan(40);
  });

  it.each([
    [undefined, false],
    ['', false],
    ['"x"', false],
    [tag.slice(1, -1), false],
    [`W/"x", "y"`, false],
    [tag, true],
    [`W/${tag}`, true],
    [`"x",${tag}`, true],
    ['*', true],
  ])('is held by a client that sends %j: %j', (header, known) => {
    expect(isKnown(header, tag)).toBe(known);
  });
});
