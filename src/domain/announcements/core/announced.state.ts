import type { AccessEvent } from '#domain/access/core/access.events.js';
import { type Access, isSameAccess } from '#domain/access/core/policy.js';
import { seenAccessOf } from '#domain/access/core/seen-access.js';

/** What was announced last about a unit: the state of its `access-…` stream at `revision`. */
export interface AnnouncedState extends Access {
  readonly revision: number;
  readonly company_id: string;
  readonly unit_id: string;
  /** When this access began, in milliseconds. Null if it is not known: it was a baseline. */
  readonly effective_at: number | null;
  /** When the tenant began to see it as it is, in milliseconds: a change of the reason alone is none. Null: not known. */
  readonly seen_since: number | null;
}

export function evolveAnnounced(
  before: AnnouncedState | undefined,
  { type, data }: AccessEvent,
  revision: number,
): AnnouncedState {
  const { company_id, unit_id, to } = data;
  const { state, reason } = to;
  const effective_at = type === 'AccessChanged' ? data.effective_at : null;
  const isSeenAsBefore = before !== undefined && seenAccessOf(before) === seenAccessOf(to);
  const seen_since = isSeenAsBefore ? before.seen_since : effective_at;
  return { revision, company_id, unit_id, state, reason, effective_at, seen_since };
}

export function isAnnounced(announced: AnnouncedState | undefined, access: Access): boolean {
  return announced !== undefined && isSameAccess(announced, access);
}
