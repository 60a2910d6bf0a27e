import type { Arrival, Registration } from '#domain/units/core/unit.commands.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { VACANT_FACTS } from '#domain/units/core/fact-catalogue.js';
import { evolve, type UnitState } from '#domain/units/core/unit.state.js';
import { given as givenFor } from '../../support/given.js';
import { ada, ben, movedIn, moveIn, registered, registration, sync, unitDecider } from './unit-samples.js';

const given = (...events: readonly UnitEvent[]) => givenFor(unitDecider, ...events);
const occupied = [registered, movedIn(ada)] as const;
const moveOut = { type: 'MoveTenantOut', source: 'push' } as const;
const movedOut = { type: 'TenantMovedOut', data: { tenancy_id: 'tenancy-1', tenant_id: 'ada' } } as const;

const factsChanged = (data: Extract<UnitEvent, { type: 'UnitFactsChanged' }>['data']): UnitEvent => ({
  type: 'UnitFactsChanged',
  data,
});
const overridden: UnitEvent = {
  type: 'AccessOverridden',
  data: { override: 'lockout', reason: 'Broken door', expires_at: null },
};
const shared: UnitEvent = { type: 'UnitShared', data: { tenant_id: 'cleo', until: null } };

const sharedUntil = (until: number): UnitEvent => ({
  type: 'UnitShared',
  data: { tenant_id: 'cleo', until },
});

