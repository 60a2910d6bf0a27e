import type { AccessChanged } from '#domain/access/core/access.events.js';
import type { Access } from '#domain/access/core/policy.js';
import type { Calendar } from '#domain/access/core/decision.js';
import { SETTLES_AFTER_MS } from './due-notice.js';
import { isNewLease, type KnownUnit } from './known-unit.js';
import { afterNight } from './night.js';
import type { NoticeKind } from './notice-kind.js';
import { tenantAccessOf } from './tenant-access.js';

type Change = AccessChanged['data'];

interface Window {
  readonly timezone: string;
  /** Milliseconds. */
  readonly from: number;
  readonly now: number;
  /** Of the present tenant. Null: not known. */
  readonly lease_begins_at: number | null;
}

/**
 * What would have been told of one unit, had all texts been on. A closing by the calendar counts as one that could have been
 * told before.
 * @param changes announced changes of the unit, oldest first
 */
export function replayChanges(
  changes: readonly Change[],
  { timezone, from, now, lease_begins_at }: Window,
  calendar: Calendar,
): ReadonlySet<NoticeKind> {
  const told = new Set<NoticeKind>();
  let knows = knownFrom(changes[0]?.from ?? null);
  for (const { change, told_at } of settledChanges(changes, { timezone, now }, calendar)) {
    const kind = kindOf(knows, knownFrom(change.to));
    knows = knownFrom(change.to);
    const isImport = kind === 'welcome' && !isNewLease(lease_begins_at, change.effective_at);
    if (kind === undefined || told_at < from || isImport) continue;
    told.add(kind);
    if (kind === 'closed' && change.cause.kind === 'calendar') told.add('closes_in_days');
  }
  return told;
}

/** The changes that held until they may be told. */
function settledChanges(
  changes: readonly Change[],
  { timezone, now }: Pick<Window, 'timezone' | 'now'>,
  calendar: Calendar,
): { readonly change: Change; readonly told_at: number }[] {
  return changes.flatMap((change, index) => {
    const ends_at = changes[index + 1]?.effective_at ?? Infinity;
    const told_at = afterNight(change.effective_at + SETTLES_AFTER_MS, timezone, calendar);
    return told_at <= now && told_at < ends_at ? [{ change, told_at }] : [];
  });
}

function knownFrom(access: Access | null): KnownUnit['knows'] {
  if (access === null || access.state === 'vacant') return 'nothing';
  const present = tenantAccessOf(access);
  return present === 'not_begun' ? 'nothing' : present;
}

function kindOf(knew: KnownUnit['knows'], knows: KnownUnit['knows']): NoticeKind | undefined {
  if (knows === 'nothing' || knew === knows) return undefined;
  if (knows === 'closed') return 'closed';
  return knew === 'nothing' ? 'welcome' : 'opened';
}
