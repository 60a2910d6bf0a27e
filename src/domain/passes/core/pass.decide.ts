import type { Decided, CommandOf } from '#eventsourcing/writing/aggregate.js';
import { isLet } from '#domain/units/core/unit.state.js';
import { VACANT_FACTS } from '#domain/units/core/fact-catalogue.js';
import type { UnitState } from '#domain/units/core/unit.state.js';
import type {
  NamedUnit,
  PassDetail,
  PassEndCause,
  PassEvent,
  PassHours,
  PassReason,
  PassTerms,
} from './pass.events.js';
import { opensUnit, type PassState, standingOf } from './pass.state.js';

const DAY_MS = 24 * 60 * 60_000;
/** A year. Nobody remembers a longer pass. */
export const LONGEST_PASS_MS = 366 * DAY_MS;

/** A unit that a pass is to open, as it is now. */
export type WantedUnit = Pick<UnitState, 'unit_id' | 'revision' | 'last_let' | 'retired' | 'facts'>;

interface PlaceOfPass {
  readonly pass_id: string;
  readonly company_id: string;
  readonly location_id: string;
}

interface PassCommandFields {
  readonly IssuePass: PlaceOfPass & {
    readonly tenant_id: string;
    readonly entry_point_ids: readonly string[];
    readonly units: readonly WantedUnit[];
    /** Milliseconds. An instant that is past, or null: now. */
    readonly from: number | null;
    readonly until: number;
    readonly hours: PassHours | null;
    readonly reason: PassReason;
  };
  /** Absent fields do not change. */
  readonly ChangePass: {
    readonly tenant_id?: string;
    readonly entry_point_ids?: readonly string[];
    readonly units?: readonly WantedUnit[];
    readonly from?: number | null;
    readonly until?: number;
    readonly hours?: PassHours | null;
    readonly reason?: PassReason;
    /** The records that the same request changes. */
    readonly details?: readonly PassDetail[];
  };
  readonly EndPass: { readonly cause: PassEndCause };
}

export type PassCommand = CommandOf<PassCommandFields>;
type IssuePass = CommandOf<PassCommandFields, 'IssuePass'>;
type ChangePass = CommandOf<PassCommandFields, 'ChangePass'>;

export type PassRefusal =
  | { readonly code: 'pass_not_found' }
  /** It has ended, by itself or by an operator. */
  | { readonly code: 'pass_ended' }
  | { readonly code: 'pass_already_over' }
  | { readonly code: 'pass_ends_before_it_begins' }
  | { readonly code: 'pass_too_long' }
  | { readonly code: 'pass_opens_nothing' }
  /** `indexes`: positions of units that somebody rents, and that are not in auction. */
  | { readonly code: 'units_let'; readonly indexes: readonly number[] };

type PassDecision = Decided<PassEvent, undefined, PassRefusal>;

/** Decides a command on a pass. A command that changes nothing has no events. @param now milliseconds */
export function decidePass(state: PassState | undefined, command: PassCommand, now: number): PassDecision {
  if (command.type === 'IssuePass') return state === undefined ? issue(command, now) : accept();
  if (state === undefined) return { rejected: { code: 'pass_not_found' } };
  const isOver = standingOf(state, now) === 'ended';
  if (command.type === 'EndPass') {
    const { cause } = command;
    return isOver ? accept() : accept({ type: 'PassEnded', data: { ...placeOf(state), cause, at: now } });
  }
  return isOver ? { rejected: { code: 'pass_ended' } } : change(state, command, now);
}

function issue({ type: _, units, from, ...rest }: IssuePass, now: number): PassDecision {
  const begins = Math.max(from ?? now, now);
  const named = namedUnits(units, []);
  const refusal = letUnits(units, named) ?? refuseTerms({ ...rest, from: begins, units: named }, now);
  if (refusal !== undefined) return { rejected: refusal };
  return accept({ type: 'PassIssued', data: { ...rest, units: wanted(named), from: begins, at: now } });
}

