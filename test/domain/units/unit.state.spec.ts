import type { UnitCommand } from '#domain/units/core/unit.commands.js';
import { asStored } from '#domain/units/core/unit.decide.js';
import { UNIT_EVENT_TYPES, type UnitEvent } from '#domain/units/core/unit.events.js';
import { VACANT_FACTS } from '#domain/units/core/fact-catalogue.js';
import {
  evolve,
  hasUnit,
  idleState,
  laterOf,
  tenantsNamed,
  type UnitState,
} from '#domain/units/core/unit.state.js';
import { ada, ben, movedIn, moveIn, registered, registration, sync } from './unit-samples.js';

const exempt = { override: 'exempt', reason: 'Goodwill', expires_at: 1000 } as const;

function fold(...events: readonly UnitEvent[]): UnitState {
  return events.reduce<UnitState | undefined>(
    (state, event, place) => evolve(state, event, place),
    undefined,
  )!;
}

describe('the fold of a unit', () => {
  test('begins as it was registered, vacant', () => {
    expect(fold(registered)).toEqual({
      ...registered.data,
      revision: 0,
      facts: VACANT_FACTS,
      tenancy: null,
      override: null,
      shares: [],
      round_the_clock: false,
      retired: false,
      set_at: {},
      written_at: null,
      last_let: null,
      quiet_since: 0,
    });
  });

  test('knows its tenancy, and the revision that last set each fact to another value', () => {
    const moved = fold(registered, movedIn(ada), movedIn(ada, { move_in_date: '2026-02-02' }));
    expect(moved).toMatchObject({
      revision: 2,
      tenancy: { tenancy_id: 'tenancy-1', tenant_id: 'ada' },
      facts: {
        ...VACANT_FACTS,
        occupied: true,
        pms_tenant_id: 'T-1',
        ledger_id: 'L-1',
        move_in_date: '2026-02-02',
      },
    });
    expect(moved.set_at).toEqual({ occupied: 1, pms_tenant_id: 1, ledger_id: 1, move_in_date: 2 });
  });

  describe('knows the last revision at which it was let', () => {
    const auction: UnitEvent = { type: 'UnitFactsChanged', data: { pms_auction: true } };
    const redeemed: UnitEvent = { type: 'UnitFactsChanged', data: { pms_auction: false } };
    const renamed: UnitEvent = { type: 'UnitRenamed', data: { unit_name: 'B' } };
    const movedOut: UnitEvent = {
      type: 'TenantMovedOut',
      data: { tenancy_id: 'tenancy-1', tenant_id: 'ada' },
    };

    test('which grows while it is let', () => {
      expect(fold(registered, movedIn(ada), renamed).last_let).toBe(2);
    });

    test('which stays after a move-out', () => {
      expect(fold(registered, movedIn(ada), movedOut, renamed).last_let).toBe(1);
    });

    test('which stays while it is in auction, and after', () => {
      expect(fold(registered, movedIn(ada), auction, renamed).last_let).toBe(1);
      expect(fold(registered, movedIn(ada), auction, movedOut).last_let).toBe(1);
    });

    test('which an end of the auction sets, if the tenant is still there', () => {
      expect(fold(registered, movedIn(ada), auction, redeemed).last_let).toBe(3);
    });

    test('which a new tenant sets, in auction too', () => {
      expect(fold(registered, movedIn(ada), auction, movedIn(ben)).last_let).toBe(3);
      expect(fold(registered, movedIn(ada), auction, movedIn(ada)).last_let).toBe(1);
    });
  });

  describe('knows since when nothing in it denies its tenant', () => {
    const at = (occurred_at: string, event: UnitEvent) => ({ ...event, metadata: { occurred_at } });
    const changed = (data: Extract<UnitEvent, { type: 'UnitFactsChanged' }>['data']): UnitEvent => ({
      type: 'UnitFactsChanged',
      data,
    });
    const owing = changed({ balance_due: 1, paid_through_date: '2026-02-01' });
    const paid = at('2026-03-01T00:00:00Z', changed({ balance_due: 0 }));
    const rented = [registered, movedIn(ada)];
    const MOVED_IN = Date.parse('2026-01-06T00:00:00Z');
    const PAID = Date.parse('2026-03-01T00:00:00Z');

    test('which is the end of its first day anywhere', () => {
      expect(fold(...rented).quiet_since).toBe(MOVED_IN);
    });

    test.each<[string, UnitEvent]>([
      ['it may owe', owing],
      ['the PMS locks it out', changed({ pms_lockout: true })],
      ['an operator locks it out', { type: 'AccessOverridden', data: { ...exempt, override: 'lockout' } }],
    ])('which is unknown while %s', (_, event) => {
      expect(fold(...rented, event).quiet_since).toBeNull();
    });

    test.each<[string, UnitEvent]>([
      ['it is paid ahead', changed({ paid_through_date: '2027-01-01' })],
      ['it has a balance without a date', changed({ balance_due: 1 })],
      ['an operator lets it in', { type: 'AccessOverridden', data: exempt }],
      ['the PMS exempts it', changed({ pms_lock_exempt: true, pms_lockout: true, balance_due: 1 })],
    ])('which stays where %s', (_, event) => {
      expect(fold(...rented, event).quiet_since).toBe(MOVED_IN);
    });

    test('which is the payment', () => {
      expect(fold(...rented, owing, paid).quiet_since).toBe(PAID);
      expect(
        fold(...rented, owing, paid, { type: 'UnitRenamed', data: { unit_name: 'B' } }).quiet_since,
      ).toBe(PAID);
    });

    test('which is unknown where nobody knows when it was paid', () => {
      expect(fold(...rented, owing, changed({ balance_due: 0 })).quiet_since).toBeNull();
    });

    test('which the first day of the next tenant puts off', () => {
      expect(fold(...rented, movedIn(ben)).quiet_since).toBe(Date.parse('2026-03-02T00:00:00Z'));
    });
  });

  test('knows its name, its facts, its override and whether it is retired', () => {
    const overridden: UnitEvent = { type: 'AccessOverridden', data: exempt };
    const before = fold(registered, { type: 'UnitRenamed', data: { unit_name: 'B' } }, overridden);
    expect(before).toMatchObject({ unit_name: 'B', override: exempt, set_at: { override: 2 } });
    const cleared: UnitEvent = { type: 'AccessOverrideCleared', data: { cause: 'requested' } };
    const facts: UnitEvent = { type: 'UnitFactsChanged', data: { balance_due: 7 } };
    const after = [cleared, facts].reduce((state, event, place) => evolve(state, event, 3 + place), before);
    expect(after).toMatchObject({ override: null, facts: { ...VACANT_FACTS, balance_due: 7 } });
    expect(after.set_at).toEqual({ override: 3, balance_due: 4 });
    const retired = evolve(after, { type: 'UnitRetired', data: {} }, 5);
    expect([retired.retired, evolve(retired, { type: 'UnitRevived', data: {} }, 6).retired]).toEqual([
      true,
      false,
    ]);
  });

  test('knows with whom it is shared, in order', () => {
    const shared = (tenant_id: string, until: number | null = null): UnitEvent => ({
      type: 'UnitShared',
      data: { tenant_id, until },
    });
    const both = fold(registered, shared('cleo'), shared('dan', 70), shared('cleo', 80));
    const cleo = { tenant_id: 'cleo', until: 80 };
    const dan = { tenant_id: 'dan', until: 70 };
    const ended: UnitEvent = { type: 'UnitShareEnded', data: { tenant_id: 'cleo', cause: 'requested' } };
    expect([both.shares, evolve(both, ended, 3).shares]).toEqual([[cleo, dan], [dan]]);
  });
});

