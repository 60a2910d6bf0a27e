import type { Decided } from '../../writing/aggregate.js';
import { type AccessOverride, sameOverride } from './override-catalogue.js';
import type {
  Registration,
  UnitCommand,
  UnitRefusal,
  UnitResult,
  Arrival,
  UnitWarning,
} from './unit.commands.js';
import type { UnitEvent, EndCause } from './unit.events.js';
import type { SourceType } from './unit.facts.js';
import { isOfSource, evolve, type UnitState } from './unit.state.js';
import { FACTS_AFTER_MOVE_OUT, WRITABLE_FACTS, type ChangeableFacts } from './fact-catalogue.js';

/** Collects the events of one decision. Each event changes the state at once, so that the next rule sees its effect. */
class UnitDraft {
  readonly events: UnitEvent[] = [];

  constructor(public state: UnitState | undefined) {}

  emit(event: UnitEvent): UnitState {
    this.events.push(event);
    this.state = evolve(this.state, event, (this.state?.revision ?? -1) + 1);
    return this.state;
  }
}

/** The event contains only facts whose values change. */
function changeFacts(draft: UnitDraft, unit: UnitState, facts: Partial<ChangeableFacts>): void {
  const changed = Object.entries(facts).filter(
    ([name, value]) => value !== undefined && unit.facts[name as keyof ChangeableFacts] !== value,
  );
  if (changed.length > 0) draft.emit({ type: 'UnitFactsChanged', data: Object.fromEntries(changed) });
}

function moveTenantIn(draft: UnitDraft, unit: UnitState, arrival: Arrival): UnitState {
  const { tenancy_id, tenant_id, pms_tenant_id, move_in_date, ledger_id } = arrival;
  if (unit.tenancy?.tenant_id === tenant_id) {
    const ledger = ledger_id === undefined ? unit.facts.ledger_id : ledger_id;
    return changeTerms(draft, unit, unit.tenancy, { pms_tenant_id, ledger_id: ledger, move_in_date });
  }
  const replaced_tenant_id = unit.tenancy === null ? null : unit.tenancy.tenant_id;
  if (replaced_tenant_id !== null) endSharesAndOverride(draft, unit, 'tenant_replaced');
  // The ledger belongs to the earlier tenancy, so the new one does not keep it.
  const terms = { pms_tenant_id, ledger_id: ledger_id ?? null, move_in_date };
  return draft.emit({ type: 'TenantMovedIn', data: { tenancy_id, tenant_id, ...terms, replaced_tenant_id } });
}

type Tenancy = NonNullable<UnitState['tenancy']>;
type Terms = Pick<UnitState['facts'], 'ledger_id'> & Pick<Arrival, 'pms_tenant_id' | 'move_in_date'>;

/** Changes the dates or the ledger of the present tenancy. */
function changeTerms(draft: UnitDraft, unit: UnitState, tenancy: Tenancy, terms: Terms): UnitState {
  const { ledger_id, move_in_date } = unit.facts;
  if (ledger_id === terms.ledger_id && move_in_date === terms.move_in_date) return unit;
  return draft.emit({ type: 'TenantMovedIn', data: { ...tenancy, ...terms, replaced_tenant_id: null } });
}

/** Ends the tenancy and resets the facts (specification §3.2). A vacant unit has nothing to move out. */
function moveTenantOut(draft: UnitDraft, unit: UnitState): UnitState {
  if (unit.tenancy === null) return unit;
  const { tenancy_id, tenant_id } = unit.tenancy;
  endSharesAndOverride(draft, unit, 'move_out');
  return draft.emit({ type: 'TenantMovedOut', data: { tenancy_id, tenant_id } });
}

/** The values of facts that the full state of an empty unit does not name. */
const FACTS_OF_AN_EMPTY_UNIT: Partial<ChangeableFacts> = Object.fromEntries(
  WRITABLE_FACTS.filter((name) => name in FACTS_AFTER_MOVE_OUT).map((name) => [
    name,
    FACTS_AFTER_MOVE_OUT[name],
  ]),
);

/**
 * Applies the full state of an unoccupied unit. Resets the unit as a move-out does, also if it was vacant (specification
 * §3.2, "any"). Then sets the facts that the state names.
 */
function emptyUnit(draft: UnitDraft, unit: UnitState, facts: Partial<ChangeableFacts>): void {
  changeFacts(draft, moveTenantOut(draft, unit), { ...FACTS_OF_AN_EMPTY_UNIT, ...facts });
}

function endSharesAndOverride(draft: UnitDraft, unit: UnitState, cause: EndCause): void {
  for (const tenant_id of unit.shares) draft.emit({ type: 'UnitShareEnded', data: { tenant_id, cause } });
  if (unit.override !== null) draft.emit({ type: 'AccessOverrideCleared', data: { cause } });
}

type UnitDecision = Decided<UnitEvent, UnitResult, UnitRefusal, UnitState>;

