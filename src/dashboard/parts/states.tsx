import type { ComponentChildren } from 'preact';
import type { AccessState } from '../../access/index.js';

/** Access states as they are called. */
export const STATE_TEXTS: Readonly<Record<AccessState, string>> = {
  tenant_permitted: 'Open',
  tenant_denied: 'Locked out',
  vacant: 'Vacant',
  auction: 'Auction',
  unrentable: 'Not for rent',
};

const REASON_TEXTS: Readonly<Record<string, string>> = {
  delinquent: 'past due',
  blanket_delinquency: 'owes on another unit',
  pms_lockout: 'locked by PMS',
  system_lockout: 'locked by staff',
  system_exempt: 'let in by staff',
  pms_exempt: 'exempt in PMS',
  future_move_in: 'not moved in yet',
};

/** A reason as people say it. */
export function reasonText(reason: string): string {
  return REASON_TEXTS[reason] ?? reason.replaceAll('_', ' ');
}

export type Tone = 'good' | 'warn' | 'bad' | 'calm';

/** A short state in words, with a colour besides. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`mark ${tone}`}>{children}</span>;
}

/** `Locked out: past due` */
export function stateText({ state, reason }: StateProps): string {
  return `${STATE_TEXTS[state]}${reason ? `: ${reasonText(reason)}` : ''}`;
}

interface StateProps {
  readonly state: AccessState;
  readonly reason?: string | null;
}

/** A state with its reason: told by words, and by colour besides. */
export function StateMark({ state, reason }: StateProps) {
  return <span class={`state ${state}`}>{stateText({ state, reason: reason ?? null })}</span>;
}
