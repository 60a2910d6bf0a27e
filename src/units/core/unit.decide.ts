import { changeFacts } from './decide/facts.js';
import { refuseRegistration, register } from './decide/registration.js';
import { emptyUnit, moveTenantIn, moveTenantOut } from './decide/tenancy.js';
import type { UnitCommand, UnitRefusal, UnitResult } from './unit.commands.js';
import { UnitDraft } from './unit.draft.js';
import type { UnitEvent } from './unit.events.js';
import type { AccessOverride } from './unit.facts.js';
import type { UnitState } from './unit.state.js';
import type { Decided } from '../../writing/aggregate.js';

export type UnitDecision = Decided<UnitEvent, UnitResult, UnitRefusal, UnitState>;

type CommandOf<Type extends UnitCommand['type']> = Extract<UnitCommand, { type: Type }>;

/** What becomes of a unit that exists, or that the command has just registered. */
const RULES: {
  readonly [Type in UnitCommand['type']]: (
    draft: UnitDraft,
    unit: UnitState,
    command: CommandOf<Type>,
  ) => void;
} = {
  RegisterUnit: () => undefined,
  MoveTenantIn: (draft, unit, { arrival }) => moveTenantIn(draft, unit, arrival, {}),
  MoveTenantOut: (draft, unit) => moveTenantOut(draft, unit),
  ChangeUnitFacts: (draft, unit, { facts }) => changeFacts(draft, unit, facts),
  SyncUnit: (draft, unit, { arrival, facts }) => {
    if (arrival === null) return emptyUnit(draft, unit, facts);
    changeFacts(draft, moveTenantIn(draft, unit, arrival, facts), facts);
  },
  RenameUnit: (draft, unit, { unit_name }) => {
    if (unit.unit_name !== unit_name) draft.emit({ type: 'UnitRenamed', data: { unit_name } });
  },
  OverrideAccess: (draft, unit, { override }) => {
    if (!sameOverride(unit.override, override)) draft.emit({ type: 'AccessOverridden', data: override });
  },
  ClearAccessOverride: (draft, unit) => {
    if (unit.override !== null) draft.emit({ type: 'AccessOverrideCleared', data: { cause: 'requested' } });
  },
  ShareUnit: (draft, unit, { tenant_id }) => {
    if (!unit.shares.includes(tenant_id)) draft.emit({ type: 'UnitShared', data: { tenant_id } });
  },
  EndUnitShare: (draft, unit, { tenant_id }) => {
    if (!unit.shares.includes(tenant_id)) return;
    draft.emit({ type: 'UnitShareEnded', data: { tenant_id, cause: 'requested' } });
  },
  RetireUnit: (draft, unit) => {
    if (!unit.retired) draft.emit({ type: 'UnitRetired', data: {} });
  },
  ReviveUnit: (draft, unit) => {
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
  const rule = RULES[command.type] as (draft: UnitDraft, unit: UnitState, command: UnitCommand) => void;
  rule(draft, unit, command);
  const result = { created: state === undefined, warnings: draft.warnings };
  return { events: draft.events, result, state: draft.state };
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
  return { ...command, registration, arrival: { ...command.arrival, location_id, tenant_id } } as UnitCommand;
}

/** What is written about a unit that was taken for one: only what would create it brings it back. */
const NOT_OF_A_RETIRED_UNIT: ReadonlySet<UnitCommand['type']> = new Set([
  'MoveTenantOut',
  'ChangeUnitFacts',
  'OverrideAccess',
]);

function refuseAbsent(command: UnitCommand): UnitRefusal | undefined {
  return 'registration' in command ? refuseRegistration(command.registration) : { code: 'unit_not_found' };
}

function refuseExisting(state: UnitState, command: UnitCommand, now: number): UnitRefusal | undefined {
  if (command.type === 'RegisterUnit') return { code: 'unit_exists' };
  if ('source' in command && command.source !== state.source_type) {
    return { code: 'other_source', owner: state.source_type };
  }
  if ('arrival' in command && command.arrival !== null && command.arrival.location_id !== state.location_id) {
    return { code: 'names_overtaken', location_id: state.location_id };
  }
  if (state.retired && NOT_OF_A_RETIRED_UNIT.has(command.type)) return { code: 'unit_retired' };
  return refuseByOperator(state, command, now);
}

/** What only operators ask for. */
function refuseByOperator(state: UnitState, command: UnitCommand, now: number): UnitRefusal | undefined {
  if (command.type === 'RetireUnit') return state.facts.occupied ? { code: 'unit_occupied' } : undefined;
  if (command.type === 'OverrideAccess') return refuseOverride(command.override, now);
  return command.type === 'ShareUnit' ? refuseShare(state, command.tenant_id) : undefined;
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
