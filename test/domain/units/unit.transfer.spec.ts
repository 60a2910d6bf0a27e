import type { UnitCommand } from '#domain/units/core/unit.commands.js';
import { asStored } from '#domain/units/core/unit.decide.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { evolve, type UnitState } from '#domain/units/core/unit.state.js';
import { given as givenFor } from '../../support/given.js';
import { ada, ben, movedIn, registered as atPms, unitDecider } from './unit-samples.js';

const given = (...events: readonly UnitEvent[]) => givenFor(unitDecider, ...events);
const fold = (...events: readonly UnitEvent[]) =>
  events.reduce<UnitState | undefined>(
    (state, event, revision) => evolve(state, event, revision),
    undefined,
  )!;

const registered = (unit_id: string, over: Partial<(typeof atPms)['data']> = {}) =>
  ({
    ...atPms,
    data: { ...atPms.data, unit_id, unit_name: unit_id, source_type: 'standalone', ...over },
  }) as const;
const facts = (data: Extract<UnitEvent, { type: 'UnitFactsChanged' }>['data']): UnitEvent => ({
  type: 'UnitFactsChanged',
  data,
});
const overridden = (expires_at: number | null): UnitEvent => ({
  type: 'AccessOverridden',
  data: { override: 'lockout', reason: 'Asked by the police', expires_at },
});
const sharedUntil = (until: number | null): UnitEvent => ({
  type: 'UnitShared',
  data: { tenant_id: 'cleo', until },
});
const shared = sharedUntil(null);
const granted: UnitEvent = { type: 'RoundTheClockGranted', data: {} };
const movedOut: UnitEvent = { type: 'TenantMovedOut', data: { tenancy_id: 'tenancy-1', tenant_id: 'ada' } };

const old = [registered('old'), movedIn(ada)] as const;
const vacant = registered('new');
const arrived = movedIn({ ...ada, tenancy_id: 'tenancy-9' });
const transferredIn = (from_revision: number): UnitEvent => ({
  type: 'TenantTransferredIn',
  data: { from_unit_id: 'old', from_tenancy_id: 'tenancy-1', from_revision },
});
const take = (...from: readonly UnitEvent[]): UnitCommand => ({
  type: 'TakeTenancy',
  source: 'standalone',
  from: fold(...from),
  tenancy_id: 'tenancy-9',
  taken_by: undefined,
});
const hand = (revision = 1): UnitCommand => ({
  type: 'HandTenancyOver',
  source: 'standalone',
  to_unit_id: 'new',
  taken: { tenancy_id: 'tenancy-1', revision },
});
const transferredOut: UnitEvent = { type: 'TenantTransferredOut', data: { to_unit_id: 'new' } };

describe('a unit that takes a tenancy over', () => {
  test('gets the tenant on the same terms, and knows from where', () => {
    given(vacant)
      .when(take(...old))
      .then(arrived, transferredIn(1));
    expect(fold(vacant, arrived, transferredIn(1)).tenancy).toEqual({
      tenancy_id: 'tenancy-9',
      tenant_id: 'ada',
      taken_from: { unit_id: 'old', tenancy_id: 'tenancy-1', revision: 1 },
    });
  });

  test('gets what is owed, lockout and exemption', () => {
    const owed = { balance_due: 5_000, paid_through_date: '2026-02-01', pms_lockout: true } as const;
    given(vacant)
      .when(take(...old, facts({ ...owed, pms_lock_exempt: true })))
      .then(arrived, transferredIn(2), facts({ ...owed, pms_lock_exempt: true }));
  });

  test('loses what somebody had left on it while it was vacant', () => {
    given(vacant, facts({ balance_due: 100, pms_lockout: true, pms_lock_exempt: true }))
      .when(take(...old))
      .then(arrived, transferredIn(1), facts({ balance_due: 0, pms_lockout: false, pms_lock_exempt: false }));
  });

  test('keeps its own words of the PMS, and does not get that the old unit is not for rent', () => {
    given(vacant, facts({ pms_status_raw: 'Clean' }))
      .when(take(...old, facts({ pms_status_raw: 'Wet', pms_unrentable: true })))
      .then(arrived, transferredIn(2));
  });

  test('gets shares, the override and round-the-clock access', () => {
    given(vacant)
      .when(take(...old, shared, overridden(null), granted))
      .then(arrived, transferredIn(4), shared, overridden(null), granted);
  });

  test('gets the end of a share, and no share or override that has ended', () => {
    given(vacant)
      .when(take(...old, sharedUntil(7)))
      .then(arrived, transferredIn(2), sharedUntil(7));
    given(vacant)
      .when(take(...old, sharedUntil(-1), overridden(-1)))
      .then(arrived, transferredIn(3));
  });

  test('gets shares that the tenant gave as such, and no offer', () => {
    const offered = (share_id: string): UnitEvent => ({
      type: 'UnitShareOffered',
      data: { share_id, tenant_id: 'cleo', until: 90, expires_at: 70 },
    });
    const accepted: UnitEvent = {
      type: 'UnitShareAccepted',
      data: { share_id: 's-1', tenant_id: 'cleo', until: 90 },
    };
    given(vacant)
      .when(take(...old, offered('s-1'), accepted, offered('s-2')))
      .then(arrived, transferredIn(4), accepted);
  });

  test('changes nothing when it is told again, before the old unit is vacant and after', () => {
    given(vacant, arrived, transferredIn(1))
      .when(take(...old))
      .thenNothing();
    given(vacant, arrived, transferredIn(1))
      .when(take(...old, movedOut, transferredOut))
      .thenNothing();
  });

  test('still knows from where after its terms have changed', () => {
    const later = movedIn({ ...ada, tenancy_id: 'tenancy-9', move_in_date: '2026-02-01' });
    given(vacant, arrived, transferredIn(1), later)
      .when(take(...old))
      .thenNothing();
  });

  test('is occupied for the next tenant of the old unit', () => {
    given(vacant, arrived, transferredIn(1))
      .when(take(...old, movedOut, transferredOut, movedIn(ben)))
      .thenRejected({ code: 'transfer_to_occupied_unit' });
  });
});

