import {
  type DescribedUnit,
  type OutsideCause,
  presentPolicy,
  presentExplainedUnit,
  presentValue,
  type UnitEntryPoint,
} from '#domain/access/index.js';
import { toTimestamp, timestampOrNull } from '#kernel/timestamp.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import { toUnitDocument } from '#domain/units/index.js';
import type { NameOf } from './actor-names.js';
import type { UnitAsOf } from './core/as-of.js';
import type { ChangedValue, FieldChanges } from './core/changes.js';
import type { EntryPointEntry } from './core/entry-point-entries.js';
import type { PassEntry } from './core/pass-entries.js';
import type { AccessChange, TimelineEntry } from './core/timeline.js';

/** An entry of a unit's history as the API shows it. */
export interface HistoryEntry {
  /** Revision of the stored event. Null for a computed change. */
  readonly revision: number | null;
  /** The stored event's type. For a computed change `AccessChanged`, or `UnitShareEnded` if access did not change. */
  readonly type: string;
  readonly occurred_at: string;
  /** With the name of now. */
  readonly actor: Actor & { readonly name: string | null };
  readonly command_id: string | null;
  readonly request_id: string | null;
  /** Amounts are decimal numbers, instants are timestamps. */
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  /** Present if access changed. */
  readonly access?: AccessChange;
  readonly hash: string | null;
  /** Present if the change is computed. */
  readonly cause?: OutsideCause;
  /** Present if it is about a pass that opens the unit. */
  readonly pass_id?: string;
}

/** An entry that is not about the access of a unit. */
export type EntryPointHistoryEntry = Omit<HistoryEntry, 'access'>;

export function presentEntry(entry: TimelineEntry | PassEntry, nameOf: NameOf = () => null): HistoryEntry {
  const occurred_at = toTimestamp(entry.instant);
  if (entry.kind === 'pass') return presentPassEntry(entry, nameOf);
  if (entry.kind === 'computed') {
    const { cause, changes, access } = entry;
    return {
      revision: null,
      type: access === null ? 'UnitShareEnded' : 'AccessChanged',
      occurred_at,
      actor: { kind: 'system', id: cause.kind, name: null },
      command_id: null,
      request_id: null,
      changes: presentChanges(changes),
      ...(access === null ? {} : { access }),
      hash: null,
      cause,
    };
  }
  const access = entry.access === null ? {} : { access: entry.access };
  return { ...presentStoredEntry(entry, nameOf), ...access };
}

type StoredEntry = EntryPointEntry | Extract<TimelineEntry, { readonly kind: 'recorded' }>;

export function presentStoredEntry(
  { instant, event, changes }: StoredEntry,
  nameOf: NameOf,
): EntryPointHistoryEntry {
  const { revision, type, metadata } = event;
  const { actor, command_id, request_id, hash } = metadata;
  return {
    revision,
    type,
    occurred_at: toTimestamp(instant),
    actor: { ...actor, name: nameOf(actor) },
    command_id,
    request_id,
    changes: presentChanges(changes),
    hash,
  };
}

/** What a pass meant for what it opens. Its event is of the stream of the pass, so it has no revision here. */
export function presentPassEntry(
  { instant, event, changes, pass_id }: PassEntry,
  nameOf: NameOf,
): EntryPointHistoryEntry {
  const entry = {
    revision: null,
    type: event?.type ?? 'PassEnded',
    occurred_at: toTimestamp(instant),
    changes: presentChanges(changes),
    pass_id,
  };
  if (event === null) {
    const actor = { kind: 'system', id: 'calendar', name: null } as const;
    const cause = { kind: 'calendar' } as const;
    return { ...entry, actor, command_id: null, request_id: null, hash: null, cause };
  }
  const { actor, command_id, request_id, hash } = event.metadata;
  return { ...entry, actor: { ...actor, name: nameOf(actor) }, command_id, request_id, hash };
}

/** A unit with its decision at an instant (milliseconds), in the form in which reads of the present describe it. */
export function describedThen(
  { unit, head, location, decision }: UnitAsOf,
  at: number,
  last_accessed_at: number | null,
): DescribedUnit {
  const { hash } = head.metadata;
  return {
    unit: toUnitDocument(head.stream, { state: unit, revision: unit.revision, last_hash: hash, last_at: at }),
    location: { ...location, _id: location.location_id },
    decision,
    last_accessed_at,
  };
}

/** A unit as a read at an instant would have shown it, with the policy of that instant. */
export function presentAsOf(described: DescribedUnit, entryPoints: readonly UnitEntryPoint[], at: number) {
  const policy = presentPolicy(described.location.policy);
  const entry_points = entryPoints.map(presentEntryPoint);
  return { at: toTimestamp(at), ...presentExplainedUnit(described), policy, entry_points };
}

export function presentEntryPoint({ entry_point_id, state, reason, opens_at, closes_at }: UnitEntryPoint) {
  return {
    entry_point_id,
    state,
    reason,
    opens_at: timestampOrNull(opens_at),
    closes_at: timestampOrNull(closes_at),
  };
}

/** The answer of {@link presentAsOf}. */
export type UnitAtInstant = ReturnType<typeof presentAsOf>;

function presentChanges(changes: FieldChanges): HistoryEntry['changes'] {
  return Object.fromEntries(
    Object.entries(changes).map(([name, { from, to }]) => [
      name,
      { from: presentField(name, from), to: presentField(name, to) },
    ]),
  );
}

const INSTANTS: ReadonlySet<string> = new Set(['expires_at', 'shared_until', 'pass_from', 'pass_until']);

function presentField(name: string, value: ChangedValue): unknown {
  return INSTANTS.has(name) ? timestampOrNull(value as number | null) : presentValue(name, value);
}