/** Emits the events of each command, on a unit that exists or that the command has just registered. */
const RULES: {
  readonly [Kind in UnitCommand['kind']]: (
    draft: UnitDraft,
    unit: UnitState,
    command: Extract<UnitCommand, { readonly kind: Kind }>,
  ) => void;
} = {
  register: () => undefined,
  move_in: (draft, unit, { arrival }) => moveTenantIn(draft, unit, arrival),
  move_out: (draft, unit) => moveTenantOut(draft, unit),
  change_facts: (draft, unit, { facts }) => changeFacts(draft, unit, facts),
  sync: (draft, unit, { arrival, facts }) => {
    if (arrival === null) return emptyUnit(draft, unit, facts);
    changeFacts(draft, moveTenantIn(draft, unit, arrival), facts);
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
 * @param now milliseconds
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
  const warnings = state === undefined ? [] : sideEffects(state, draft.state!, command);
  const result = { created: state === undefined, warnings };
  const isSingle = command.kind !== 'sync' && draft.events.some(isOfSource);
  const after = isSingle ? { ...draft.state!, written_at: now } : draft.state;
  return { events: draft.events, result, state: after };
}

/** Warnings about side effects of a command: they compare the unit before and after it. */
function sideEffects(before: UnitState, after: UnitState, command: UnitCommand): UnitWarning[] {
  if (command.kind === 'move_out') return cleared(before, after, {});
  if (!('registration' in command)) return [];
  const named = 'facts' in command ? command.facts : {};
  const warnings = ignoredNames(before, command.registration);
  if (before.retired && !after.retired) warnings.push('unit_revived');
  if (after.revision === before.revision) return warnings;
  return [...warnings, ...carriedOver(before, after, named), ...cleared(before, after, named)];
}

/** An existing unit keeps its location and its name. */
function ignoredNames(unit: UnitState, { location, unit_name }: Registration): UnitWarning[] {
  const warnings: UnitWarning[] = [];
  // An inferred location says nothing about an existing unit.
  const isElsewhere =
    location.kind === 'known'
      ? location.given && location.location_id !== unit.location_id
      : location.kind === 'unknown';
  if (isElsewhere) warnings.push('location_ignored');
  if (unit_name !== undefined && unit_name !== unit.unit_name) warnings.push('unit_name_ignored');
  return warnings;
}

/** Facts of the unit that a new tenant takes over, unless the same write names them. */
function carriedOver(before: UnitState, after: UnitState, named: Partial<ChangeableFacts>): UnitWarning[] {
  const isSameTenant = after.tenancy?.tenant_id === before.tenancy?.tenant_id;
  if (after.tenancy === null || isSameTenant) return [];
  const warnings: UnitWarning[] = before.tenancy === null ? [] : ['tenant_replaced'];
  // A credit is not a burden.
  const isCarried = (fact: 'balance_due' | 'pms_lock_exempt' | 'pms_lockout') =>
    Number(before.facts[fact]) > 0 && named[fact] === undefined;
  if (isCarried('balance_due')) warnings.push('balance_carried_over');
  if (isCarried('pms_lock_exempt')) warnings.push('exemption_carried_over');
  if (isCarried('pms_lockout')) warnings.push('lockout_carried_over');
  return warnings;
}

/** Flags that the reset of a unit cleared, unless the same write names them. */
function cleared(before: UnitState, after: UnitState, named: Partial<ChangeableFacts>): UnitWarning[] {
  const isCleared = (flag: 'pms_unrentable' | 'pms_auction' | 'pms_lockout') =>
    before.facts[flag] && !after.facts[flag] && named[flag] === undefined;
  const warnings: UnitWarning[] = [];
  if (isCleared('pms_unrentable')) warnings.push('unrentable_cleared');
  // A move-out is expected to clear the other flags, the reset of a vacant unit is not.
  if (before.tenancy !== null) return warnings;
  if (isCleared('pms_auction')) warnings.push('auction_cleared');
  if (isCleared('pms_lockout')) warnings.push('lockout_cleared');
  return warnings;
}

/**
 * The command as it was first executed: with the location and the tenant of its stored events. A repeat may resolve the
 * same names differently, because the company may have other locations by now.
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

/** Commands that a retired unit refuses. A write that would create the unit revives it. */
const REFUSED_IF_RETIRED: ReadonlySet<UnitCommand['kind']> = new Set([
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
  if (state.retired && REFUSED_IF_RETIRED.has(command.kind)) return { code: 'unit_retired' };
  return refuseOperatorCommand(state, command, now);
}

function isAfter(written_at: number | null, snapshot_at: number | undefined): boolean {
  return snapshot_at !== undefined && written_at !== null && written_at > snapshot_at;
}

function refuseOperatorCommand(state: UnitState, command: UnitCommand, now: number): UnitRefusal | undefined {
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

function refuseRegistration({ location }: Registration): UnitRefusal | undefined {
  switch (location.kind) {
    // Stryker disable next-line StringLiteral: other kinds have the same answer
    case 'known':
      return undefined;
    case 'unknown':
      return { code: 'location_unknown' };
    case 'none':
      return { code: 'location_required' };
    case 'no_locations':
      return { code: 'location_missing' };
  }
}

/**
 * Creates the unit, or revives a retired one. An existing unit keeps its location and name (specification §2.1).
 */
function register(draft: UnitDraft, registration: Registration, source_type: SourceType): UnitState {
  const { company_id, crm_unit_id, unit_id, unit_name, location } = registration;
  const existing = draft.state;
  if (existing === undefined) {
    // Stryker disable next-line ConditionalExpression,StringLiteral: unreachable, `refuseRegistration` has refused it
    if (location.kind !== 'known') throw new Error('A registration without a location was not refused.');
    const { location_id } = location;
    const name = unit_name ?? crm_unit_id;
    const data = { company_id, location_id, unit_id, crm_unit_id, unit_name: name, source_type };
    return draft.emit({ type: 'UnitRegistered', data });
  }
  return existing.retired ? draft.emit({ type: 'UnitRevived', data: {} }) : existing;
}
