import type { AccessState } from '../../access/index.js';

/** Access states as they are called. */
export const STATE_TEXTS: Readonly<Record<AccessState, string>> = {
  tenant_permitted: 'Open',
  tenant_denied: 'Locked out',
  vacant: 'Vacant',
  auction: 'Auction',
  unrentable: 'Not for rent',
};

/** A state with its reason: told by words, and by colour besides. */
export function StateMark({
  state,
  reason,
}: {
  readonly state: AccessState;
  readonly reason?: string | null;
}) {
  return (
    <span class={`state ${state}`}>
      {STATE_TEXTS[state]}
      {reason ? `: ${reason.replaceAll('_', ' ')}` : ''}
    </span>
  );
}
