import {
  bearingsOf,
  decideTenantUnits,
  decisionsMade,
  earliestEnd,
  isDecidedAlike,
  mergeTenantUnits,
  rented,
  type RentedUnit,
  statesOf,
  type TenantUnit,
  toTenantUnit,
} from '#domain/access/core/tenant-units.js';
import { updatesOf } from '#domain/access/core/tenant-updates.js';
import type { UnitChange } from '#domain/units/index.js';
import type { UnitState } from '#domain/units/core/unit.state.js';
import { calendar, NOW, PAST_DUE, POLICY, unit } from '../support/subjects.js';

function unitState(rest: Partial<UnitState> = {}): UnitState {
  return {
    ...unit(rest.facts, { unit_id: rest.unit_id ?? 'unit-a' }),
    revision: 4,
    company_id: 'company',
    location_id: 'main',
    unit_name: 'Unit A',
    tenancy: { tenancy_id: 'stay', tenant_id: 'ada' },
    shares: [],
    round_the_clock: false,
    retired: false,
    written_at: null,
    ...rest,
    facts: unit(rest.facts).facts,
  };
}

/** Units that Ada rents, by their ids, before anything was decided. */
function ofAda(...states: readonly Partial<UnitState>[]): TenantUnit[] {
  return states.map((state) => toTenantUnit('ada', `stream of ${state.unit_id}`, unitState(state)));
}

function decided(units: readonly TenantUnit[], now = NOW): TenantUnit[] {
  return decideTenantUnits(units, POLICY, now, calendar);
}

const SHARED: TenantUnit = {
  unit_id: 'shared',
  stream: 's',
  revision: 1,
  relationship: 'shared',
  until: null,
};
const OWED_LATER = { balance_due: 1, paid_through_date: '2025-06-10' };

describe('a unit as one tenant sees it', () => {
  it('is rented with all that its decision is made of, and decided by the first evaluation', () => {
    const state = unitState({
      override: { override: 'exempt', reason: 'r', expires_at: 1 },
      set_at: { override: 2 },
    });
    const { unit_id, crm_unit_id, source_type, facts, override, set_at } = state;
    expect(toTenantUnit('ada', 'stream', state)).toEqual({
      unit_id,
      stream: 'stream',
      revision: 4,
      relationship: 'primary',
      tenancy_id: 'stay',
      subject: { unit_id, crm_unit_id, source_type, facts, override, set_at },
      decision: { state: 'vacant', reason: null, valid_until: null },
    });
  });

  it('is shared for as long as the share stands, and one of before for everybody else', () => {
    const reference = { unit_id: 'unit-a', stream: 'stream', revision: 4 };
    expect(
      toTenantUnit(
        'ben',
        'stream',
        unitState({
          shares: [
            { tenant_id: 'eve', until: null },
            { tenant_id: 'ben', until: 9 },
          ],
        }),
      ),
    ).toEqual({
      ...reference,
      relationship: 'shared',
      until: 9,
    });
    expect(toTenantUnit('ben', 'stream', unitState({ tenancy: null }))).toEqual({
      ...reference,
      relationship: 'former',
    });
  });
});

describe('units merged into a list', () => {
  const [one, two] = [1, 2].map((revision) => ({ ...SHARED, revision }));

  it('stand at the newest revision, whichever comes first', () => {
    expect(mergeTenantUnits([one!], [two!])).toEqual([two]);
    expect(mergeTenantUnits([two!], [one!])).toEqual([two]);
  });

  it('stay what they are where the same revision comes again', () => {
    expect(mergeTenantUnits([one!], [{ ...one! }])[0]).toBe(one);
  });

  it('follow those that are known', () => {
    const other = { ...SHARED, unit_id: 'other' };
    expect(mergeTenantUnits([one!], [other])).toEqual([one, other]);
  });
});

describe('a policy may bear on', () => {
  it('no unit that is alone and owes nothing', () => {
    expect(bearingsOf(ofAda({ unit_id: 'paid' }))).toEqual([]);
  });

  it('units that are rented, shared or were rented together', () => {
    expect(bearingsOf([...ofAda({ unit_id: 'paid' }), SHARED])).toEqual(['several']);
  });

  it('a unit that may owe, though no policy denies it yet', () => {
    const owing = { unit_id: 'owing', facts: unit(OWED_LATER).facts };
    expect(bearingsOf(ofAda(owing))).toEqual(['grounds']);
    expect(bearingsOf(ofAda(owing, { unit_id: 'paid' }))).toEqual(['several', 'grounds']);
  });
});

