import type { UnitDraft } from '../unit.draft.js';
import type { ChangeableFacts } from '../unit.events.js';
import type { UnitState } from '../unit.state.js';

/** Stores only what differs; an absent fact stays as it is. */
export function changeFacts(draft: UnitDraft, unit: UnitState, facts: Partial<ChangeableFacts>): void {
  const changed = Object.entries(facts).filter(
    ([name, value]) => value !== undefined && unit.facts[name as keyof ChangeableFacts] !== value,
  );
  if (changed.length > 0) draft.emit({ type: 'UnitFactsChanged', data: Object.fromEntries(changed) });
}
