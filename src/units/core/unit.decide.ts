import type { Decided } from '../../writing/aggregate.js';
import type { AccessOverride } from './override-catalogue.js';
import type { Registration, UnitCommand, UnitRefusal, UnitResult } from './unit.commands.js';
import type { UnitEvent } from './unit.events.js';
import type { SourceType } from './unit.facts.js';
import { isOfSource, type UnitState } from './unit.state.js';
import { changeFacts, emptyUnit, moveTenantIn, moveTenantOut, UnitDraft } from './unit.tenancy.js';

export type UnitDecision = Decided<UnitEvent, UnitResult, UnitRefusal, UnitState>;

type CommandOf<Kind extends UnitCommand['kind']> = Extract<UnitCommand, { kind: Kind }>;

/** What becomes of a unit that exists, or that the command has just registered. */
const RULES: {
  readonly [Kind in UnitCommand['kind']]: (
    draft: UnitDraft,
    unit: UnitState,
    command: CommandOf<Kind>,
  ) => void;
} = {
  register: () => undefined,
  move_in: (draft, unit, { arrival }) => moveTenantIn(draft, unit, arrival, {}),
  move_out: (draft, unit) => moveTenantOut(draft, unit),
  change_facts: (draft, unit, { facts }) => changeFacts(draft, unit, facts),
  sync: (draft, unit, { arrival, facts }) => {
    if (arrival === null) return emptyUnit(draft, unit, facts);
    changeFacts(draft, moveTenantIn(draft, unit, arrival, facts), facts);
  },
  rename: (draft, unit, { unit_name }) => {
    if (unit.unit_name !== unit_name) draft.emit({ type: 'UnitRenamed', data: { unit_name } });
  },
  override: (draft, unit, { override }) => {
    if (!sameOverride(unit.override, override)) draft.emit({ type: 'AccessOverridden', data: override });
  },
  clear_override: (draft, unit) => {
    if (unit.override !== null) draft.emit({ type: 'AccessOverrideCleared', data: { cause: 'requested' } });
  },
  share: (draft, unit, { tenant_id }) => {
    if (!unit.shares.includes(tenant_id)) draft.emit({ type: 'UnitShared', data: { tenant_id } });
  },
  end_share: (draft, unit, { tenant_id }) => {
    if (!unit.shares.includes(tenant_id)) return;
    draft.emit({ type: 'UnitShareEnded', data: { tenant_id, cause: 'requested' } });
  },
  retire: (draft, unit) => {
    if (!unit.retired) draft.emit({ type: 'UnitRetired', data: {} });
  },
  revive: (draft, unit) => {
    if (unit.retired) draft.emit({ type: 'UnitRevived', data: {} });
  },
};

/**
 * Decides a command on a unit (undefined: it does not exist). A command that changes nothing is accepted without
 * events, so repeating one is harmless.
 * @param now milliseconds; matters only to an override that ends.
 */
export function decide(state: UnitState | undefined, command: UnitCommand, now: number): UnitDecision {
  const refusal =
    (state === undefined ? refuseAbsent(command) : refuseExisting(state, command, now)) ??
    refuseContradiction(command);
  if (refusal !== undefined) return { rejected: refusal };
  const draft = new UnitDraft(state);
  const unit = 'registration' in command ? register(draft, command.registration, command.source) : state!;
  const rule = RULES[command.kind] as (draft: UnitDraft, unit: UnitState, command: UnitCommand) => void;
  rule(draft, unit, command);
  const result = { created: state === undefined, warnings: draft.warnings };
  const isSingle = command.kind !== 'sync' && draft.events.some(isOfSource);
  const after = isSingle ? { ...draft.state!, written_at: now } : draft.state;
  return { events: draft.events, result, state: after };
}

/**
 * The command as it was first executed: at the location at which it created the unit, and with the tenant who moved in.
 * What it names may stand for something else by now, as the company may have other locations.
 */
export function asStored(command: UnitCommand, stored: readonly UnitEvent[]): UnitCommand {
  const registered = stored.find((event) => event.type === 'UnitRegistered');
  if (registered === undefined || !('registration' in command)) return command;
  const { location_id } = registered.data;
  const registration = { ...command.registration, location: { kind: 'known', location_id, given: false } };
  const movedIn = stored.find((event) => event.type === 'TenantMovedIn');
  if (movedIn === undefined || !('arrival' in command)) return { ...command, registration } as UnitCommand;
  const { tenant_id } = movedIn.data;
  return { ...command, registration, arrival: { ...command.arrival, tenant_id } } as UnitCommand;
}