describe('a transfer is refused', () => {
  const refused = (to: readonly UnitEvent[], from: readonly UnitEvent[]) => given(...to).when(take(...from));

  test('if a PMS writes one of the units', () => {
    const other = { code: 'other_source', owner: 'push' } as const;
    refused([vacant], [registered('old', { source_type: 'push' }), movedIn(ada)]).thenRejected(other);
    refused([registered('new', { source_type: 'push' })], old).thenRejected(other);
  });

  test('to the same unit', () => {
    refused(old, old).thenRejected({ code: 'transfer_to_same_unit' });
  });

  test('to another location', () => {
    refused([registered('new', { location_id: 'elsewhere' })], old).thenRejected({
      code: 'transfer_to_other_location',
    });
  });

  test('from a unit that nobody rents', () => {
    refused([vacant], [registered('old')]).thenRejected({ code: 'unit_vacant' });
    refused([vacant, arrived, transferredIn(1)], [registered('third')]).thenRejected({ code: 'unit_vacant' });
  });

  test('from a unit in auction: the move would end it', () => {
    refused([vacant], [...old, facts({ pms_auction: true })]).thenRejected({
      code: 'unit_in_auction',
      unit_name: 'old',
    });
  });

  test('to a unit that is occupied, by the same tenant too', () => {
    for (const arrival of [ada, ben])
      refused([vacant, movedIn(arrival)], old).thenRejected({ code: 'transfer_to_occupied_unit' });
  });

  test('to a unit that is retired, in auction or not for rent', () => {
    refused([vacant, { type: 'UnitRetired', data: {} }], old).thenRejected({ code: 'unit_retired' });
    refused([vacant, facts({ pms_auction: true })], old).thenRejected({
      code: 'unit_in_auction',
      unit_name: 'new',
    });
    refused([vacant, facts({ pms_unrentable: true })], old).thenRejected({ code: 'unit_unrentable' });
  });

  test('to a unit on which staff have set an override, until that ends', () => {
    refused([vacant, overridden(null)], old).thenRejected({ code: 'unit_overridden' });
    refused([vacant, overridden(-1)], old).then(arrived, transferredIn(1));
  });

  test('while a transfer to a third unit is not ended', () => {
    given(vacant)
      .when({ ...take(...old), taken_by: 'B-7' } as UnitCommand)
      .thenRejected({ code: 'transfer_unfinished', unit_name: 'B-7' });
  });
});

describe('a unit that hands its tenancy over', () => {
  const shareEnded: UnitEvent = { type: 'UnitShareEnded', data: { tenant_id: 'cleo', cause: 'move_out' } };

  test('is vacant, and says where the tenancy goes on', () => {
    given(...old, shared)
      .when(hand(2))
      .then(shareEnded, movedOut, transferredOut)
      .withResult({ created: false, warnings: [] });
  });

  test('stays not for rent', () => {
    given(...old, facts({ pms_unrentable: true }))
      .when(hand(2))
      .then(movedOut, transferredOut, facts({ pms_unrentable: true }))
      .withResult({ created: false, warnings: [] });
  });

  test('warns of what was written after its values went along', () => {
    given(...old, facts({ balance_due: 100 }))
      .when(hand(1))
      .then(movedOut, transferredOut)
      .withResult({ created: false, warnings: ['written_during_transfer'] });
  });

  test('changes nothing when it is told again, or has another tenant by now', () => {
    given(...old, movedOut, transferredOut)
      .when(hand())
      .thenNothing();
    given(...old, movedOut, transferredOut, movedIn(ben))
      .when(hand())
      .thenNothing();
  });
});

test('a transfer that the log holds is not refused because the old unit is vacant by now', () => {
  const command = asStored(take(registered('old')), [arrived, transferredIn(1)]);
  given(vacant).when(command).thenNothing();
});