function change(
  state: PassState,
  { type: _, units, from, details = [], ...given }: ChangePass,
  now: number,
): PassDecision {
  const named = units === undefined ? state.units : namedUnits(units, state.units);
  const terms = { ...termsOf(state), ...given, units: named, from: beginningAfter(state, from, now) };
  const refusal = letUnits(units ?? [], named) ?? refuseTerms(terms, now);
  if (refusal !== undefined) return { rejected: refusal };
  const changed = differences(state, { ...terms, units: wanted(named) });
  return changedBy(state, changed, details, now);
}

function changedBy(
  state: PassState,
  changed: Partial<PassTerms>,
  details: readonly PassDetail[],
  now: number,
): PassDecision {
  if (Object.keys(changed).length === 0 && details.length === 0) return accept();
  const records = details.length === 0 ? {} : { details };
  return accept({ type: 'PassChanged', data: { ...placeOf(state), ...changed, ...records, at: now } });
}

/** A pass that has begun may be put off, but does not begin again. @param from null: now; undefined: as before */
function beginningAfter(state: PassState, from: number | null | undefined, now: number): number {
  const begins = from === undefined ? state.from : Math.max(from ?? now, now);
  const isBegun = state.from <= now && begins <= now;
  return isBegun ? state.from : begins;
}

/** A unit that was named before, and was not let since, stays named as it was. Undefined: somebody rents it. */
function namedUnits(
  units: readonly WantedUnit[],
  known: readonly NamedUnit[],
): readonly (NamedUnit | undefined)[] {
  return units.map((unit) => {
    const { unit_id, revision, facts } = unit;
    const before = known.find((one) => one.unit_id === unit_id);
    if (before !== undefined && opensUnit(before, unit)) return before;
    return isLet(facts) ? undefined : { unit_id, revision };
  });
}

function letUnits(
  units: readonly WantedUnit[],
  named: readonly (NamedUnit | undefined)[],
): PassRefusal | undefined {
  const indexes = units.flatMap((_, index) => (named[index] === undefined ? index : []));
  return indexes.length === 0 ? undefined : { code: 'units_let', indexes };
}

function wanted(named: readonly (NamedUnit | undefined)[]): NamedUnit[] {
  return named.filter((unit) => unit !== undefined);
}

type Judged = Pick<PassTerms, 'entry_point_ids' | 'from' | 'until'> & { readonly units: readonly unknown[] };

function refuseTerms({ entry_point_ids, units, from, until }: Judged, now: number): PassRefusal | undefined {
  if (entry_point_ids.length === 0 && units.length === 0) return { code: 'pass_opens_nothing' };
  if (until <= now) return { code: 'pass_already_over' };
  if (until <= from) return { code: 'pass_ends_before_it_begins' };
  return until - now > LONGEST_PASS_MS ? { code: 'pass_too_long' } : undefined;
}

function accept(...events: PassEvent[]): PassDecision {
  return { events, result: undefined };
}

function placeOf({ pass_id, company_id, location_id }: PassState): PlaceOfPass {
  return { pass_id, company_id, location_id };
}

function termsOf(state: PassState): PassTerms {
  const { tenant_id, entry_point_ids, units, from, until, hours, reason } = state;
  return { tenant_id, entry_point_ids, units, from, until, hours, reason };
}

function differences(before: PassState, after: PassTerms): Partial<PassTerms> {
  const names = Object.keys(after) as (keyof PassTerms)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/**
 * The command as it was first executed: with the holder and the units of its stored events. By now the units may be let,
 * and the phone may belong to another account.
 */
export function asStored(command: PassCommand, stored: readonly PassEvent[]): PassCommand {
  if (command.type === 'EndPass') return command;
  const [event] = stored;
  if (event === undefined || event.type === 'PassEnded') return command;
  const { tenant_id, units } = event.data;
  return {
    ...command,
    ...(tenant_id !== undefined && { tenant_id }),
    ...(units !== undefined && { units: units.map(asNamed) }),
  };
}

/** A unit as it was when the pass named it. */
function asNamed({ unit_id, revision }: NamedUnit): WantedUnit {
  return { unit_id, revision, last_let: revision, retired: false, facts: VACANT_FACTS };
}
