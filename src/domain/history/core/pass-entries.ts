import type { PassEvent } from '#domain/passes/core/pass.events.js';
import { endOf, evolvePass, type PassState } from '#domain/passes/core/pass.state.js';
import type { FieldChanges } from './changes.js';
import type { Logged } from './unit-record.js';
import { byPoint, type HistoryPoint } from './window.js';

/** What passes open: the thing whose history is told. */
export type OpenedThing =
  | { readonly kind: 'unit'; readonly unit_id: string }
  | { readonly kind: 'entry_point'; readonly entry_point_id: string };

/** What a pass meant for a thing: it was issued, changed or ended. */
export interface PassEntry extends HistoryPoint {
  readonly kind: 'pass';
  readonly pass_id: string;
  /** Null: the pass ended by itself. */
  readonly event: Logged<PassEvent> | null;
  readonly changes: FieldChanges;
}

/**
 * What passes meant for a thing, oldest first.
 * @param streams of each pass, from its first event on
 * @param now milliseconds: later ends are still to come
 */
export function passEntries(
  streams: readonly (readonly Logged<PassEvent>[])[],
  thing: OpenedThing,
  now: number,
): PassEntry[] {
  const entries = streams.flatMap((events) => entriesOf(events, thing));
  const ends = streams
    .flatMap((events) => endByItself(events, thing, now) ?? [])
    .sort((one, other) => (one.pass_id < other.pass_id ? -1 : 1))
    // Below the place of a change by the calendar: no two entries are at one point.
    .map((end, index) => ({ ...end, position: BigInt(-2 - index) }));
  return [...entries, ...ends].sort(byPoint);
}

function entriesOf(events: readonly Logged<PassEvent>[], thing: OpenedThing): PassEntry[] {
  let state: PassState | undefined;
  return events.flatMap((event): PassEntry[] => {
    const before = state;
    const after = evolvePass(state, event, event.revision);
    state = after;
    const changes = changesBetween(openingOf(before, thing), openingOf(after, thing));
    if (changes === undefined) return [];
    const { instant, position } = event;
    return [{ kind: 'pass', instant, position, pass_id: after.pass_id, event, changes }];
  });
}

function endByItself(
  events: readonly Logged<PassEvent>[],
  thing: OpenedThing,
  now: number,
): Omit<PassEntry, 'position'> | undefined {
  const state = events.reduce<PassState | undefined>(
    (before, event) => evolvePass(before, event, event.revision),
    undefined,
  );
  if (state === undefined || state.ended_at !== null || endOf(state) > now) return undefined;
  const changes = changesBetween(openingOf(state, thing), NOTHING);
  if (changes === undefined) return undefined;
  return { kind: 'pass', instant: state.until, pass_id: state.pass_id, event: null, changes };
}

/** What a pass says of a thing. All null: it does not open it. */
interface Opening {
  readonly opened_by: string | null;
  readonly pass_holder: string | null;
  readonly pass_from: number | null;
  readonly pass_until: number | null;
  readonly pass_reason: string | null;
  /** The week, as JSON. Null: none of its own. */
  readonly pass_hours: string | null;
}

const NOTHING: Opening = {
  opened_by: null,
  pass_holder: null,
  pass_from: null,
  pass_until: null,
  pass_reason: null,
  pass_hours: null,
};

function openingOf(state: PassState | undefined, thing: OpenedThing): Opening {
  if (state === undefined || state.ended_at !== null || !names(state, thing)) return NOTHING;
  const { pass_id, tenant_id, from, until, reason, hours } = state;
  return {
    opened_by: pass_id,
    pass_holder: tenant_id,
    pass_from: from,
    pass_until: until,
    pass_reason: reason,
    pass_hours: hours === null ? null : JSON.stringify(hours),
  };
}

export function names({ entry_point_ids, units }: PassState, thing: OpenedThing): boolean {
  return thing.kind === 'unit'
    ? units.some(({ unit_id }) => unit_id === thing.unit_id)
    : entry_point_ids.includes(thing.entry_point_id);
}

/** Undefined: the event meant nothing for the thing. */
function changesBetween(before: Opening, after: Opening): FieldChanges | undefined {
  const fields = (Object.keys(after) as (keyof Opening)[]).filter((name) => before[name] !== after[name]);
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields.map((name) => [name, { from: before[name], to: after[name] }]));
}

/** A pass at an instant (milliseconds), by its events. Undefined before it was issued. */
export function passAt(events: readonly Logged<PassEvent>[], at: number): PassState | undefined {
  let state: PassState | undefined;
  for (const event of events) {
    if (event.instant > at) break;
    state = evolvePass(state, event, event.revision);
  }
  return state;
}