describe('the decisions of a tenant’s units', () => {
  it('are made of all that the tenant rents', () => {
    const units = decided([
      ...ofAda({ unit_id: 'owing', facts: unit(PAST_DUE).facts }, { unit_id: 'paid' }),
      SHARED,
    ]);
    expect(rented(units).map(({ unit_id, decision }) => [unit_id, decision.reason])).toEqual([
      ['owing', 'delinquent'],
      ['paid', 'blanket_delinquency'],
    ]);
    expect(units.at(-1)).toBe(SHARED);
    expect(statesOf(units)).toEqual(['tenant_denied']);
  });

  it('leave a unit the very object it was while the same is decided', () => {
    const units = decided(ofAda({ unit_id: 'one', facts: unit(OWED_LATER).facts }));
    expect(decided(units, NOW + 1)[0]).toBe(units[0]);
  });

  it.each([
    ['state', { state: 'vacant' }],
    ['reason', { reason: 'pms_exempt' }],
    ['end', { valid_until: 1 }],
  ] as const)('are put right where another %s was kept', (_what, kept) => {
    const [right] = decided(ofAda({ unit_id: 'one' })) as [RentedUnit];
    const [mended] = decided([{ ...right, decision: { ...right.decision, ...kept } }]);
    expect(mended).toEqual(right);
  });

  it('are told where they are new, or of another state or reason than before', () => {
    const [one] = decided(ofAda({ unit_id: 'one' })) as [RentedUnit];
    const as = (decision: Partial<RentedUnit['decision']>) => ({
      ...one,
      decision: { ...one.decision, ...decision },
    });
    expect(decisionsMade([], [one])).toEqual([one.decision]);
    expect(decisionsMade([as({ state: 'vacant' })], [one])).toEqual([one.decision]);
    expect(decisionsMade([as({ reason: 'pms_exempt' })], [one])).toEqual([one.decision]);
    expect(decisionsMade([as({ valid_until: 1 })], [one])).toEqual([]);
  });

  it('are listed by state once, in order, of the units that are rented', () => {
    const units = decided([
      ...ofAda({ unit_id: 'locked', facts: unit({ pms_lockout: true }).facts }),
      ...ofAda({ unit_id: 'auctioned', facts: unit({ pms_auction: true }).facts }),
      ...ofAda({ unit_id: 'locked-too', facts: unit({ pms_lockout: true }).facts }),
      SHARED,
    ]);
    expect(statesOf(units)).toEqual(['auction', 'tenant_denied']);
  });

  it('end at the first of their ends, or never', () => {
    const [one] = ofAda({ unit_id: 'one' }) as [RentedUnit];
    const ending = (valid_until: number | null) => ({ ...one, decision: { ...one.decision, valid_until } });
    expect(earliestEnd([ending(7), ending(null), ending(5), ending(6), SHARED])).toBe(5);
    expect(earliestEnd([ending(null), SHARED])).toBeNull();
  });
});

describe('changes of units', () => {
  const change = (state: UnitState, ...events: readonly object[]) =>
    ({ stream: `stream of ${state.unit_id}`, events, after: { state } }) as unknown as UnitChange;
  const left = { type: 'TenantMovedOut', data: { tenancy_id: 'stay', tenant_id: 'ada' } };

  it('update the tenant there and each tenant that an event names, with all units of one tenant together', () => {
    const [a, b] = [unitState({ unit_id: 'a', tenancy: null }), unitState({ unit_id: 'b' })];
    const of = (tenant_id: string, ...states: readonly UnitState[]) => ({
      tenant_id,
      company_id: 'company',
      location_id: 'main',
      changed: states.map((state) => toTenantUnit(tenant_id, `stream of ${state.unit_id}`, state)),
    });
    const bob = unitState({ unit_id: 'c', tenancy: { tenancy_id: 'new', tenant_id: 'bob' } });
    expect(updatesOf([change(a, left), change(b), change(bob, left)])).toEqual([
      of('ada', a, b, bob),
      of('bob', bob),
    ]);
    expect(updatesOf([change(a)])).toEqual([]);
  });

  it('leave a document as it is where policy and entries are the same objects', () => {
    const units = ofAda({ unit_id: 'one' }, { unit_id: 'two' });
    const known = { policy_revision: 1, units };
    expect(isDecidedAlike(known, { policy_revision: 1, units: [...units] })).toBe(true);
    expect(isDecidedAlike(undefined, known)).toBe(false);
    expect(isDecidedAlike({ ...known, policy_revision: 0 }, known)).toBe(false);
    expect(isDecidedAlike({ ...known, units: units.slice(1) }, known)).toBe(false);
    expect(isDecidedAlike({ ...known, units: [...units, SHARED] }, known)).toBe(false);
    expect(isDecidedAlike({ ...known, units: [units[0]!, { ...units[1]! }] }, known)).toBe(false);
  });
});