describe('the tenants that an event names', () => {
  test('are those whose units it changes, whom it replaces too', () => {
    expect(tenantsNamed(movedIn(ben, { replaced_tenant_id: 'ada' }))).toEqual(['ben', 'ada']);
    expect(tenantsNamed(movedIn(ben))).toEqual(['ben']);
    const of = (type: UnitEvent['type'], tenant_id: string | null) =>
      tenantsNamed({ type, data: { tenant_id } } as UnitEvent);
    expect(of('TenantMovedOut', 'ada')).toEqual(['ada']);
    expect(of('TenantMovedOut', null)).toEqual([]);
    expect([of('UnitShared', 'cleo'), of('UnitShareEnded', 'cleo')]).toEqual([['cleo'], ['cleo']]);
  });

  test.each([
    'UnitShareOffered',
    'UnitShareCodeRefused',
    'UnitShareAccepted',
    'UnitShareOfferEnded',
  ] as const)('are those whom a tenant invites, at %s', (type) => {
    expect(tenantsNamed({ type, data: { tenant_id: 'cleo' } } as UnitEvent)).toEqual(['cleo']);
  });

  test('are none where it is about the unit alone', () => {
    const types = Object.keys(UNIT_EVENT_TYPES) as UnitEvent['type'][];
    const silent = types.filter((type) => tenantsNamed({ type, data: {} } as UnitEvent).length === 0);
    expect(silent).toEqual([
      'UnitRegistered',
      'UnitRenamed',
      'TenantTransferredIn',
      'TenantTransferredOut',
      'UnitFactsChanged',
      'AccessOverridden',
      'AccessOverrideCleared',
      'RoundTheClockGranted',
      'RoundTheClockEnded',
      'UnitRetired',
      'UnitRevived',
    ]);
  });
});