describe('a move-in', () => {
  test('registers a unit that does not exist and occupies it', () => {
    given().when(moveIn(ada)).then(registered, movedIn(ada)).withResult({ created: true, warnings: [] });
  });

  test('names a new unit as it is told', () => {
    const named = { ...registered, data: { ...registered.data, unit_name: 'Corner' } };
    given()
      .when(moveIn(ada, { unit_name: 'Corner' }))
      .then(named, movedIn(ada));
  });

  test('needs a location for a new unit', () => {
    given()
      .when(moveIn(ada, { location: { kind: 'none' } }))
      .thenRejected({ code: 'location_required' });
    given()
      .when(moveIn(ada, { location: { kind: 'unknown' } }))
      .thenRejected({ code: 'location_unknown' });
    given()
      .when(moveIn(ada, { location: { kind: 'no_locations' } }))
      .thenRejected({ code: 'location_missing' });
  });

  test('occupies a vacant unit and leaves every other fact', () => {
    given(registered, factsChanged({ pms_unrentable: true }))
      .when(moveIn(ada))
      .then(movedIn(ada))
      .withResult({ created: false, warnings: [] });
  });

  test('leaves the override of a unit that nobody rented', () => {
    given(registered, overridden).when(moveIn(ada)).then(movedIn(ada));
  });

  test('of the tenant who is there with the same values changes nothing', () => {
    given(...occupied)
      .when(moveIn({ ...ada, tenancy_id: 'other' }))
      .thenNothing();
    given(...occupied)
      .when(moveIn({ ...ada, ledger_id: undefined }))
      .thenNothing();
  });

  test('of the tenant who is there with another date keeps the tenancy', () => {
    const later = { ...ada, move_in_date: '2026-02-01', tenancy_id: 'other' };
    given(...occupied)
      .when(moveIn(later))
      .then(movedIn({ ...later, tenancy_id: 'tenancy-1' }));
  });

  test('of the tenant who is there on another ledger keeps the tenancy, on none as well', () => {
    for (const ledger_id of ['L-2', null]) {
      given(...occupied)
        .when(moveIn({ ...ada, ledger_id, tenancy_id: 'other' }))
        .then(movedIn({ ...ada, ledger_id }));
    }
  });

  test('is refused where an earlier write of the request states another person for the tenant', () => {
    const contradicting = { ...ada, contradicts: true };
    given().when(moveIn(contradicting)).thenRejected({ code: 'tenant_contradicted' });
    given(registered).when(moveIn(contradicting)).thenRejected({ code: 'tenant_contradicted' });
    given(registered)
      .when(moveIn({ ...ada, contradicts: false }))
      .then(movedIn(ada));
  });

  test('is refused where the identifier is one that the service gives to people who rent nothing', () => {
    const refused = { code: 'tenant_is_reserved' } as const;
    given()
      .when(moveIn({ ...ada, tenant_is_reserved: true }))
      .thenRejected(refused);
    given(registered)
      .when(sync({ ...ada, tenant_is_reserved: true }))
      .thenRejected(refused);
  });

  test('is refused where the tenant rents as many units as one may', () => {
    const refused = { code: 'tenant_is_full' } as const;
    given()
      .when(moveIn({ ...ada, tenant_is_full: true }))
      .thenRejected(refused);
    given(registered)
      .when(sync({ ...ada, tenant_is_full: true }))
      .thenRejected(refused);
  });

  test('is refused where the history of the tenant’s details is damaged', () => {
    given()
      .when(moveIn({ ...ada, details_refused: true }))
      .thenRejected({ code: 'history_damaged' });
  });

  test('is refused where it would create a unit that looks like another, and not where the unit exists', () => {
    const confusable = { kind: 'white_space' } as const;
    const lookalike = { ...moveIn(ada), registration: { ...registration, confusable } };
    given().when(lookalike).thenRejected({ code: 'identifier_confusable', confusable });
    given(registered).when(lookalike).then(movedIn(ada));
  });

  test('into a vacant unit is refused once another tenant rents it, and changes nothing for the same one', () => {
    const intoVacant = (arrival: Arrival) => ({ ...moveIn(arrival), if_occupied: 'refuse' }) as const;
    given(registered).when(intoVacant(ada)).then(movedIn(ada));
    given(...occupied)
      .when(intoVacant(ben))
      .thenRejected({ code: 'unit_occupied' });
    given(...occupied)
      .when(intoVacant(ada))
      .thenNothing();
  });

  test('of another tenant replaces the tenancy and ends shares and the override', () => {
    given(...occupied, shared, overridden)
      .when(moveIn(ben))
      .then(
        { type: 'UnitShareEnded', data: { tenant_id: 'cleo', cause: 'tenant_replaced' } },
        { type: 'AccessOverrideCleared', data: { cause: 'tenant_replaced' } },
        movedIn(ben, { replaced_tenant_id: 'ada' }),
      );
  });

  test('of another tenant takes over no ledger, and records the one that it names', () => {
    given(...occupied)
      .when(moveIn({ ...ben, ledger_id: 'L-2' }))
      .then(movedIn({ ...ben, ledger_id: 'L-2' }, { replaced_tenant_id: 'ada' }));
  });

  test.each([
    ['a debt', { balance_due: 5000 }, ['balance_carried_over']],
    ['a credit', { balance_due: -5000 }, []],
    ['an exemption', { pms_lock_exempt: true }, ['exemption_carried_over']],
    ['a lockout', { pms_lockout: true }, ['lockout_carried_over']],
  ] as const)('of another tenant keeps %s and warns of what may surprise', (_what, facts, warnings) => {
    given(...occupied, factsChanged(facts))
      .when(moveIn(ben))
      .then(movedIn(ben, { replaced_tenant_id: 'ada' }))
      .withResult({ created: false, warnings: ['tenant_replaced', ...warnings] });
    given(...occupied, factsChanged(facts))
      .when(sync(ben, facts))
      .then(movedIn(ben, { replaced_tenant_id: 'ada' }))
      .withResult({ created: false, warnings: ['tenant_replaced'] });
    given(registered, factsChanged(facts)).when(moveIn(ben)).withResult({ created: false, warnings });
  });

  test('warns of a name that an existing unit does not take over', () => {
    given(...occupied)
      .when(moveIn(ada, { unit_name: 'Other' }))
      .thenNothing()
      .withResult({ created: false, warnings: ['unit_name_ignored'] });
  });
});

