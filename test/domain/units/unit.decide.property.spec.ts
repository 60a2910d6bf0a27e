import fc from 'fast-check';
import type { UnitCommand } from '#domain/units/core/unit.commands.js';
import { VACANT_FACTS } from '#domain/units/core/fact-catalogue.js';
import { decide } from '#domain/units/core/unit.decide.js';
import { evolve, type UnitState } from '#domain/units/core/unit.state.js';
import { registration } from './unit-samples.js';
import { runs } from '../../support/campaign.js';

const tenant = fc.constantFrom('ada', 'ben', 'cleo');
const date = fc.constantFrom('2026-01-01', '2026-02-01');

const arrival = fc.record({
  tenant_id: tenant,
  pms_tenant_id: tenant,
  move_in_date: date,
  ledger_id: fc.constantFrom(undefined, null, 'L-1'),
  tenancy_id: fc.constantFrom('tenancy-1', 'tenancy-2'),
});

const facts = fc.record(
  {
    balance_due: fc.constantFrom(0, 100, 5000),
    paid_through_date: fc.constantFrom(null, '2026-02-01'),
    pms_lockout: fc.boolean(),
    pms_lock_exempt: fc.boolean(),
    pms_auction: fc.boolean(),
    pms_unrentable: fc.boolean(),
    pms_status_raw: fc.constantFrom(null, 'LATE'),
  },
  { requiredKeys: [] },
);

const source = fc.constantFrom('push' as const, 'standalone' as const);
const place = fc.oneof(
  fc.record({
    kind: fc.constant('known' as const),
    location_id: fc.constantFrom('location', 'elsewhere'),
    given: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom('unknown' as const, 'none' as const) }),
);
const somewhere = place.map((location) => ({ ...registration, location }));

const otherUnit = fc
  .record({
    arrival,
    facts,
    expires_at: fc.constantFrom(null, 10, 1_000_000),
    shares: fc.subarray([{ tenant_id: 'dora', until: null }]),
  })
  .map(
    ({ arrival: { tenant_id, pms_tenant_id, move_in_date, tenancy_id }, expires_at, ...rest }): UnitState => {
      const registered = { ...registration, location_id: 'location', unit_id: 'other', unit_name: 'B-1' };
      return {
        ...registered,
        source_type: 'standalone',
        revision: 7,
        tenancy: { tenancy_id, tenant_id },
        override: { override: 'lockout', reason: 'because', expires_at },
        round_the_clock: true,
        retired: false,
        set_at: {},
        written_at: null,
        shares: rest.shares,
        facts: { ...VACANT_FACTS, occupied: true, pms_tenant_id, move_in_date, ...rest.facts },
      };
    },
  );

