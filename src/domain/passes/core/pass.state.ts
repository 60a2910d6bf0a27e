import type { UnitState } from '#domain/units/core/unit.state.js';
import type { NamedUnit, PassEvent, PassEvents, PassTerms } from './pass.events.js';

const TERMS = [
  'tenant_id',
  'entry_point_ids',
  'units',
  'from',
  'until',
  'hours',
  'reason',
] as const satisfies readonly (keyof PassTerms)[];

/** The state of a pass's stream at `revision`. */
export interface PassState extends PassTerms {
  readonly revision: number;
  readonly pass_id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly issued_at: number;
  /** When it was ended (milliseconds). Null: it was not; it ends by itself at `until`. */
  readonly ended_at: number | null;
  /** When each event happened (milliseconds), by revision. */
  readonly changed_at: readonly number[];
  /** Whom it was for and what it opened, now or before. */
  readonly ever_tenant_ids: readonly string[];
  readonly ever_entry_point_ids: readonly string[];
  readonly ever_unit_ids: readonly string[];
}

type Ever = Pick<PassState, 'ever_tenant_ids' | 'ever_entry_point_ids' | 'ever_unit_ids'>;
const NEVER: Ever = { ever_tenant_ids: [], ever_entry_point_ids: [], ever_unit_ids: [] };

/**
 * Applies one event.
 * @param state undefined before the first event, which is always `PassIssued`
 */
export function evolvePass(state: PassState | undefined, event: PassEvent, revision: number): PassState {
  const { at } = event.data;
  if (event.type === 'PassIssued') {
    const { at: issued_at, ...terms } = event.data;
    return { ...terms, revision, issued_at, ended_at: null, changed_at: [at], ...everAfter(NEVER, terms) };
  }
  if (state === undefined)
    throw new Error(`A pass's stream begins with ${event.type} instead of PassIssued.`);
  const changed_at = [...state.changed_at, at];
  if (event.type === 'PassEnded') return { ...state, ended_at: at, changed_at, revision };
  const after = { ...state, ...changedTerms(event.data) };
  return { ...after, changed_at, revision, ...everAfter(state, after) };
}

function changedTerms(data: PassEvents['PassChanged']): Partial<PassTerms> {
  return Object.fromEntries(TERMS.flatMap((name) => (name in data ? [[name, data[name]]] : [])));
}

function everAfter(before: Ever, terms: PassTerms): Ever {
  const unit_ids = terms.units.map(({ unit_id }) => unit_id);
  return {
    ever_tenant_ids: together(before.ever_tenant_ids, [terms.tenant_id]),
    ever_entry_point_ids: together(before.ever_entry_point_ids, terms.entry_point_ids),
    ever_unit_ids: together(before.ever_unit_ids, unit_ids),
  };
}

function together(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])];
}

export type PassStanding = 'upcoming' | 'in_force' | 'ended';

/** @param at milliseconds, not before the last event */
export function standingOf(
  { from, ended_at, until }: Pick<PassState, 'from' | 'ended_at' | 'until'>,
  at: number,
): PassStanding {
  if (ended_at !== null || at >= until) return 'ended';
  return at < from ? 'upcoming' : 'in_force';
}

/** When a pass ended or will end, in milliseconds. */
export function endOf({ ended_at, until }: Pick<PassState, 'ended_at' | 'until'>): number {
  return Math.min(ended_at ?? Infinity, until);
}

/** Whether a pass in force opens a unit that it has named: nobody has rented it since, and it is not retired. */
export function opensUnit(
  { revision }: NamedUnit,
  { last_let, retired }: Pick<UnitState, 'last_let' | 'retired'>,
): boolean {
  return !retired && (last_let ?? -1) <= revision;
}
