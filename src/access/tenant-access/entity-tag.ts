import { hash } from 'node:crypto';
import type { KeyGrant } from '../../locks/index.js';
import type { TenantAccess } from './tenant-access.answer.js';

/**
 * The strong entity tag of an answer: over all of it but `evaluated_at`, so that it stands still while nothing changes. It
 * needs no key made: a key follows from what it is made of.
 * @param keys stands for whatever else keys are made of.
 */
export function entityTagOf(answer: TenantAccess<KeyGrant>, keys: string): string {
  const { tenant, valid_until, refresh_at, units, entry_points } = answer;
  // The members of an answer always come in the same order.
  const matters = JSON.stringify([keys, tenant, valid_until, refresh_at, units, entry_points]);
  return `"${hash('sha256', matters, 'base64url')}"`;
}