describe('a write that names a location', () => {
  const side = { kind: 'known', location_id: 'side', given: true } as const;
  const at = (location: Registration['location']) => ({ location, present_location_code: 'MAIN' });

  test('other than the unit’s is refused with the code of the unit’s', () => {
    given(...occupied)
      .when(moveIn(ben, at(side)))
      .thenRejected({ code: 'unit_at_other_location', pms_location_code: 'MAIN' });
  });

  test('that the company does not have is refused, whether the unit exists or not', () => {
    for (const events of [[], occupied])
      given(...events)
        .when(moveIn(ada, at({ kind: 'unknown' })))
        .thenRejected({ code: 'location_unknown' });
  });

  test('is refused for the owner of the unit first', () => {
    given(...occupied)
      .when({ ...moveIn(ben, at(side)), source: 'pull' })
      .thenRejected({ code: 'other_source', owner: 'push' });
  });

  test.each([
    ['the unit’s own', { ...side, location_id: 'location' }],
    ['an inferred one', { ...side, given: false }],
    ['none', { kind: 'none' }],
    ['none of a company without any', { kind: 'no_locations' }],
  ] as const)('is accepted for %s', (_what, location) => {
    given(...occupied)
      .when(moveIn(ada, at(location)))
      .withResult({ created: false, warnings: [] });
  });

  test.each([side, { kind: 'unknown' }] as const)('only warns in a comparison, of %j', (location) => {
    given(...occupied)
      .when(moveIn(ada, { ...at(location), on_other_location: 'warn' }))
      .withResult({ created: false, warnings: ['location_ignored'] });
  });
});

describe('a state that was taken at an instant', () => {
  const AT = Date.parse('2026-01-10T10:00:00.000Z');
  const kept = (event: UnitEvent, more: object = {}): UnitEvent =>
    Object.assign({ metadata: { occurred_at: new Date(AT).toISOString(), ...more } }, event);
  const taken = (snapshot_at: number | undefined) => ({ ...sync(null), snapshot_at });

  test.each([
    ['a move-in', [registered, kept(movedIn(ada))]],
    ['a change of facts', [...occupied, kept(factsChanged({ balance_due: 5000 }))]],
    ['a move-out', [...occupied, kept(movedOut)]],
  ] as const)('undoes no %s that came after it', (_what, events) => {
    given(...events)
      .when(taken(AT - 1))
      .thenRejected({ code: 'written_since', written_at: AT });
    for (const snapshot_at of [AT, undefined])
      given(...events)
        .when(taken(snapshot_at))
        .withResult({ created: false, warnings: [] });
  });

  const stated = (event: UnitEvent, at: number) =>
    kept(event, { bulk: true, stated_at: new Date(at).toISOString() });

  test.each([
    ['moved a tenant in', [registered, stated(movedIn(ada), AT + 5)]],
    ['created the unit', [stated(registered, AT + 5)]],
  ] as const)('undoes no newer bulk that %s', (_what, events) => {
    given(...events)
      .when(taken(AT + 4))
      .thenRejected({ code: 'written_since', written_at: AT + 5 });
    given(...events)
      .when(taken(AT + 5))
      .withResult({ created: false, warnings: [] });
  });

  test('is compared with the newest of which a write spoke, not with the last write', () => {
    given(registered, stated(movedIn(ada), AT + 5), kept(factsChanged({ balance_due: 5000 })))
      .when(taken(AT + 4))
      .thenRejected({ code: 'written_since', written_at: AT + 5 });
  });

  test('stands over what an operator did', () => {
    given(registered, kept(overridden))
      .when(taken(AT - 1))
      .withResult({ created: false, warnings: [] });
  });

  test('stands over a bulk of the first release, whose instant is unknown', () => {
    given(registered, kept(movedIn(ada), { bulk: true }))
      .when(taken(AT - 1))
      .withResult({ created: false, warnings: [] });
  });

  test.each([
    ['a move-in', moveIn(ada), AT, undefined],
    ['a full state', sync(ada), AT, AT],
    ['a full state of an instant', { ...sync(ada), snapshot_at: AT - 7 }, AT - 7, AT - 7],
  ] as const)('finds the instant that %s leaves', (_what, command, written_at, stated_at) => {
    expect(unitDecider.decide(undefined, command, AT)).toMatchObject({ state: { written_at }, stated_at });
  });

  test('finds no instant of a write that changed nothing', () => {
    const state = [registered, movedIn(ada)].reduce<UnitState | undefined>(
      (before, event, revision) => evolve(before, event, revision),
      undefined,
    );
    expect(unitDecider.decide(state, sync(ada), AT)).toMatchObject({ state: { written_at: null } });
  });
});

