import type { Arrival } from './unit.commands.js';
import type { EndCause } from './unit.events.js';
import type { Tenancy, UnitState } from './unit.state.js';
import { FACTS_AFTER_MOVE_OUT, WRITABLE_FACTS, type ChangeableFacts } from './fact-catalogue.js';
import { isOfferOpen, type ShareOffer } from './offers.js';
import { isShareInForce, type Share } from './shares.js';
import type { UnitDraft } from './unit.draft.js';

/** The event contains only facts whose values change. */
export function changeFacts(draft: UnitDraft, unit: UnitState, facts: Partial<ChangeableFacts>): void {
  const changed = Object.entries(facts).filter(
    ([name, value]) => value !== undefined && unit.facts[name as keyof ChangeableFacts] !== value,
  );
  if (changed.length > 0) draft.emit({ type: 'UnitFactsChanged', data: Object.fromEntries(changed) });
}

export function moveTenantIn(draft: UnitDraft, unit: UnitState, arrival: Arrival): UnitState {
  const { tenancy_id, tenant_id, pms_tenant_id, move_in_date, ledger_id } = arrival;
  if (unit.tenancy?.tenant_id === tenant_id) {
    const ledger = ledger_id === undefined ? unit.facts.ledger_id : ledger_id;
    return changeTerms(draft, unit, unit.tenancy, { pms_tenant_id, ledger_id: ledger, move_in_date });
  }
  const replaced_tenant_id = unit.tenancy === null ? null : unit.tenancy.tenant_id;
  if (replaced_tenant_id !== null) endGrants(draft, unit, 'tenant_replaced');
  // The ledger belongs to the earlier tenancy, so the new one does not keep it.
  const terms = { pms_tenant_id, ledger_id: ledger_id ?? null, move_in_date };
  return draft.emit({ type: 'TenantMovedIn', data: { tenancy_id, tenant_id, ...terms, replaced_tenant_id } });
}

type Terms = Pick<UnitState['facts'], 'ledger_id'> & Pick<Arrival, 'pms_tenant_id' | 'move_in_date'>;

/** Changes the dates or the ledger of the present tenancy. */
function changeTerms(draft: UnitDraft, unit: UnitState, tenancy: Tenancy, terms: Terms): UnitState {
  const { ledger_id, move_in_date } = unit.facts;
  if (ledger_id === terms.ledger_id && move_in_date === terms.move_in_date) return unit;
  const { tenancy_id, tenant_id } = tenancy;
  return draft.emit({
    type: 'TenantMovedIn',
    data: { tenancy_id, tenant_id, ...terms, replaced_tenant_id: null },
  });
}

/** Ends the tenancy and resets the facts (specification §3.2). A vacant unit has nothing to move out. */
export function moveTenantOut(draft: UnitDraft, unit: UnitState): UnitState {
  if (unit.tenancy === null) return unit;
  const { tenancy_id, tenant_id } = unit.tenancy;
  endGrants(draft, unit, 'move_out');
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
export function emptyUnit(draft: UnitDraft, unit: UnitState, facts: Partial<ChangeableFacts>): void {
  changeFacts(draft, moveTenantOut(draft, unit), { ...FACTS_OF_AN_EMPTY_UNIT, ...facts });
}

/** A share that has ended by itself is only cleared away. */
export function endShare(draft: UnitDraft, share: Share, cause: EndCause): void {
  const data = {
    tenant_id: share.tenant_id,
    cause: isShareInForce(share, draft.now) ? cause : 'expired',
  } as const;
  draft.emit({ type: 'UnitShareEnded', data });
}

/** An offer that has expired is only cleared away. */
export function endOffer(draft: UnitDraft, offer: ShareOffer, cause: EndCause): void {
  const { share_id, tenant_id } = offer;
  const data = { share_id, tenant_id, cause: isOfferOpen(offer, draft.now) ? cause : 'expired' } as const;
  draft.emit({ type: 'UnitShareOfferEnded', data });
}

function endGrants(draft: UnitDraft, unit: UnitState, cause: EndCause): void {
  for (const share of unit.shares) endShare(draft, share, cause);
  for (const offer of unit.offers ?? []) endOffer(draft, offer, cause);
  if (unit.override !== null) draft.emit({ type: 'AccessOverrideCleared', data: { cause } });
  if (unit.round_the_clock) draft.emit({ type: 'RoundTheClockEnded', data: { cause } });
}
