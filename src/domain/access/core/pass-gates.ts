import { DEFAULT_EXIT_GRACE_MINUTES } from '../../locations/core/hours/access-hours.js';
import type { AccessHours } from '../../locations/core/hours/access-hours.js';
import { ALWAYS, type Passage, passageAt } from '../../locations/core/hours/passage.js';
import type { LocationDetails, EntryPointState } from '../../locations/core/location.state.js';
import type { PassState } from '../../passes/core/pass.state.js';
import type { Calendar } from './calendar-date.js';
import { decideEntryPoint, type EntryPointDecision } from './entry-point.js';

export type PassTimes = Pick<PassState, 'from' | 'hours'>;
export type PlaceOfPass = Pick<LocationDetails, 'access_hours' | 'policy'>;

/**
 * Whether the hours of a pass let somebody through an entry point at an instant (milliseconds). Its own hours replace those
 * of the entry point. Before it begins they are closed.
 */
export function passageOfPass(
  { from, hours }: PassTimes,
  entry_point: Pick<EntryPointState, 'hours'>,
  { access_hours, policy: { timezone } }: PlaceOfPass,
  at: number,
  clock: Calendar,
): Passage {
  const kept = keptHours(hours, entry_point, access_hours);
  const passageThen = (instant: number): Passage =>
    kept === null ? ALWAYS : passageAt({ hours: kept, timezone, clock }, instant);
  if (at >= from) return passageThen(at);
  const first = passageThen(from);
  return { kind: 'closed', opens_at: first.kind === 'closed' ? first.opens_at : from };
}

/** Null: always open. The time to leave is that of the location. */
function keptHours(
  own: PassState['hours'],
  { hours }: Pick<EntryPointState, 'hours'>,
  access_hours: AccessHours | null,
): AccessHours | null {
  if (own === null) return hours === 'always' ? null : access_hours;
  const { exit_grace_minutes = DEFAULT_EXIT_GRACE_MINUTES } = access_hours ?? {};
  return { week: own, exceptions: [], exit_grace_minutes };
}

/** An entry point that a pass names, before or while it is in force. */
export function decidePassGate(
  { in_service }: Pick<EntryPointState, 'in_service'>,
  passage: Passage,
): EntryPointDecision {
  return decideEntryPoint({ in_service, isOpenedByUnit: true, passage });
}