describe('a move-out', () => {
  test('ends the tenancy, the shares and the override', () => {
    given(...occupied, shared, overridden)
      .when(moveOut)
      .then(
        { type: 'UnitShareEnded', data: { tenant_id: 'cleo', cause: 'move_out' } },
        { type: 'AccessOverrideCleared', data: { cause: 'move_out' } },
        movedOut,
      )
      .withResult({ created: false, warnings: [] });
  });

  test('of a vacant unit changes nothing, whatever its flags', () => {
    given(registered, factsChanged({ pms_unrentable: true }), overridden)
      .when(moveOut)
      .thenNothing();
  });

  test('warns that it made an unrentable unit rentable', () => {
    given(...occupied, factsChanged({ pms_unrentable: true }))
      .when(moveOut)
      .then(movedOut)
      .withResult({ created: false, warnings: ['unrentable_cleared'] });
  });

  test('of a unit that does not exist is refused', () => {
    given().when(moveOut).thenRejected({ code: 'unit_not_found' });
  });
});

describe('what a move-out leaves', () => {
  const full = factsChanged({
    balance_due: 12_345,
    paid_through_date: '2026-02-01',
    pms_lockout: true,
    pms_lock_exempt: true,
    pms_auction: true,
    pms_unrentable: true,
    pms_status_raw: 'LATE',
  });
  const before = () => fold([...occupied, full, overridden, shared]);
  const after = () =>
    fold([
      ...occupied,
      full,
      overridden,
      shared,
      { type: 'UnitShareEnded', data: { tenant_id: 'cleo', cause: 'move_out' } },
      { type: 'AccessOverrideCleared', data: { cause: 'move_out' } },
      movedOut,
    ]);

  test.each([
    ['pms_tenant_id', null],
    ['move_in_date', null],
    ['balance_due', 0],
    ['paid_through_date', null],
    ['pms_lockout', false],
    ['pms_lock_exempt', false],
    ['pms_auction', false],
    ['pms_unrentable', false],
    ['ledger_id', null],
    ['occupied', false],
  ] as const)('%s is reset to %s', (fact, value) => {
    expect(before().facts[fact]).not.toBe(value);
    expect(after().facts[fact]).toBe(value);
  });

  test('the tenancy, the shares and the override are gone', () => {
    expect(after()).toMatchObject({ tenancy: null, shares: [], override: null });
  });

  test.each(['company_id', 'location_id', 'unit_id', 'crm_unit_id', 'unit_name', 'source_type'] as const)(
    '%s is preserved',
    (name) => {
      expect(after()[name]).toBe(before()[name]);
    },
  );

  test('pms_status_raw is preserved', () => {
    expect(after().facts.pms_status_raw).toBe('LATE');
  });

  test('the revision that reset a fact is remembered', () => {
    expect(after().set_at).toMatchObject({ balance_due: 7, occupied: 7, override: 6, pms_status_raw: 2 });
  });
});

describe('a change of facts', () => {
  test('stores only what differs', () => {
    given(...occupied, factsChanged({ balance_due: 100, pms_lockout: true }))
      .when({ type: 'ChangeFacts', source: 'push', facts: { balance_due: 100, pms_lockout: false } })
      .then(factsChanged({ pms_lockout: false }));
  });

  test('that repeats the facts stores nothing', () => {
    given(...occupied)
      .when({ type: 'ChangeFacts', source: 'push', facts: { balance_due: 0, paid_through_date: null } })
      .thenNothing();
  });

  test('leaves what it says nothing of', () => {
    const silent = { balance_due: undefined, pms_lockout: true } as Partial<UnitState['facts']>;
    given(...occupied, factsChanged({ balance_due: 100 }))
      .when({ type: 'ChangeFacts', source: 'push', facts: silent })
      .then(factsChanged({ pms_lockout: true }));
  });

  test('of a unit that another source owns is refused and names the owner', () => {
    given(...occupied)
      .when({ type: 'ChangeFacts', source: 'pull', facts: { balance_due: 1 } })
      .thenRejected({ code: 'other_source', owner: 'push' });
  });
});