/** What is written about a unit that was taken for one: only what would create it brings it back. */
const NOT_OF_A_RETIRED_UNIT: ReadonlySet<UnitCommand['kind']> = new Set([
  'move_out',
  'change_facts',
  'override',
]);

function refuseAbsent(command: UnitCommand): UnitRefusal | undefined {
  return 'registration' in command ? refuseRegistration(command.registration) : { code: 'unit_not_found' };
}

function refuseExisting(state: UnitState, command: UnitCommand, now: number): UnitRefusal | undefined {
  if (command.kind === 'register') return { code: 'unit_exists' };
  if ('source' in command && command.source !== state.source_type) {
    return { code: 'other_source', owner: state.source_type };
  }
  if (command.kind === 'sync' && isAfter(state.written_at, command.snapshot_at)) {
    return { code: 'written_since', written_at: state.written_at! };
  }
  if (state.retired && NOT_OF_A_RETIRED_UNIT.has(command.kind)) return { code: 'unit_retired' };
  return refuseByOperator(state, command, now);
}

function isAfter(written_at: number | null, snapshot_at: number | undefined): boolean {
  return snapshot_at !== undefined && written_at !== null && written_at > snapshot_at;
}

/** What only operators ask for. */
function refuseByOperator(state: UnitState, command: UnitCommand, now: number): UnitRefusal | undefined {
  if (command.kind === 'retire') return state.facts.occupied ? { code: 'unit_occupied' } : undefined;
  if (command.kind === 'override') return refuseOverride(command.override, now);
  return command.kind === 'share' ? refuseShare(state, command.tenant_id) : undefined;
}

function refuseContradiction(command: UnitCommand): UnitRefusal | undefined {
  return 'arrival' in command && command.arrival?.contradicts === true
    ? { code: 'tenant_contradicted' }
    : undefined;
}

function refuseOverride({ expires_at }: AccessOverride, now: number): UnitRefusal | undefined {
  return expires_at !== null && expires_at <= now ? { code: 'override_already_over' } : undefined;
}

function refuseShare({ tenancy }: UnitState, tenant_id: string): UnitRefusal | undefined {
  if (tenancy === null) return { code: 'unit_not_occupied' };
  return tenancy.tenant_id === tenant_id ? { code: 'tenant_is_primary' } : undefined;
}

function sameOverride(one: AccessOverride | null, other: AccessOverride): boolean {
  return (
    one !== null &&
    one.override === other.override &&
    one.reason === other.reason &&
    one.expires_at === other.expires_at
  );
}

/** A unit is created at a known location, or not at all. */
function refuseRegistration({ location }: Registration): UnitRefusal | undefined {
  switch (location.kind) {
    // Stryker disable next-line StringLiteral: what is no case has the same answer
    case 'known':
      return undefined;
    case 'unknown':
      return { code: 'location_unknown' };
    case 'none':
      return { code: 'location_required' };
    case 'nowhere':
      return { code: 'location_missing' };
  }
}

/**
 * Creates the unit, or warns of what an existing one keeps (specification §2.1: used when a unit is created). One that was
 * retired comes back.
 */
function register(draft: UnitDraft, registration: Registration, source_type: SourceType): UnitState {
  const { company_id, crm_unit_id, unit_id, unit_name, location } = registration;
  const existing = draft.state;
  if (existing === undefined) {
    // Stryker disable next-line ConditionalExpression,StringLiteral: never comes to it, who asks has refused it
    if (location.kind !== 'known') throw new Error('A registration without a location was not refused.');
    const { location_id } = location;
    const name = unit_name ?? crm_unit_id;
    const data = { company_id, location_id, unit_id, crm_unit_id, unit_name: name, source_type };
    return draft.emit({ type: 'UnitRegistered', data });
  }
  if (differs(location, existing)) draft.warnings.push('location_ignored');
  if (unit_name !== undefined && unit_name !== existing.unit_name) draft.warnings.push('unit_name_ignored');
  if (!existing.retired) return existing;
  draft.warnings.push('unit_revived');
  return draft.emit({ type: 'UnitRevived', data: {} });
}

/** An inferred location says nothing about a unit that stands elsewhere. */
function differs(location: Registration['location'], { location_id }: UnitState): boolean {
  if (location.kind === 'known') return location.given && location.location_id !== location_id;
  return location.kind === 'unknown';
}
