import { createHash } from 'node:crypto';
import { canonicalJson } from '../../log/canonical-json.js';
import type { Json } from '../../log/event-store.js';
import type { TenantAccess } from './tenant-access.answer.js';

/** The strong entity tag of an answer: over all of it but `evaluated_at`, so that it stands still while nothing changes. */
export function entityTagOf({ tenant, valid_until, units, entry_points }: TenantAccess): string {
  const matters = { tenant, valid_until, units, entry_points } as unknown as Json;
  return `"${createHash('sha256').update(canonicalJson(matters)).digest('base64url')}"`;
}

/**
 * Whether the client holds the answer already (RFC 9110, If-None-Match: a list, compared weakly, or `*`).
 * @param known the header as it came; undefined where there was none.
 */
export function isKnown(known: string | undefined, entity_tag: string): boolean {
  if (known === undefined) return false;
  return known
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === entity_tag || tag === `W/${entity_tag}`);
}
