import { searchName } from '../../base/core/search-name.js';
import type { UnitEvent, UnitEvents } from './unit.events.js';
import { type FactName, FACTS_AFTER_MOVE_OUT, type UnitFacts, VACANT_FACTS } from './fact-catalogue.js';
import type { AccessOverride, OverrideValue } from './override-catalogue.js';
import type { SourceType } from './unit.facts.js';

/** Names under which the revision that last set something is kept: the facts and the operator's override. */
export type TracedName = FactName | 'override';

/** A unit as the state of its stream up to `revision`. */
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
  /** When a move-in, a move-out or a PATCH changed the unit last (milliseconds); null for never. Bulks do not count. */
  readonly written_at: number | null;
}

/** The log's own fields beside an event. An event that was only decided has none. */
type Kept = { readonly metadata?: { readonly occurred_at: string; readonly bulk?: true } };

/**
 * Folds one event.
 * @param state undefined before the first event, which is always `UnitRegistered`.
 */
export function evolve(state: UnitState | undefined, event: UnitEvent & Kept, revision: number): UnitState {
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
      written_at: null,
    };
  }
  if (state === undefined)
    throw new Error(`A unit's stream begins with ${event.type} instead of UnitRegistered.`);
  const written_at = isOfSource(event) ? writtenAt(event, state) : state.written_at;
  return { ...state, ...change(state, event, revision), revision, written_at };
}

/** Whether whoever owns the unit's data said it: what only accompanies a move, and what operators do, is left out. */
export function isOfSource({ type }: UnitEvent): boolean {
  return type === 'TenantMovedIn' || type === 'TenantMovedOut' || type === 'UnitFactsChanged';
}

function writtenAt({ metadata }: Kept, state: UnitState): number | null {
  if (metadata === undefined || metadata.bulk === true) return state.written_at;
  // eslint-disable-next-line no-restricted-globals -- reads a text and asks no clock
  return Date.parse(metadata.occurred_at);
}

type Changes = {
  readonly [Type in Exclude<UnitEvent['type'], 'UnitRegistered'>]: (
    state: UnitState,
    data: UnitEvents[Type],
    revision: number,
  ) => Partial<UnitState>;
};

/** The effect of each event but the first. */
const CHANGES: Changes = {
  UnitRenamed: (_, { unit_name }) => ({ unit_name }),
  TenantMovedIn: (state, { tenancy_id, tenant_id, pms_tenant_id, ledger_id, move_in_date }, revision) => {
    const facts = { occupied: true, pms_tenant_id, ledger_id, move_in_date };
    return { tenancy: { tenancy_id, tenant_id }, ...withFacts(state, facts, revision) };
  },
  TenantMovedOut: (state, _, revision) => ({
    tenancy: null,
    ...withFacts(state, FACTS_AFTER_MOVE_OUT, revision),
  }),
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

/** By event, the members that name tenants whose units it changes. Exhaustive, so that a new event cannot name one unseen. */
const NAMING: {
  readonly [Type in UnitEvent['type']]: readonly Extract<
    keyof UnitEvents[Type],
    'tenant_id' | 'replaced_tenant_id'
  >[];
} = {
  UnitRegistered: [],
  UnitRenamed: [],
  TenantMovedIn: ['tenant_id', 'replaced_tenant_id'],
  TenantMovedOut: ['tenant_id'],
  UnitFactsChanged: [],
  AccessOverridden: [],
  AccessOverrideCleared: [],
  UnitShared: ['tenant_id'],
  UnitShareEnded: ['tenant_id'],
  UnitRetired: [],
  UnitRevived: [],
};

/** The tenants that an event names: those whose units it changes. */
export function tenantsNamed({ type, data }: UnitEvent): string[] {
  const tenants: string[] = [];
  for (const member of NAMING[type]) {
    const tenant_id = (data as Readonly<Record<string, string | null>>)[member];
    if (tenant_id !== null) tenants.push(tenant_id!);
  }
  return tenants;
}

/** The override in force at an instant (milliseconds); one whose end has come counts as none. */
export function overrideInForce(override: AccessOverride | null, now: number): OverrideValue | null {
  if (override === null) return null;
  return override.expires_at === null || now < override.expires_at ? override.override : null;
}

/** The access states of units that nobody rents. */
export const IDLE_STATES = ['auction', 'unrentable', 'vacant'] as const;
export type IdleState = (typeof IDLE_STATES)[number];

/** The access state of a unit that nobody rents. Facts alone decide it: no policy, no calendar and no override has a say. */
export function idleState(facts: UnitFacts): IdleState {
  if (facts.pms_auction) return 'auction';
  return facts.pms_unrentable ? 'unrentable' : 'vacant';
}

/** `10x15`, `5 × 10`: hundreds of units have the same size, so nobody finds one unit by it. */
const SIZE = /\d+(?:\.\d+)?\s*['’]?\s*[x×]\s*\d+/giu;
const NUMBER = /\d[\p{L}\p{N}]*/gu;
const LAST_NUMBER = /\d[\p{L}\p{N}]*(?=\D*$)/u;

/**
 * A unit is found by the beginning of any of these: its name, every number in it, as people say “114” for B-114 (10x15 ft), its
 * identifier and the last number of that.
 */
export function unitSearchNames(unit_name: string, crm_unit_id: string): readonly string[] {
  const names = new Set([searchName(unit_name)]);
  for (const [number] of unit_name.replaceAll(SIZE, ' ').matchAll(NUMBER)) names.add(searchName(number));
  if (crm_unit_id !== unit_name) {
    names.add(searchName(crm_unit_id));
    const number = LAST_NUMBER.exec(crm_unit_id);
    if (number !== null) names.add(searchName(number[0]));
  }
  names.delete('');
  return [...names];
}
