import { type ChangeableFacts, FACTS_AFTER_MOVE_OUT, WRITABLE_FACTS } from './fact-catalogue.js';
import type { Arrival, UnitWarning } from './unit.commands.js';
import type { EndCause, UnitEvent } from './unit.events.js';
import { evolve, type UnitState } from './unit.state.js';

/** A decision in the making: each event is folded at once, so that the next rule sees what it did. */
export class UnitDraft {
  readonly events: UnitEvent[] = [];
  readonly warnings: UnitWarning[] = [];

  constructor(public state: UnitState | undefined) {}

  emit(event: UnitEvent): UnitState {
    this.events.push(event);
    this.state = evolve(this.state, event, (this.state?.revision ?? -1) + 1);
    return this.state;
  }
}

/** Stores only what differs; an absent fact stays as it is. */
export function changeFacts(draft: UnitDraft, unit: UnitState, facts: Partial<ChangeableFacts>): void {
  const changed = Object.entries(facts).filter(
    ([name, value]) => value !== undefined && unit.facts[name as keyof ChangeableFacts] !== value,
  );
  if (changed.length > 0) draft.emit({ type: 'UnitFactsChanged', data: Object.fromEntries(changed) });
}

/** Facts that stay when another tenant takes the unit, and may surprise: each warned of where the write does not name it. */
const CARRIED_OVER: readonly [keyof ChangeableFacts, UnitWarning][] = [
  ['balance_due', 'balance_carried_over'],
  ['pms_lock_exempt', 'exemption_carried_over'],
  ['pms_lockout', 'lockout_carried_over'],
];

/** @param named what the same write says of the unit: of that nothing is carried over unseen. */
export function moveTenantIn(
  draft: UnitDraft,
  unit: UnitState,
  arrival: Arrival,
  named: Partial<ChangeableFacts>,
): UnitState {
  const { tenancy_id, tenant_id, pms_tenant_id, move_in_date, ledger_id } = arrival;
  if (unit.tenancy?.tenant_id === tenant_id) {
    const standing = ledger_id === undefined ? unit.facts.ledger_id : ledger_id;
    return changeTerms(draft, unit, unit.tenancy, { pms_tenant_id, ledger_id: standing, move_in_date });
  }
  const replaced_tenant_id = unit.tenancy === null ? null : unit.tenancy.tenant_id;
  if (replaced_tenant_id !== null) draft.warnings.push('tenant_replaced');
  draft.warnings.push(...carriedOver(unit, named));
  if (replaced_tenant_id !== null) endWhatTheTenancyBrought(draft, unit, 'tenant_replaced');
  // A ledger is a tenancy's own: the earlier one's is not taken over.
  const terms = { pms_tenant_id, ledger_id: ledger_id ?? null, move_in_date };
  return draft.emit({ type: 'TenantMovedIn', data: { tenancy_id, tenant_id, ...terms, replaced_tenant_id } });
}

function carriedOver({ facts }: UnitState, named: Partial<ChangeableFacts>): UnitWarning[] {
  // A credit is no burden.
  const stays = CARRIED_OVER.filter(([fact]) => named[fact] === undefined && Number(facts[fact]) > 0);
  return stays.map(([, warning]) => warning);
}

type Tenancy = NonNullable<UnitState['tenancy']>;
type Terms = Pick<UnitState['facts'], 'ledger_id'> & Pick<Arrival, 'pms_tenant_id' | 'move_in_date'>;

/** The tenant who is there stays, on other terms or on the same. */
function changeTerms(draft: UnitDraft, unit: UnitState, tenancy: Tenancy, terms: Terms): UnitState {
  const { ledger_id, move_in_date } = unit.facts;
  if (ledger_id === terms.ledger_id && move_in_date === terms.move_in_date) return unit;
  return draft.emit({ type: 'TenantMovedIn', data: { ...tenancy, ...terms, replaced_tenant_id: null } });
}

/** Ends the tenancy and resets the facts (specification §3.2). A vacant unit has nothing to move out. */
export function moveTenantOut(draft: UnitDraft, unit: UnitState): UnitState {
  if (unit.tenancy === null) return unit;
  if (unit.facts.pms_unrentable) draft.warnings.push('unrentable_cleared');
  return leave(draft, unit, unit.tenancy);
}

/** What a fact of an empty unit is when its full state does not name it. */
const FACTS_OF_AN_EMPTY_UNIT: Partial<ChangeableFacts> = Object.fromEntries(
  WRITABLE_FACTS.filter((name) => name in FACTS_AFTER_MOVE_OUT).map((name) => [
    name,
    FACTS_AFTER_MOVE_OUT[name],
  ]),
);

/** Flags that a reset of a vacant unit clears without anybody leaving: each warned of where it stood. */
const CLEARED: readonly [keyof ChangeableFacts, UnitWarning][] = [
  ['pms_auction', 'auction_cleared'],
  ['pms_lockout', 'lockout_cleared'],
];

/**
 * The full state of a unit that nobody occupies: whatever it was before (specification §3.2, "any"), it is reset as by a
 * move-out, and then the flags that the entry itself carries apply.
 */
export function emptyUnit(draft: UnitDraft, unit: UnitState, facts: Partial<ChangeableFacts>): void {
  if (unit.facts.pms_unrentable && facts.pms_unrentable === undefined)
    draft.warnings.push('unrentable_cleared');
  if (unit.tenancy === null) {
    for (const [fact, warning] of CLEARED) {
      if (unit.facts[fact] && facts[fact] === undefined) draft.warnings.push(warning);
    }
  }
  const empty = unit.tenancy === null ? unit : leave(draft, unit, unit.tenancy);
  changeFacts(draft, empty, { ...FACTS_OF_AN_EMPTY_UNIT, ...facts });
}

function leave(draft: UnitDraft, unit: UnitState, { tenancy_id, tenant_id }: Tenancy): UnitState {
  endWhatTheTenancyBrought(draft, unit, 'move_out');
  return draft.emit({ type: 'TenantMovedOut', data: { tenancy_id, tenant_id } });
}

function endWhatTheTenancyBrought(draft: UnitDraft, unit: UnitState, cause: EndCause): void {
  for (const tenant_id of unit.shares) draft.emit({ type: 'UnitShareEnded', data: { tenant_id, cause } });
  if (unit.override !== null) draft.emit({ type: 'AccessOverrideCleared', data: { cause } });
}
