import { toTimestamp } from '#kernel/timestamp.js';
import type {
  EntryPointState,
  LocationContact,
  LocationDocument,
  MountedLock,
  Passage,
} from '#domain/locations/index.js';
import type { KeyGrant, KeyIssue } from '#domain/locks/index.js';
import { type PassState, standingOf } from '#domain/passes/index.js';
import type { IdleState } from '#domain/units/index.js';
import { decidePassGate, passageOfPass } from '../core/pass-gates.js';
import { type ShownEntryPoint, showEntryPoint } from './entry-point.answer.js';
import type { GrantContext, ShownKey } from './granted-key.js';

/** A unit that a pass opens: nobody rents it, or it is in auction. */
export interface PassUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly state: IdleState;
  readonly zone_ids: readonly string[];
  readonly locks: readonly MountedLock[];
}

/** A pass that has not ended, with all that its answer depends on. */
export interface HeldPass {
  readonly pass: PassState;
  readonly location: LocationDocument;
  /** Those that it names and the location still has. */
  readonly entry_points: readonly EntryPointState[];
  readonly units: readonly PassUnit[];
}

interface ShownPassLock<Key> extends Partial<ShownKey<Key>> {
  readonly lock_id: string;
  readonly name: string;
}

interface ShownPassUnit<Key> {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly state: IdleState;
  readonly zones: readonly string[];
  readonly locks: readonly ShownPassLock<Key>[];
}

export interface ShownPass<Key = string> {
  readonly pass_id: string;
  readonly location: {
    readonly id: string;
    readonly name: string;
    readonly timezone: string;
    readonly contact: Omit<LocationContact, 'payment_url'>;
  };
  readonly from: string;
  readonly until: string;
  readonly entry_points: readonly Omit<ShownEntryPoint<Key>, 'next_key'>[];
  readonly units: readonly ShownPassUnit<Key>[];
}

export interface AnsweredPass {
  readonly shown: ShownPass<KeyGrant>;
  /** When it begins, or else ends by itself (milliseconds). */
  readonly turns_at: number;
  /** The next instant (milliseconds) at which hours change what it opens. */
  readonly changes_at: number;
  /** The next instant (milliseconds) from which its keys end later. Infinity: it has given none. */
  readonly renews_at: number;
}

const HALF_AN_HOUR_MS = 30 * 60_000;

/** A key ends with the next half hour but one, so that the reads of half an hour give the same key. At most an hour. */
function keyEnd(now: number): number {
  return (Math.floor(now / HALF_AN_HOUR_MS) + 2) * HALF_AN_HOUR_MS;
}

/** @param held a pass that has not ended */
export function answerPass(held: HeldPass, context: GrantContext): AnsweredPass {
  const { pass, location } = held;
  const { now } = context;
  const isBegun = standingOf(pass, now) === 'in_force';
  const gates = held.entry_points.map((gate) => answerGate(gate, held, isBegun, context));
  const units = held.units.map((unit) => showUnit(unit, held, isBegun, context));
  const { phone, email, address } = location.contact;
  const shown: ShownPass<KeyGrant> = {
    pass_id: pass.pass_id,
    location: {
      id: location._id,
      name: location.name,
      timezone: location.policy.timezone,
      contact: { phone, email, address },
    },
    from: toTimestamp(pass.from),
    until: toTimestamp(pass.until),
    entry_points: gates.map((gate) => gate.shown),
    units,
  };
  return {
    shown,
    turns_at: isBegun ? pass.until : pass.from,
    changes_at: Math.min(Infinity, ...gates.map((gate) => gate.changes_at)),
    renews_at: keysIn(shown).length === 0 ? Infinity : keyEnd(now) - HALF_AN_HOUR_MS,
  };
}

function answerGate(gate: EntryPointState, held: HeldPass, isBegun: boolean, context: GrantContext) {
  const { pass, location } = held;
  const passage = passageOfPass(pass, gate, location, context.now, context.calendar);
  const decision = decidePassGate(gate, passage);
  const shown = showEntryPoint(gate, decision);
  const changes_at = hoursChange(passage);
  if (decision.state === 'denied' || !isBegun) return { shown, changes_at };
  const ends = passage.kind === 'passable' ? Math.min(pass.until, passage.ends_at) : pass.until;
  const opened = { lock_id: gate.entry_point_id, unit_id: null, key_format: gate.key_format };
  return { shown: { ...shown, ...keyOf(opened, ends, pass, context) }, changes_at };
}

/** The closing is told from its instant on, and the key ends with the time to leave. */
function hoursChange(passage: Passage): number {
  switch (passage.kind) {
    case 'always':
      return Infinity;
    case 'passable':
      return passage.ends_at;
    case 'closed':
      return passage.opens_at;
  }
}

function showUnit(
  { unit_id, unit_name, state, zone_ids, locks }: PassUnit,
  { pass }: HeldPass,
  isBegun: boolean,
  context: GrantContext,
): ShownPassUnit<KeyGrant> {
  return {
    unit_id,
    unit_name,
    state,
    zones: zone_ids,
    locks: locks.map(({ lock_id, name, key_format }) => ({
      lock_id,
      name,
      ...(isBegun && keyOf({ lock_id, unit_id, key_format }, pass.until, pass, context)),
    })),
  };
}

/** @param right_ends milliseconds */
function keyOf(
  opened: Pick<KeyGrant, 'lock_id' | 'unit_id' | 'key_format'>,
  right_ends: number,
  { pass_id }: PassState,
  { tenant_id, now, sandbox }: GrantContext,
): ShownKey<KeyGrant> {
  const expires_at = Math.min(right_ends, keyEnd(now));
  const key = { ...opened, tenancy_id: pass_id, tenant_id, expires_at, valid_from: null, sandbox };
  return { key, key_expires_at: toTimestamp(expires_at) };
}

/** The grants of all keys of a pass. */
export function keysIn({ entry_points, units }: ShownPass<KeyGrant>): KeyGrant[] {
  const locked = [...units.flatMap(({ locks }) => locks), ...entry_points];
  return locked.flatMap(({ key }) => key ?? []);
}

/** The records of the keys of a pass. */
export function passKeyRecords(shown: ShownPass<KeyGrant>): KeyIssue[] {
  const { pass_id } = shown;
  return keysIn(shown).map(({ lock_id, tenant_id, expires_at, unit_id }) => {
    return { lock_id, tenant_id, expires_at, unit_ids: unit_id === null ? [] : [unit_id], pass_id };
  });
}
