import { hash } from 'node:crypto';
import type { TenantAccess } from './tenant-access.answer.js';

/**
 * The strong entity tag of an answer, and its length in characters. The tag covers all but `evaluated_at`: it stands still while
 * nothing changes, and changes with the secret that keys are made with.
 */
export function entityTagOf(answer: TenantAccess): { readonly entity_tag: string; readonly length: number } {
  const { tenant, valid_until, refresh_at, units, entry_points } = answer;
  // The members of an answer always come in the same order.
  const matters = JSON.stringify([tenant, valid_until, refresh_at, units, entry_points]);
  return { entity_tag: `"${hash('sha256', matters, 'base64url')}"`, length: matters.length };
}
