import type { AccessChanged } from '#domain/access/core/access.events.js';
import type { Access } from '#domain/access/core/policy.js';
import type { Calendar } from '#domain/access/core/decision.js';
import { type SeenAccess, seenAccessOf } from '#domain/access/core/seen-access.js';
import { SETTLES_AFTER_MS } from './due-notice.js';
import { isNewLease, type KnownUnit } from './known-unit.js';
import { afterNight } from './night.js';
import type { NoticeKind } from './notice-kind.js';

type Change = Pick<AccessChanged['data'], 'from' | 'to' | 'effective_at' | 'cause'>;

/** What was announced last about a unit, as the view has it. */
export interface LastAnnounced extends Access {
  /** Of its event. */
  readonly revision: number;
  /** Milliseconds. Null: it was a baseline. */
  readonly effective_at: number | null;
}

interface Window {
  readonly timezone: string;
  /** Milliseconds. */
  readonly from: number;
  readonly now: number;
  /** Of the present tenant. Null: not known. */
  readonly lease_begins_at: number | null;
}

/**
 * What would have been told of one unit, had all texts been on. A tenancy that an import brings stands as it is: its first
 * state is known, and not told. A closing by the calendar counts as one that could have been told before.
 * @param changes announced changes of the unit, oldest first
 */
export function replayChanges(
  changes: readonly Change[],
  { timezone, from, now, lease_begins_at }: Window,
  calendar: Calendar,
): ReadonlySet<NoticeKind> {
  const told = new Set<NoticeKind>();
  let knows = knownBefore(changes[0]);
  for (const change of datedChanges(changes, { timezone, now }, calendar)) {
    const { kind, knows: knowsNow } = learn(knows, change, lease_begins_at);
    knows = knowsNow;
    if (kind === undefined || change.told_at === null || change.told_at < from) continue;
    told.add(kind);
    if (kind === 'closed' && change.cause.kind === 'calendar') told.add('closes_in_days');
  }
  return told;
}

/** The same for a unit of which one change was ever announced, by the view alone. Undefined: its events say more. */
export function replayOnlyChange(
  { revision, state, reason, effective_at }: LastAnnounced,
  window: Window,
  calendar: Calendar,
): ReadonlySet<NoticeKind> | undefined {
  if (revision !== 0 || effective_at === null) return undefined;
  const change = {
    from: null,
    to: { state, reason },
    effective_at,
    cause: { kind: 'write', revision: 0 },
  } as const;
  const told = replayChanges([change], window, calendar);
  // The view does not say why a unit closed, and that decides whether it could have been told before.
  return told.has('closed') ? undefined : told;
}

interface DatedChange extends Change {
  /** When it may be told, in milliseconds. Null: not yet, or another change came before. */
  readonly told_at: number | null;
}

function datedChanges(
  changes: readonly Change[],
  { timezone, now }: Pick<Window, 'timezone' | 'now'>,
  calendar: Calendar,
): DatedChange[] {
  return changes.map((change, index) => {
    const ends_at = changes[index + 1]?.effective_at ?? Infinity;
    const told_at = afterNight(change.effective_at + SETTLES_AFTER_MS, timezone, calendar);
    return { ...change, told_at: told_at <= now && told_at < ends_at ? told_at : null };
  });
}

function knownBefore(change: Change | undefined): KnownUnit['knows'] {
  const access = change?.from ?? null;
  if (access === null || access.state === 'vacant') return 'nothing';
  const present = seenAccessOf(access);
  return present === 'not_begun' ? 'nothing' : present;
}

interface Learnt {
  readonly knows: KnownUnit['knows'];
  /** Undefined: nothing is told. */
  readonly kind?: NoticeKind | undefined;
}

/** What the tenant knows after a change, and by which text. */
function learn(
  knew: KnownUnit['knows'],
  { to, effective_at, told_at }: DatedChange,
  lease_begins_at: number | null,
): Learnt {
  if (to.state === 'vacant') return { knows: 'nothing' };
  const present = seenAccessOf(to);
  if (present === 'not_begun') return { knows: knew };
  if (knew === 'nothing' && !isNewLease(lease_begins_at, effective_at)) return { knows: present };
  return told_at === null ? { knows: knew } : { knows: present, kind: kindOf(knew, present) };
}

function kindOf(knew: KnownUnit['knows'], knows: SeenAccess): NoticeKind | undefined {
  if (knew === knows) return undefined;
  if (knows === 'closed') return 'closed';
  return knew === 'nothing' ? 'welcome' : 'opened';
}