describe('a sync', () => {
  test('creates, moves in and sets the facts it carries', () => {
    given()
      .when(sync(ada, { balance_due: 700 }))
      .then(registered, movedIn(ada), factsChanged({ balance_due: 700 }))
      .withResult({ created: true, warnings: [] });
  });

  test('of an unoccupied unit that does not exist registers it, flags included', () => {
    given()
      .when(sync(null, { pms_unrentable: true }))
      .then(registered, factsChanged({ pms_unrentable: true }));
  });

  test('that repeats the full state changes nothing', () => {
    given(...occupied, factsChanged({ balance_due: 700 }))
      .when(sync(ada, { balance_due: 700 }))
      .thenNothing();
    given(registered, factsChanged({ pms_unrentable: true }))
      .when(sync(null, { pms_unrentable: true }))
      .thenNothing();
    given(registered).when(sync(null)).thenNothing();
  });

  test('of an unoccupied unit resets what stands there, whatever it was before', () => {
    given(registered, factsChanged({ pms_unrentable: true, pms_lockout: true, balance_due: 500 }))
      .when(sync(null, { pms_lockout: true }))
      .then(factsChanged({ balance_due: 0, pms_unrentable: false }))
      .withResult({ created: false, warnings: ['unrentable_cleared'] });
    given(registered, factsChanged({ pms_auction: true, pms_lockout: true }))
      .when(sync(null))
      .then(factsChanged({ pms_lockout: false, pms_auction: false }))
      .withResult({ created: false, warnings: ['auction_cleared', 'lockout_cleared'] });
  });

  test('of a unit that is left warns of no lockout or auction that ends with the tenancy', () => {
    given(...occupied, factsChanged({ pms_auction: true, pms_lockout: true }))
      .when(sync(null))
      .then(movedOut)
      .withResult({ created: false, warnings: [] });
  });

  test('of an unoccupied unit resets first and then applies its own flags', () => {
    given(...occupied, factsChanged({ pms_lockout: true, pms_unrentable: true }))
      .when(sync(null, { pms_unrentable: true }))
      .then(movedOut, factsChanged({ pms_unrentable: true }))
      .withResult({ created: false, warnings: [] });
  });

  test('that says what a new tenant owes carries nothing over', () => {
    given(...occupied, factsChanged({ balance_due: 5000 }))
      .when(sync(ben, { balance_due: 0 }))
      .then(movedIn(ben, { replaced_tenant_id: 'ada' }), factsChanged({ balance_due: 0 }))
      .withResult({ created: false, warnings: ['tenant_replaced'] });
  });
});

