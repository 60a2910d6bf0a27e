import type { AccessEvent } from '#domain/access/core/access.events.js';
import { type Access, isSameAccess } from '#domain/access/core/policy.js';

/** What was announced last about a unit: the state of its `access-…` stream at `revision`. */
export interface AnnouncedState extends Access {
  readonly revision: number;
  readonly company_id: string;
  readonly unit_id: string;
  /** When this access began, in milliseconds. Null if it is not known: it was a baseline. */
  readonly effective_at: number | null;
}

export function evolveAnnounced(
  _: AnnouncedState | undefined,
  { type, data }: AccessEvent,
  revision: number,
): AnnouncedState {
  const { company_id, unit_id, to } = data;
  const { state, reason } = to;
  const effective_at = type === 'AccessChanged' ? data.effective_at : null;
  return { revision, company_id, unit_id, state, reason, effective_at };
}

export function isAnnounced(announced: AnnouncedState | undefined, access: Access): boolean {
  return announced !== undefined && isSameAccess(announced, access);
}
