import type { AccessState } from '#domain/access/index.js';
import type { AccessThen } from '#domain/history/index.js';
import { isRefusal } from '#domain/locks/index.js';
import { type ShownState, shownStateOf, stateText } from '../parts/states.js';
import { amountText } from '../parts/words.js';

const EVENTS: Readonly<Record<string, string>> = {
  unlock: 'Opened',
  lock: 'Locked',
  attempt: 'Tapped',
};

interface DeniedUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly state: AccessState;
  readonly reason?: string | null;
}

/** A unit that gave the right to a tap, as it was then. */
export interface UnitThen {
  readonly unit_id: string;
  readonly unit_name: string;
  /** When the tap happened. */
  readonly at: string;
  readonly access: AccessThen;
  readonly currency: string;
}

export interface ReportSummary {
  readonly event: string;
  readonly result: string;
  readonly failure_code: string | null;
  /** The units of an opening by a tenant who was denied. */
  readonly denied_units?: readonly DeniedUnit[];
  /** The entry point was outside of its hours. */
  readonly outside_hours?: boolean;
  /** A tenant who was denied opened it with a key from before. */
  readonly had_key?: boolean;
  /** The units of a tap that was refused. */
  readonly units_then?: readonly UnitThen[];
}

const WHEN: Readonly<Partial<Record<ShownState, string>>> = {
  auction: 'while in auction',
  unrentable: 'while not for rent',
  early: 'before the lease began',
};

/** An opening by a tenant who was denied: `Opened while locked out`. */
export function alarmText([first]: readonly DeniedUnit[]): string {
  return `Opened ${(first && WHEN[shownStateOf(first)]) ?? 'while locked out'}`;
}

/** Alarm: opened by a tenant who was denied. Failed: the lock did not work. */
export type TapKind = 'opened' | 'refused' | 'failed' | 'alarm';

export function tapKind({ result, failure_code, denied_units }: Omit<ReportSummary, 'event'>): TapKind {
  if (result === 'failure') return isRefusal(failure_code) ? 'refused' : 'failed';
  return denied_units === undefined ? 'opened' : 'alarm';
}

/** `Open`, `Locked out: past due $102.00`. */
export function accessText({ state, reason, balance_due }: AccessThen, currency: string): string {
  const text = stateText({ state, reason });
  return reason === 'delinquent' ? `${text} ${amountText(balance_due, currency)}` : text;
}

/** The effect of a tap: `Opened`, `Denied: no valid key`, `Failed: low battery`, `Opened while locked out: A-1`. */
export function activityText(report: ReportSummary): string {
  const text = resultText(report);
  return report.outside_hours === true ? `${text}, outside of hours` : text;
}

function resultText({ event, result, failure_code, denied_units = [] }: ReportSummary): string {
  if (denied_units.length > 0)
    return `${alarmText(denied_units)}: ${denied_units.map(({ unit_name }) => unit_name).join(', ')}`;
  if (result !== 'failure') return EVENTS[event] ?? event;
  const why =
    failure_code === null || failure_code === 'access_denied'
      ? ''
      : `: ${failure_code.replaceAll(/[_.-]+/g, ' ')}`;
  if (event === 'lock') return `Did not lock${why}`;
  return `${isRefusal(failure_code) ? 'Denied' : 'Failed'}${why}`;
}