const command: fc.Arbitrary<UnitCommand> = fc.oneof(
  fc.record({ type: fc.constant('RegisterUnit' as const), source, registration: somewhere }),
  fc.record({
    type: fc.constant('MoveTenantIn' as const),
    source,
    registration: somewhere,
    arrival,
    if_occupied: fc.constantFrom(undefined, 'replace' as const, 'refuse' as const),
  }),
  fc.record({ type: fc.constant('MoveTenantOut' as const), source }),
  fc.record({
    type: fc.constant('TakeTenancy' as const),
    source,
    from: otherUnit,
    tenancy_id: fc.constantFrom('tenancy-3', 'tenancy-4'),
    taken_by: fc.constantFrom(undefined, 'C-1'),
  }),
  fc.record({
    type: fc.constant('HandTenancyOver' as const),
    source,
    to_unit_id: fc.constant('other'),
    taken: fc.record({ tenancy_id: fc.constantFrom('tenancy-1', 'tenancy-3'), revision: fc.nat(9) }),
  }),
  fc.record({ type: fc.constant('ChangeFacts' as const), source, facts }),
  fc.record({
    type: fc.constant('SyncUnit' as const),
    source,
    registration: somewhere,
    facts,
    arrival: fc.option(arrival),
  }),
  fc.record({ type: fc.constant('RenameUnit' as const), unit_name: fc.constantFrom('A', 'B') }),
  fc.record({
    type: fc.constant('OverrideAccess' as const),
    override: fc.record({
      override: fc.constantFrom('lockout' as const, 'exempt' as const),
      reason: fc.constant('because'),
      expires_at: fc.constantFrom(null, 10, 1_000_000),
    }),
  }),
  fc.constant({ type: 'ClearOverride' as const }),
  fc.record({
    type: fc.constant('ShareUnit' as const),
    tenant_id: tenant,
    until: fc.constantFrom(null, 10, 150, 1_000_000),
  }),
  fc.record({ type: fc.constant('EndShare' as const), tenant_id: tenant }),
  fc.record({ type: fc.constant('EndSharesOf' as const), tenant_id: tenant }),
  fc.record({
    type: fc.constant('OfferShare' as const),
    share_id: fc.constantFrom('share-1', 'share-2'),
    tenant_id: tenant,
    by: tenant,
    until: fc.constantFrom(10, 150, 1_000_000),
    isSharingOn: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('AcceptShare' as const),
    share_id: fc.constantFrom('share-1', 'share-2'),
    tenant_id: tenant,
    isCodeRight: fc.constant(true),
    isSharingOn: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('EndTenantShare' as const),
    share_id: fc.constantFrom('share-1', 'share-2'),
    by: tenant,
  }),
  fc.constant({ type: 'GrantRoundTheClock' as const }),
  fc.constant({ type: 'EndRoundTheClock' as const }),
  fc.constant({ type: 'RetireUnit' as const }),
  fc.constant({ type: 'ReviveUnit' as const }),
);

function apply(state: UnitState | undefined, given: UnitCommand): UnitState | undefined {
  const decided = decide(state, given, 100);
  if ('rejected' in decided) return state;
  return decided.events.reduce<UnitState | undefined>(
    (folded, event) => evolve(folded, event, (folded?.revision ?? -1) + 1),
    state,
  );
}

/** A full state that empties a unit says what it says of an empty one; every other command is a repeat at once. */
describe('any unit', () => {
  test('takes no event from a command that it has just accepted', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), command, (before, last) => {
        const state = before.reduce(apply, undefined);
        fc.pre('events' in decide(state, last, 100));
        const again = decide(apply(state, last), last, 100);
        if (last.type === 'RegisterUnit') expect(again).toEqual({ rejected: { code: 'unit_exists' } });
        else expect(again).toMatchObject({ events: [] });
      }),
      runs(400),
    );
  });

  test('is quiet since the instant that its stored events tell', () => {
    const metadata = { occurred_at: new Date(100).toISOString() };
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), command, (before, last) => {
        const known = before.reduce(apply, undefined);
        const decided = decide(known, last, 100);
        if ('rejected' in decided) return;
        const stored = decided.events.map((event) => ({ ...event, metadata }));
        const told = stored.reduce<UnitState | undefined>(
          (state, event) => evolve(state, event, (state?.revision ?? -1) + 1),
          known,
        );
        expect(decided.state?.quiet_since).toBe(told?.quiet_since);
      }),
      runs(250),
    );
  });

  test('has a tenancy exactly while it is occupied, and shares only then', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        const state = commands.reduce(apply, undefined);
        if (state === undefined) return;
        expect(state.tenancy !== null).toBe(state.facts.occupied);
        expect(state.facts.pms_tenant_id !== null).toBe(state.facts.occupied);
        if (!state.facts.occupied) expect([state.shares, state.offers ?? []]).toEqual([[], []]);
        expect(state.shares.map(({ tenant_id }) => tenant_id)).not.toContain(state.tenancy?.tenant_id);
        expect(state.retired && state.facts.occupied).toBe(false);
      }),
      runs(250),
    );
  });

  test('never changes source, identity or location', () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 20 }), command, (before, last) => {
        const state = before.reduce(apply, undefined);
        if (state === undefined) return;
        const { unit_id, company_id, location_id, source_type, crm_unit_id } = state;
        expect(apply(state, last)).toMatchObject({
          unit_id,
          company_id,
          location_id,
          source_type,
          crm_unit_id,
        });
      }),
    );
  });
});