describe('the state of a unit that nobody rents', () => {
  test('is told by its flags, the auction first', () => {
    const state = (facts: Partial<typeof VACANT_FACTS>) => idleState({ ...VACANT_FACTS, ...facts });
    expect(state({})).toBe('vacant');
    expect(state({ pms_unrentable: true })).toBe('unrentable');
    expect(state({ pms_unrentable: true, pms_auction: true })).toBe('auction');
  });
});

test('an account has a unit that it rents, or while it shares it', () => {
  const shares = [
    { tenant_id: 'cleo', until: 70 },
    { tenant_id: 'dan', until: null },
  ];
  const let_ = { tenancy: { tenancy_id: 'tenancy-1', tenant_id: 'ada' }, shares };
  const haveIt = (unit: Pick<UnitState, 'tenancy' | 'shares'>, at: number) =>
    ['ada', 'ben', 'cleo', 'dan'].filter((tenant_id) => hasUnit(unit, tenant_id, at));
  expect(haveIt(let_, 69)).toEqual(['ada', 'cleo', 'dan']);
  expect(haveIt(let_, 70)).toEqual(['ada', 'dan']);
  expect(haveIt({ tenancy: null, shares: [] }, 69)).toEqual([]);
});

test('the later of two instants may be the only one', () => {
  expect([laterOf(1, 2), laterOf(2, 1), laterOf(null, 2), laterOf(2, null), laterOf(null, null)]).toEqual([
    2,
    2,
    2,
    2,
    null,
  ]);
});

describe('a command as it was first executed', () => {
  const elsewhere = { ...registered, data: { ...registered.data, location_id: 'first' } };
  const location = { kind: 'known', location_id: 'first', given: false };
  const accepted = { ...registration, on_other_location: 'warn' };

  test('is at the location at which it created the unit, with the tenant who moved in', () => {
    expect(asStored(moveIn(ada), [elsewhere, movedIn(ben)])).toEqual({
      ...moveIn(ada),
      registration: { ...accepted, location },
      arrival: { ...ada, tenant_id: 'ben' },
    });
  });

  test('names who arrives as it says where nobody moved in, and who does not arrive not at all', () => {
    const stored = { registration: { ...accepted, location } };
    expect(asStored(moveIn(ada), [elsewhere])).toEqual({ ...moveIn(ada), ...stored });
    const register: UnitCommand = { type: 'RegisterUnit', source: 'push', registration };
    expect(asStored(register, [elsewhere, movedIn(ben)])).toEqual({ ...register, ...stored });
  });

  test('is not refused by a rule that is newer than its events', () => {
    const command = { ...sync(ada), snapshot_at: 1 };
    expect(asStored(command, [movedIn(ben)])).toEqual({ ...sync(ada), registration: accepted });
    const lookalike = { ...registration, confusable: { kind: 'white_space' } } as const;
    const moving = { ...moveIn(ada), registration: lookalike };
    expect(asStored(moving, [movedIn(ben)])).toEqual({ ...moveIn(ada), registration: accepted });
    const full = { ...ada, tenant_is_full: true, tenant_is_reserved: true };
    expect(asStored(moveIn(full), [movedIn(ben)])).toEqual({ ...moveIn(ada), registration: accepted });
    expect(asStored(sync(full), [movedIn(ben)])).toEqual({ ...sync(ada), registration: accepted });
    const intoVacant = { ...moveIn(ada), if_occupied: 'refuse' } as const;
    expect(asStored(intoVacant, [movedIn(ben)])).toEqual({ ...moveIn(ada), registration: accepted });
  });

  test('offers a share to the account that it was offered to, whether sharing is on by now or not', () => {
    const offer = {
      type: 'OfferShare',
      share_id: 's-1',
      tenant_id: 'cleo by now',
      until: 9,
      by: 'ada',
      isSharingOn: false,
    } as const;
    const data = { share_id: 's-1', tenant_id: 'cleo', until: 9, expires_at: 9 };
    const expired: UnitEvent = {
      type: 'UnitShareOfferEnded',
      data: { share_id: 's-0', tenant_id: 'dora', cause: 'expired' },
    };
    const offered: UnitEvent = { type: 'UnitShareOffered', data };
    expect(asStored(offer, [expired, offered])).toEqual({ ...offer, tenant_id: 'cleo', isSharingOn: true });
    expect(asStored(offer, [])).toEqual({ ...offer, isSharingOn: true });
  });

  test('accepts a share whether sharing is on by now or not', () => {
    const accept = {
      type: 'AcceptShare',
      share_id: 's-1',
      tenant_id: 'cleo',
      isCodeRight: true,
      isSharingOn: false,
    } as const;
    expect(asStored(accept, [])).toEqual({ ...accept, isSharingOn: true });
  });

  test('is as it stands where it cannot create', () => {
    const renames: UnitCommand = { type: 'RenameUnit', unit_name: 'B' };
    expect(asStored(renames, [elsewhere])).toBe(renames);
  });
});
