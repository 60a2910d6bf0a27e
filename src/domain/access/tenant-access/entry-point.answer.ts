import { timestampOrNull } from '#kernel/timestamp.js';
import {
  type AccessHours,
  ALWAYS,
  type EntryPointKind,
  type EntryPointState,
  type LocationDocument,
  type NextWindow,
  nextWindowAfter,
  type Passage,
  passageAt,
} from '#domain/locations/index.js';
import type { KeyGrant } from '#domain/locks/index.js';
import { decideEntryPoint, type EntryPointDecision, type EntryPointReason } from '../core/entry-point.js';
import { type GrantContext, keyTo, nextKeyTo, type ShownKey, type ShownNextKey } from './granted-key.js';

export interface ShownEntryPoint<Key = string> extends Partial<ShownKey<Key>> {
  readonly entry_point_id: string;
  readonly name: string;
  readonly kind: EntryPointKind;
  readonly location_id: string;
  readonly zones: readonly string[];
  readonly state: 'permitted' | 'denied';
  /** Null if it is permitted. */
  readonly reason: EntryPointReason | null;
  /** False if the entry point itself is the cause of a denial: out of service, or outside of its hours. */
  readonly would_have_access: boolean;
  readonly opens_at: string | null;
  readonly closes_at: string | null;
  /** A key for the next time it opens. Only if its reader knows such keys. */
  readonly next_key?: ShownNextKey<Key>;
}

/** A permitted unit of the tenant in a zone of the entry point. */
export interface OpeningUnit {
  readonly location: LocationDocument;
  /** The end of its decision (milliseconds); null: never. */
  readonly valid_until: number | null;
  readonly round_the_clock: boolean;
}

interface AnsweredEntryPoint {
  readonly shown: ShownEntryPoint<KeyGrant>;
  /** The next instant (milliseconds) at which hours alone change the answer. */
  readonly changes_at: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** A key for a next opening ends this much after it, so that no key opens longer than docs/locks.md says. */
const LONGEST_NEXT_KEY_MS = 2 * 60 * 60_000;

/** Hours at an instant, with the next time at which they open. */
interface HoursNow {
  readonly passage: Passage;
  readonly next: NextWindow | undefined;
}

const NO_HOURS: HoursNow = { passage: ALWAYS, next: undefined };

/** @param opening the units that open it */
export function answerEntryPoint(
  entry_point: EntryPointState,
  opening: readonly OpeningUnit[],
  context: GrantContext,
): AnsweredEntryPoint {
  const { in_service } = entry_point;
  const [first] = opening;
  const isOpenedByUnit = first !== undefined;
  const hours = isOpenedByUnit ? hoursFor(entry_point, opening, context) : NO_HOURS;
  const decision = decideEntryPoint({ in_service, isOpenedByUnit, passage: hours.passage });
  const shown = showEntryPoint(entry_point, decision);
  if (first === undefined || !in_service) return { shown, changes_at: Infinity };
  const keys = keysTo(entry_point, opening, first.location, hours, context);
  return { shown: { ...shown, ...keys }, changes_at: hoursChangeAfter(context.now, hours) };
}

/** An entry point as it was decided, without a key. */
export function showEntryPoint(
  { entry_point_id, name, kind, location_id, zone_ids }: EntryPointState,
  { state, reason, opens_at, closes_at }: EntryPointDecision,
): ShownEntryPoint<never> {
  return {
    entry_point_id,
    name,
    kind,
    location_id,
    zones: zone_ids,
    state,
    reason,
    would_have_access: reason === null || reason === 'units_denied',
    opens_at: timestampOrNull(opens_at),
    closes_at: timestampOrNull(closes_at),
  };
}

/** Round the clock counts for every entry point that the unit opens. */
function hoursFor(
  { hours }: EntryPointState,
  opening: readonly OpeningUnit[],
  context: GrantContext,
): HoursNow {
  const { location } = opening[0]!;
  const isFree = hours === 'always' || opening.some((unit) => unit.round_the_clock);
  return location.access_hours === null || isFree
    ? NO_HOURS
    : hoursOf(location, location.access_hours, context);
}

/** The hours of an answer: all its entry points are of one location, so they are computed once. */
const computed = new WeakMap<GrantContext, HoursNow>();

function hoursOf({ policy }: LocationDocument, hours: AccessHours, context: GrantContext): HoursNow {
  const known = computed.get(context);
  if (known !== undefined) return known;
  const zoned = { hours, timezone: policy.timezone, clock: context.calendar };
  const now = { passage: passageAt(zoned, context.now), next: nextWindowAfter(zoned, context.now) };
  computed.set(context, now);
  return now;
}

function keysTo(
  { entry_point_id, key_format }: EntryPointState,
  opening: readonly OpeningUnit[],
  location: LocationDocument,
  { passage, next }: HoursNow,
  context: GrantContext,
): Pick<ShownEntryPoint<KeyGrant>, 'key' | 'key_expires_at' | 'next_key'> {
  const opened = { lock_id: entry_point_id, unit_id: null, tenancy_id: null, key_format };
  const units_end = earliestEnd(opening);
  const hours_end = passage.kind === 'passable' ? passage.ends_at : Infinity;
  const right_ends = Math.min(units_end, hours_end);
  const key =
    passage.kind === 'closed'
      ? {}
      : keyTo(opened, right_ends === Infinity ? null : right_ends, location, context);
  const isNextSoon = next !== undefined && next.opens_at <= context.now + DAY_MS;
  if (key_format === 1 || !isNextSoon || units_end <= next.opens_at) return key;
  const expires_at = Math.min(units_end, next.ends_at, next.opens_at + LONGEST_NEXT_KEY_MS);
  return { ...key, next_key: nextKeyTo(opened, { valid_from: next.opens_at, expires_at }, context) };
}

/** The earliest end of the units' decisions. */
function earliestEnd(units: readonly OpeningUnit[]): number {
  return units.reduce((end, { valid_until }) => Math.min(end, valid_until ?? Infinity), Infinity);
}

/** An opening, the end of the time to leave, or the instant from which the next key is given. */
function hoursChangeAfter(now: number, { passage, next }: HoursNow): number {
  const opens_at = next?.opens_at ?? Infinity;
  const next_key_at = opens_at - DAY_MS;
  const changes = [opens_at, next_key_at, passage.kind === 'passable' ? passage.ends_at : Infinity];
  return Math.min(...changes.filter((instant) => instant > now));
}
