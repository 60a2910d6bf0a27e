import type { TenantAccess } from '#domain/access/index.js';
import { hash } from 'node:crypto';

/**
 * The strong entity tag of an answer, and its length in characters. The tag covers all but `evaluated_at`, so it changes
 * only with the content. It also changes with the secret of the keys.
 */
export function entityTagOf(answer: TenantAccess): { readonly entity_tag: string; readonly length: number } {
  const { tenant, valid_until, refresh_at, units, entry_points, passes } = answer;
  const content = JSON.stringify([tenant, valid_until, refresh_at, units, entry_points, passes]);
  return { entity_tag: `"${hash('sha256', content, 'base64url')}"`, length: content.length };
}
