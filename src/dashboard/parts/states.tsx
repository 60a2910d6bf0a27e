import type { ComponentChildren } from 'preact';
import { type AccessState, isLockedOut } from '#domain/access/index.js';
import { capitalized, reasonText, STATE_TEXTS } from './labels.js';

export type Tone = 'good' | 'warn' | 'bad' | 'calm';

export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`mark ${tone}`}>{children}</span>;
}

/** Reasons that name who locks a unit out. */
const LOCKED_BY: Readonly<Record<string, string>> = { pms_lockout: ' by PMS', system_lockout: ' by staff' };

/** `Locked out: past due`, `Locked out by PMS`; `Open` where nothing is against it. */
export function stateText({ state, reason }: StateProps): string {
  if (!reason || reason === 'active') return STATE_TEXTS[state];
  if (reason === 'future_move_in') return capitalized(reasonText(reason));
  return `${STATE_TEXTS[state]}${LOCKED_BY[reason] ?? `: ${reasonText(reason)}`}`;
}

/** The same as a predicate: `is locked out: past due`. */
export function predicateText({ state, reason }: StateProps): string {
  if (reason === 'future_move_in') return 'does not open before the lease begins';
  const text = stateText({ state, reason });
  return `is ${state === 'auction' ? 'in ' : ''}${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** Reasons without which the state misleads. */
const TELLING: readonly (string | null | undefined)[] = ['system_exempt', 'future_move_in'];

/** The state alone, unless staff let the tenant in or the lease has not begun. */
export function BriefStateMark({ state, reason }: StateProps) {
  return <StateMark state={state} reason={TELLING.includes(reason) ? reason : null} />;
}

/** The shortest word for a state: the reason, if there is one. */
export function ReasonMark({ state, reason }: StateProps) {
  const text = !reason || reason === 'active' ? STATE_TEXTS[state] : capitalized(reasonText(reason));
  return <span class={`state ${shownStateOf({ state, reason })}`}>{text}</span>;
}

interface StateProps {
  readonly state: AccessState;
  readonly reason?: string | null;
}

/** A state as lists and colours tell it: `tenant_denied` is locked out, `early` is a lease to come. */
export type ShownState = AccessState | 'early';

export function shownStateOf({ state, reason = null }: StateProps): ShownState {
  return state === 'tenant_denied' && !isLockedOut({ state, reason }) ? 'early' : state;
}

export function shownStateText(shown: ShownState): string {
  return shown === 'early' ? capitalized(reasonText('future_move_in')) : STATE_TEXTS[shown];
}

/** Says that a unit's people pass gates at any hour. Nothing for other units. */
export function RoundTheClockMark({ isOn }: { readonly isOn: boolean }) {
  return isOn ? <span class="hint"> Round the clock</span> : null;
}

/** A flag in a file, as the set-up of units takes it. */
export function yesOrNo(flag: boolean): 'yes' | 'no' {
  return flag ? 'yes' : 'no';
}

export function StateMark({ state, reason }: StateProps) {
  return <span class={`state ${shownStateOf({ state, reason })}`}>{stateText({ state, reason })}</span>;
}