describe('an operator', () => {
  const exempt = { override: 'exempt', reason: 'Goodwill', expires_at: 1000 } as const;

  test('renames a unit, once', () => {
    given(registered)
      .when({ type: 'RenameUnit', unit_name: 'B' })
      .then({ type: 'UnitRenamed', data: { unit_name: 'B' } });
    given(registered).when({ type: 'RenameUnit', unit_name: 'A-101' }).thenNothing();
  });

  test('overrides access until an instant that is still to come', () => {
    const command = { type: 'OverrideAccess', override: exempt } as const;
    given(registered).when(command, 999).then({ type: 'AccessOverridden', data: exempt });
    given(registered).when(command, 1000).thenRejected({ code: 'override_already_over' });
    const untilCleared = { ...exempt, expires_at: null };
    given(registered)
      .when({ type: 'OverrideAccess', override: untilCleared }, 999)
      .then({ type: 'AccessOverridden', data: untilCleared });
    given(registered, { type: 'AccessOverridden', data: exempt }).when(command, 999).thenNothing();
    for (const other of [{ override: 'lockout' }, { reason: 'Fault' }, { expires_at: 2000 }] as const) {
      given(registered, { type: 'AccessOverridden', data: { ...exempt, ...other } })
        .when(command, 999)
        .then({ type: 'AccessOverridden', data: exempt });
    }
  });

  test('clears an override, once', () => {
    given(registered, overridden)
      .when({ type: 'ClearOverride' })
      .then({ type: 'AccessOverrideCleared', data: { cause: 'requested' } });
    given(registered).when({ type: 'ClearOverride' }).thenNothing();
  });

  test('shares an occupied unit with a tenant who does not rent it', () => {
    given(...occupied)
      .when({ type: 'ShareUnit', tenant_id: 'cleo', until: null })
      .then(shared);
    given(...occupied, shared)
      .when({ type: 'ShareUnit', tenant_id: 'cleo', until: null })
      .thenNothing();
    given(...occupied)
      .when({ type: 'ShareUnit', tenant_id: 'ada', until: null })
      .thenRejected({ code: 'tenant_is_primary' });
    given(registered)
      .when({ type: 'ShareUnit', tenant_id: 'cleo', until: null })
      .thenRejected({ code: 'unit_not_occupied' });
  });

  test('shares a unit until an instant that is still to come', () => {
    const command = { type: 'ShareUnit', tenant_id: 'cleo', until: 1000 } as const;
    given(...occupied)
      .when(command, 999)
      .then(sharedUntil(1000));
    given(...occupied)
      .when(command, 1000)
      .thenRejected({ code: 'share_already_over' });
  });

  test('shares a unit for a year at most', () => {
    const year = 366 * 24 * 60 * 60_000;
    const command = { type: 'ShareUnit', tenant_id: 'cleo', until: year + 5 } as const;
    given(...occupied)
      .when(command, 5)
      .then(sharedUntil(year + 5));
    given(...occupied)
      .when(command, 4)
      .thenRejected({ code: 'share_too_long' });
  });

  test('gives a share another end, or none', () => {
    const command = { type: 'ShareUnit', tenant_id: 'cleo', until: 2000 } as const;
    given(...occupied, sharedUntil(1000))
      .when(command, 500)
      .then(sharedUntil(2000));
    given(...occupied, sharedUntil(2000))
      .when(command, 500)
      .thenNothing();
    given(...occupied, sharedUntil(1000))
      .when({ ...command, until: null }, 500)
      .then(shared);
  });

  test('shares a unit again after a share has ended by itself', () => {
    given(...occupied, sharedUntil(1000))
      .when({ type: 'ShareUnit', tenant_id: 'cleo', until: null }, 1500)
      .then(shared);
  });

  test('clears away a share that has ended by itself, with its cause', () => {
    const expired = { type: 'UnitShareEnded', data: { tenant_id: 'cleo', cause: 'expired' } } as const;
    given(...occupied, sharedUntil(1000))
      .when({ type: 'EndShare', tenant_id: 'cleo' }, 1000)
      .then(expired);
    given(...occupied, sharedUntil(1000))
      .when(moveOut, 1000)
      .then(expired, movedOut);
    given(...occupied, sharedUntil(1001))
      .when(moveOut, 1000)
      .then({ type: 'UnitShareEnded', data: { tenant_id: 'cleo', cause: 'move_out' } }, movedOut);
  });

  test('ends a share, once', () => {
    given(...occupied, shared)
      .when({ type: 'EndShare', tenant_id: 'cleo' })
      .then({ type: 'UnitShareEnded', data: { tenant_id: 'cleo', cause: 'requested' } });
    given(...occupied)
      .when({ type: 'EndShare', tenant_id: 'cleo' })
      .thenNothing();
  });

  test('registers a standalone unit under an identifier that is free', () => {
    const command = { type: 'RegisterUnit', source: 'standalone', registration } as const;
    given()
      .when(command)
      .then({ ...registered, data: { ...registered.data, source_type: 'standalone' } });
    given(registered).when(command).thenRejected({ code: 'unit_exists' });
  });
});

