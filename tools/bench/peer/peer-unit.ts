import { type UnitFacts, VACANT_FACTS } from '#domain/units/index.js';

/** The state of a unit in the peer. */
export interface PeerUnit {
  readonly unit_id: string;
  readonly crm_unit_id: string;
  readonly unit_name: string;
  readonly tenant_id: string | null;
  readonly revision: number;
  readonly facts: UnitFacts;
  /** The revision that last set each fact. */
  readonly set_at: Readonly<Partial<Record<keyof UnitFacts, number>>>;
}

/** The requested changes of one unit. Absent facts do not change. */
export interface PeerIntent {
  readonly crm_unit_id: string;
  readonly unit_name?: string | undefined;
  /** Absent: the tenancy does not change. */
  readonly occupied?: boolean | undefined;
  readonly facts: Partial<UnitFacts>;
}

export interface PeerEvent {
  readonly type: 'UnitRegistered' | 'TenantMovedIn' | 'TenantMovedOut' | 'UnitFactsChanged';
  readonly data: object;
}

export interface PeerOutcome {
  readonly unit: PeerUnit;
  /** Empty if nothing changes. */
  readonly events: readonly PeerEvent[];
}

const TENANCY: readonly (keyof UnitFacts)[] = ['occupied', 'pms_tenant_id', 'ledger_id', 'move_in_date'];

const NEW_UNIT = { tenant_id: null, revision: -1, facts: VACANT_FACTS, set_at: {} };

/**
 * Decides the events of a request for one unit.
 * @param tenant_id of the tenant in the request, if any
 * @param newId makes the id of a new unit
 */
export function decideIntent(
  known: PeerUnit | undefined,
  intent: PeerIntent,
  tenant_id: string | undefined,
  newId: () => string,
): PeerOutcome {
  const { crm_unit_id, unit_name = crm_unit_id } = intent;
  const before = known ?? { ...NEW_UNIT, unit_id: newId(), crm_unit_id, unit_name };
  const kept = intent.occupied === false ? resetFacts(before.facts) : before.facts;
  const facts: UnitFacts = { ...kept, ...intent.facts };
  const changed = (Object.keys(facts) as (keyof UnitFacts)[]).filter(
    (name) => facts[name] !== before.facts[name],
  );
  const tenancy = changed.filter((name) => TENANCY.includes(name));
  const others = changed.filter((name) => !TENANCY.includes(name));

  const events: PeerEvent[] = [];
  const set_at = { ...before.set_at };
  const add = (type: PeerEvent['type'], names: readonly (keyof UnitFacts)[], more: object = {}) => {
    for (const name of names) set_at[name] = before.revision + events.length + 1;
    events.push({ type, data: { ...Object.fromEntries(names.map((name) => [name, facts[name]])), ...more } });
  };
  const tenantAfter = facts.occupied ? (tenant_id ?? before.tenant_id) : null;
  if (known === undefined) add('UnitRegistered', [], { unit_id: before.unit_id, crm_unit_id, unit_name });
  if (tenancy.length > 0)
    add(facts.occupied ? 'TenantMovedIn' : 'TenantMovedOut', tenancy, { tenant_id: tenantAfter });
  if (others.length > 0) add('UnitFactsChanged', others);
  const revision = before.revision + events.length;
  return { unit: { ...before, revision, tenant_id: tenantAfter, facts, set_at }, events };
}

function resetFacts({ pms_status_raw }: UnitFacts): UnitFacts {
  return { ...VACANT_FACTS, pms_status_raw };
}
