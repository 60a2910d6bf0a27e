import { numbersIn, searchForms, searchName } from '#kernel/core/search.js';
import type { UnitEvent, UnitEvents } from './unit.events.js';
import { type FactName, FACTS_AFTER_MOVE_OUT, type UnitFacts, VACANT_FACTS } from './fact-catalogue.js';
import type { AccessOverride, OverrideValue } from './override-catalogue.js';
import type { SourceType } from './unit.facts.js';
import type { ShareOffer } from './offers.js';
import { quietFrom } from './quiet.js';
import { isShareInForce, type Share, shareOf, withoutShare, withShare } from './shares.js';

/** The facts and the override: `set_at` has the revision that last set each of them. */
type TracedName = FactName | 'override';

export interface Tenancy {
  readonly tenancy_id: string;
  readonly tenant_id: string;
  /** Absent if the tenancy began here. Otherwise it was another unit's, at that `revision` (decisions §6, a transfer). */
  readonly taken_from?: {
    readonly unit_id: string;
    readonly tenancy_id: string;
    readonly revision: number;
  };
}

/** The state of a unit's stream at `revision`. */
export interface UnitState {
  readonly revision: number;
  readonly company_id: string;
  readonly location_id: string;
  readonly unit_id: string;
  readonly crm_unit_id: string;
  readonly unit_name: string;
  readonly source_type: SourceType;
  readonly facts: UnitFacts;
  /** null if the unit is vacant. */
  readonly tenancy: Tenancy | null;
  readonly override: AccessOverride | null;
  /** In the order in which they began. Some may have ended by themselves. */
  readonly shares: readonly Share[];
  /** What the tenant offers to others. Absent: never anything. Some may have expired. */
  readonly offers?: readonly ShareOffer[];
  /** True: the unit's people pass gates at any hour (decisions §12). Ends with the tenancy. */
  readonly round_the_clock: boolean;
  /** True: lists and integrators do not see the unit until it is revived (decisions §6). */
  readonly retired: boolean;
  /** The revision that last set each fact. A fact that is absent here was never set and has its reset value. */
  readonly set_at: Readonly<Partial<Record<TracedName, number>>>;
  /**
   * How new the source's data is that changed the unit (milliseconds): the `snapshot_at` of a bulk, otherwise the time of the
   * write. null: the source changed nothing yet. A bulk with an older `snapshot_at` changes nothing.
   */
  readonly written_at: number | null;
  /**
   * The last revision after which a tenant had the unit: it was occupied and not in auction, or somebody new had moved in.
   * null: never. A pass that named the unit before it was let does not open it any more (decisions §13). Absent in documents
   * of earlier versions.
   */
  readonly last_let?: number | null;
  /**
   * Since when the unit has been quiet without a break (milliseconds, perhaps ahead): see `quietFrom`. null: it is not. 0: it
   * always was. Absent in documents of earlier versions.
   */
  readonly quiet_since?: number | null;
}

/** Metadata of a stored event. An event that was decided but not yet stored has none. */
type MaybeStored = {
  readonly metadata?: { readonly occurred_at: string; readonly bulk?: true; readonly stated_at?: string };
};

/**
 * Applies one event.
 * @param state undefined before the first event, which is always `UnitRegistered`
 * @param now of an event that is not stored yet
 */
export function evolve(
  state: UnitState | undefined,
  event: UnitEvent & MaybeStored,
  revision: number,
  now?: number,
): UnitState {
  if (event.type === 'UnitRegistered') {
    // Field by field: adding fields to a spread object costs microseconds, and every later event copies this object.
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
      round_the_clock: false,
      retired: false,
      set_at: {},
      written_at: laterOf(null, statedAt(event)),
      last_let: null,
      quiet_since: 0,
    };
  }
  if (state === undefined)
    throw new Error(`A unit's stream begins with ${event.type} instead of UnitRegistered.`);
  const written_at = laterOf(state.written_at, statedAt(event));
  const after = change(state, event, revision);
  const facts = after.facts ?? state.facts;
  const override = after.override === undefined ? state.override : after.override;
  const isLetNow = isLet(facts) || bringsTenant(state, event);
  return {
    ...state,
    ...after,
    revision,
    written_at,
    last_let: isLetNow ? revision : (state.last_let ?? null),
    quiet_since: quietSince(state.quiet_since ?? null, quietFrom(facts, override), event, now),
  };
}

