import type { UnitEvent } from './unit.events.js';
import type { AccessOverride, FactName, SourceType, UnitFacts } from './unit.facts.js';
import { VACANT_FACTS } from './unit.facts.js';

/** Names under which the revision that last set something is kept: the facts and the operator's override. */
export type TracedName = FactName | 'override';

/** A unit as the fold of its stream up to `revision`. */
export interface UnitState {
  /** The revision of the last event folded. */
  readonly revision: number;
  readonly company_id: string;
  readonly location_id: string;
  readonly unit_id: string;
  readonly crm_unit_id: string;
  readonly unit_name: string;
  readonly source_type: SourceType;
  readonly facts: UnitFacts;
  /** Which tenant account and which stay of it; null where the unit is vacant. */
  readonly tenancy: { readonly tenancy_id: string; readonly tenant_id: string } | null;
  readonly override: AccessOverride | null;
  /** Tenant accounts with shared access, in the order they were given it. */
  readonly shares: readonly string[];
  /** Out of lists and of integrators' sight until it is revived (decisions §6). */
  readonly retired: boolean;
  /** The revision that last set each fact; a fact that is absent here was never set and stands at its reset value. */
  readonly set_at: Readonly<Partial<Record<TracedName, number>>>;
}

/**
 * Folds one event.
 * @param state undefined before the first event, which is always `UnitRegistered`.
 */
export function evolve(state: UnitState | undefined, event: UnitEvent, revision: number): UnitState {
  if (event.type === 'UnitRegistered') {
    // Field by field: adding fields to a spread object costs microseconds, and every further fold copies this one.
    const { company_id, location_id, unit_id, crm_unit_id, unit_name, source_type } = event.data;
    return {
      revision,
      company_id,
      location_id,
      unit_id,
      crm_unit_id,
      unit_name,
      source_type,
      facts: VACANT_FACTS,
      tenancy: null,
      override: null,
      shares: [],
      retired: false,
      set_at: {},
    };
  }
  if (state === undefined)
    throw new Error(`A unit's stream begins with ${event.type} instead of UnitRegistered.`);
  return { ...state, ...change(state, event, revision), revision };
}

type Changes = {
  readonly [Type in Exclude<UnitEvent['type'], 'UnitRegistered'>]: (
    state: UnitState,
    data: Extract<UnitEvent, { type: Type }>['data'],
    revision: number,
  ) => Partial<UnitState>;
};

/** What each event but the first changes. */
const CHANGES: Changes = {
  UnitRenamed: (_, { unit_name }) => ({ unit_name }),
  TenantMovedIn: (state, { tenancy_id, tenant_id, pms_tenant_id, ledger_id, move_in_date }, revision) => {
    const facts = { occupied: true, pms_tenant_id, ledger_id, move_in_date };
    return { tenancy: { tenancy_id, tenant_id }, ...withFacts(state, facts, revision) };
  },
  TenantMovedOut: (state, _, revision) => {
    const reset: Partial<UnitFacts> = { ...VACANT_FACTS, pms_status_raw: state.facts.pms_status_raw };
    return { tenancy: null, ...withFacts(state, reset, revision) };
  },
  UnitFactsChanged: withFacts,
  AccessOverridden: ({ set_at }, override, revision) => ({
    override,
    set_at: { ...set_at, override: revision },
  }),
  AccessOverrideCleared: ({ set_at }, _, revision) => ({
    override: null,
    set_at: { ...set_at, override: revision },
  }),
  UnitShared: ({ shares }, { tenant_id }) => ({ shares: [...shares, tenant_id] }),
  UnitShareEnded: ({ shares }, { tenant_id }) => ({
    shares: shares.filter((tenant) => tenant !== tenant_id),
  }),
  UnitRetired: () => ({ retired: true }),
  UnitRevived: () => ({ retired: false }),
};

function change(
  state: UnitState,
  event: Exclude<UnitEvent, { type: 'UnitRegistered' }>,
  revision: number,
): Partial<UnitState> {
  const apply = CHANGES[event.type] as (
    state: UnitState,
    data: UnitEvent['data'],
    revision: number,
  ) => Partial<UnitState>;
  return apply(state, event.data, revision);
}

/** Takes over the facts that differ, and remembers the revision that set them. */
function withFacts(
  state: UnitState,
  facts: Partial<UnitFacts>,
  revision: number,
): Pick<UnitState, 'facts' | 'set_at'> {
  const set_at: Partial<Record<TracedName, number>> = { ...state.set_at };
  for (const name of Object.keys(facts) as FactName[]) {
    if (state.facts[name] !== facts[name]) set_at[name] = revision;
  }
  return { facts: { ...state.facts, ...facts }, set_at };
}