test('a decision tells the unit as its events fold to it', () => {
  const decided = unitDecider.decide(undefined, sync(ada, { balance_due: 700 }), 0);
  expect(decided).toMatchObject({
    state: { ...fold([registered, movedIn(ada), factsChanged({ balance_due: 700 })]), written_at: 0 },
  });
});

test('a stream that does not begin with a registration is refused', () => {
  expect(() => evolve(undefined, movedOut, 0)).toThrow('begins with TenantMovedOut');
});

function fold(events: readonly UnitEvent[]): UnitState {
  return events.reduce<UnitState | undefined>(
    (state, event, place) => evolve(state, event, place),
    undefined,
  )!;
}

test('a vacant unit stands at the reset values', () => {
  expect(fold([registered]).facts).toEqual(VACANT_FACTS);
});

describe('a unit round the clock', () => {
  const granted: UnitEvent = { type: 'RoundTheClockGranted', data: {} };
  const ended = (cause: 'requested' | 'move_out' | 'tenant_replaced'): UnitEvent => ({
    type: 'RoundTheClockEnded',
    data: { cause },
  });

  test('is one once it is granted, and until it is ended', () => {
    given(...occupied)
      .when({ type: 'GrantRoundTheClock' })
      .then(granted);
    given(...occupied, granted)
      .when({ type: 'GrantRoundTheClock' })
      .thenNothing();
    given(...occupied, granted)
      .when({ type: 'EndRoundTheClock' })
      .then(ended('requested'));
    given(...occupied)
      .when({ type: 'EndRoundTheClock' })
      .thenNothing();
    given(...occupied, granted, ended('requested'))
      .when({ type: 'EndRoundTheClock' })
      .thenNothing();
  });

  test('must be occupied', () => {
    given(registered).when({ type: 'GrantRoundTheClock' }).thenRejected({ code: 'unit_not_occupied' });
  });

  test('is one no more after a move-out', () => {
    given(...occupied, granted)
      .when(moveOut)
      .then(ended('move_out'), movedOut);
  });

  test('is one no more after another tenant moved in', () => {
    given(...occupied, granted)
      .when(moveIn(ben))
      .then(ended('tenant_replaced'), movedIn(ben, { replaced_tenant_id: 'ada' }));
  });
});

describe('a unit that was made by mistake', () => {
  const retired: UnitEvent = { type: 'UnitRetired', data: {} };
  const revived: UnitEvent = { type: 'UnitRevived', data: {} };

  test('is retired while nobody rents it, and once', () => {
    given(registered).when({ type: 'RetireUnit' }).then(retired);
    given(registered, retired).when({ type: 'RetireUnit' }).thenNothing();
    given(...occupied)
      .when({ type: 'RetireUnit' })
      .thenRejected({ code: 'unit_occupied' });
    given().when({ type: 'RetireUnit' }).thenRejected({ code: 'unit_not_found' });
  });

  test('comes back by an operator’s word', () => {
    given(registered, retired).when({ type: 'ReviveUnit' }).then(revived);
    given(registered).when({ type: 'ReviveUnit' }).thenNothing();
  });

  test('comes back by what would create it, which is told', () => {
    given(registered, retired)
      .when(moveIn(ada))
      .then(revived, movedIn(ada))
      .withResult({ created: false, warnings: ['unit_revived'] });
    given(registered, retired)
      .when(sync(null))
      .then(revived)
      .withResult({ created: false, warnings: ['unit_revived'] });
  });

  test('is still its own source’s', () => {
    given(registered, retired)
      .when({ ...moveIn(ada), source: 'pull' })
      .thenRejected({ code: 'other_source', owner: 'push' });
  });

  test('takes nothing that a unit must be there for', () => {
    for (const command of [
      moveOut,
      { type: 'ChangeFacts', source: 'push', facts: { balance_due: 1 } },
      { type: 'OverrideAccess', override: { override: 'lockout', reason: 'Broken', expires_at: null } },
    ] as const) {
      given(registered, retired).when(command).thenRejected({ code: 'unit_retired' });
    }
  });
});