/** @param known before the event @param quiet from when the unit is quiet after it */
function quietSince(
  known: number | null,
  quiet: number,
  { metadata }: MaybeStored,
  now: number | undefined,
): number | null {
  if (quiet === Infinity) return null;
  if (known !== null) return Math.max(quiet, known);
  const instant = metadata === undefined ? now : milliseconds(metadata.occurred_at);
  return instant === undefined ? null : Math.max(quiet, instant);
}

/** Whether a tenant has the unit. One in auction is nobody's. */
export function isLet({ occupied, pms_auction }: Pick<UnitFacts, 'occupied' | 'pms_auction'>): boolean {
  return occupied && !pms_auction;
}

function bringsTenant({ tenancy }: UnitState, event: UnitEvent): boolean {
  return event.type === 'TenantMovedIn' && event.data.tenancy_id !== tenancy?.tenancy_id;
}

/** Whether the unit's source caused the event. Operators' events, and those that only accompany a move, are excluded. */
export function isOfSource({ type }: UnitEvent): boolean {
  return type === 'TenantMovedIn' || type === 'TenantMovedOut' || type === 'UnitFactsChanged';
}

/** How new the data is that the event was written from; null if that is unknown, or if the unit's source did not write it. */
function statedAt(event: UnitEvent & MaybeStored): number | null {
  const { metadata } = event;
  if (metadata === undefined) return null;
  if (metadata.stated_at !== undefined) return milliseconds(metadata.stated_at);
  // A bulk of 1.0.0-rc.1 stored no `stated_at`, and its data may have been older than its arrival.
  const isBulk = metadata.bulk === true;
  return isOfSource(event) && !isBulk ? milliseconds(metadata.occurred_at) : null;
}

function milliseconds(timestamp: string): number {
  // eslint-disable-next-line no-restricted-globals -- parses a text, reads no clock
  return Date.parse(timestamp);
}

export function laterOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

type Changes = {
  readonly [Type in Exclude<UnitEvent['type'], 'UnitRegistered'>]: (
    state: UnitState,
    data: UnitEvents[Type],
    revision: number,
  ) => Partial<UnitState>;
};

const CHANGES: Changes = {
  UnitRenamed: (_, { unit_name }) => ({ unit_name }),
  TenantMovedIn: (state, { tenancy_id, tenant_id, pms_tenant_id, ledger_id, move_in_date }, revision) => {
    const facts = { occupied: true, pms_tenant_id, ledger_id, move_in_date };
    // New values of the present tenancy do not change where it came from.
    const taken_from = state.tenancy?.tenancy_id === tenancy_id ? state.tenancy.taken_from : undefined;
    const tenancy = { tenancy_id, tenant_id, ...(taken_from && { taken_from }) };
    return { tenancy, ...withFacts(state, facts, revision) };
  },
  TenantMovedOut: (state, _, revision) => ({
    tenancy: null,
    ...withFacts(state, FACTS_AFTER_MOVE_OUT, revision),
  }),
  TenantTransferredIn: ({ tenancy }, { from_unit_id, from_tenancy_id, from_revision }) => {
    const taken_from = { unit_id: from_unit_id, tenancy_id: from_tenancy_id, revision: from_revision };
    return { tenancy: { ...tenancy!, taken_from } };
  },
  TenantTransferredOut: () => ({}),
  UnitFactsChanged: withFacts,
  AccessOverridden: ({ set_at }, override, revision) => ({
    override,
    set_at: { ...set_at, override: revision },
  }),
  AccessOverrideCleared: ({ set_at }, _, revision) => ({
    override: null,
    set_at: { ...set_at, override: revision },
  }),
  UnitShared: ({ shares }, share) => ({ shares: withShare(shares, share) }),
  UnitShareOffered: ({ offers = [] }, offer) => ({ offers: [...offers, { ...offer, wrong_codes: 0 }] }),
  UnitShareCodeRefused: ({ offers = [] }, { share_id }) => ({
    offers: offers.map((one) =>
      one.share_id === share_id ? { ...one, wrong_codes: one.wrong_codes + 1 } : one,
    ),
  }),
  UnitShareAccepted: ({ shares, offers = [] }, share) => ({
    shares: withShare(shares, share),
    offers: withoutOffer(offers, share.share_id),
  }),
  UnitShareOfferEnded: ({ offers = [] }, { share_id }) => ({ offers: withoutOffer(offers, share_id) }),
  UnitShareEnded: ({ shares }, { tenant_id }) => ({ shares: withoutShare(shares, tenant_id) }),
  RoundTheClockGranted: () => ({ round_the_clock: true }),
  RoundTheClockEnded: () => ({ round_the_clock: false }),
  UnitRetired: () => ({ retired: true }),
  UnitRevived: () => ({ retired: false }),
};

