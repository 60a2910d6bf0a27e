import type { Passage } from '#domain/locations/core/hours/passage.js';

export type EntryPointReason = 'out_of_service' | 'units_denied' | 'outside_hours';

/** What a decision about an entry point depends on. */
interface EntryPointSituation {
  readonly in_service: boolean;
  /** Whether a permitted unit is in one of its zones. */
  readonly isOpenedByUnit: boolean;
  /** Its hours. Always, if it keeps none, or if a unit that opens it is round the clock. */
  readonly passage: Passage;
}

export interface EntryPointDecision {
  readonly state: 'permitted' | 'denied';
  /** Null if it permits. */
  readonly reason: EntryPointReason | null;
  /** The instant (milliseconds) at which it opens. Null if it is open, never opens, or if hours are not the reason. */
  readonly opens_at: number | null;
  /** The instant (milliseconds) of the closing, which is past in the time to leave. Null if it is denied or never closes. */
  readonly closes_at: number | null;
}

interface EntryPointCheck {
  readonly name: EntryPointReason;
  /** The condition, as an English sentence. */
  readonly when: string;
  matches(situation: EntryPointSituation): boolean;
}

/** The checks of an entry point, in their order. The first that matches denies. If none does, it permits. */
export const ENTRY_POINT_CHECKS: readonly EntryPointCheck[] = [
  {
    name: 'out_of_service',
    when: 'The entry point is out of service.',
    matches: ({ in_service }) => !in_service,
  },
  {
    name: 'units_denied',
    when: 'No unit of the tenant in its zones is permitted.',
    matches: ({ isOpenedByUnit }) => !isOpenedByUnit,
  },
  {
    name: 'outside_hours',
    when: 'The entry point keeps the hours of its location, these are closed, the time to leave is over, and no unit that opens it is round the clock.',
    matches: ({ passage }) => passage.kind === 'closed',
  },
];

export function decideEntryPoint(situation: EntryPointSituation): EntryPointDecision {
  const { passage } = situation;
  const reason = ENTRY_POINT_CHECKS.find((check) => check.matches(situation))?.name ?? null;
  const state = reason === null ? 'permitted' : 'denied';
  const opens_at = reason === 'outside_hours' && passage.kind === 'closed' ? orNull(passage.opens_at) : null;
  const closes_at = reason === null && passage.kind === 'passable' ? passage.closes_at : null;
  return { state, reason, opens_at, closes_at };
}

function orNull(instant: number): number | null {
  return instant === Infinity ? null : instant;
}