function withoutOffer(offers: readonly ShareOffer[], share_id: string): ShareOffer[] {
  return offers.filter((one) => one.share_id !== share_id);
}

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

/** Sets facts, and the revision of those that change. */
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

/** The fields of each event that name tenants. The compiler demands an entry for each new event. */
const TENANT_FIELDS: {
  readonly [Type in UnitEvent['type']]: readonly Extract<
    keyof UnitEvents[Type],
    'tenant_id' | 'replaced_tenant_id'
  >[];
} = {
  UnitRegistered: [],
  UnitRenamed: [],
  TenantMovedIn: ['tenant_id', 'replaced_tenant_id'],
  TenantMovedOut: ['tenant_id'],
  TenantTransferredIn: [],
  TenantTransferredOut: [],
  UnitFactsChanged: [],
  AccessOverridden: [],
  AccessOverrideCleared: [],
  UnitShared: ['tenant_id'],
  UnitShareOffered: ['tenant_id'],
  UnitShareCodeRefused: ['tenant_id'],
  UnitShareAccepted: ['tenant_id'],
  UnitShareOfferEnded: ['tenant_id'],
  UnitShareEnded: ['tenant_id'],
  RoundTheClockGranted: [],
  RoundTheClockEnded: [],
  UnitRetired: [],
  UnitRevived: [],
};

/** The tenants whose access an event changes, or who are invited by it. */
export function tenantsNamed({ type, data }: UnitEvent): string[] {
  const tenants: string[] = [];
  for (const field of TENANT_FIELDS[type]) {
    const tenant_id = (data as Readonly<Record<string, string | null>>)[field];
    if (tenant_id !== null) tenants.push(tenant_id!);
  }
  return tenants;
}

/** The override in force at an instant (milliseconds); null if it has ended. */
export function overrideInForce(override: AccessOverride | null, now: number): OverrideValue | null {
  if (override === null) return null;
  return override.expires_at === null || now < override.expires_at ? override.override : null;
}

/** Whether an account rents or shares the unit at an instant (milliseconds). */
export function hasUnit(
  { tenancy, shares }: Pick<UnitState, 'tenancy' | 'shares'>,
  tenant_id: string,
  at: number,
): boolean {
  if (tenancy?.tenant_id === tenant_id) return true;
  const share = shareOf(shares, tenant_id);
  return share !== undefined && isShareInForce(share, at);
}

/** The access states of units that nobody rents. */
export const IDLE_STATES = ['auction', 'unrentable', 'vacant'] as const;
export type IdleState = (typeof IDLE_STATES)[number];

/** The access state of a unit that nobody rents. It depends on facts only. */
export function idleState(facts: UnitFacts): IdleState {
  if (facts.pms_auction) return 'auction';
  return facts.pms_unrentable ? 'unrentable' : 'vacant';
}

/**
 * Sizes such as `10x15` or `5 × 10` are not searched, because hundreds of units have the same size. Linear, because a PMS may
 * send any name.
 */
const SIZE = /(?<!\d)\d+(?:\.\d+)?\s*(?:['’]\s*)?[x×]\s*\d+/giu;

/**
 * Search finds a unit by the beginning of any of these texts: each word and each number of its name, its identifier, and the
 * last number of the identifier. Operators say “114” for B-114 (10x15 ft).
 */
export function unitSearchNames(unit_name: string, crm_unit_id: string): readonly string[] {
  const names = new Set([searchName(unit_name), ...searchForms(unit_name.replaceAll(SIZE, ' '))]);
  if (crm_unit_id !== unit_name) {
    names.add(searchName(crm_unit_id));
    const number = numbersIn(crm_unit_id).at(-1);
    if (number !== undefined) names.add(searchName(number));
  }
  names.delete('');
  return [...names];
}
