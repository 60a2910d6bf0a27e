import { type Attempt, isGone, isReceived } from './delivery.js';

export const DISABLED_REASONS = ['gone', 'failing', 'secret_unreadable', 'restored'] as const;
/** Why the service switched a webhook off. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Milliseconds without one success (decisions §11). */
const LONGEST_FAILING_MS = 5 * 24 * 60 * 60 * 1_000;

export interface WebhookHealth {
  /** Milliseconds: the first failure after the last success. Null if the last try succeeded. */
  readonly failing_since: number | null;
}

/** What a try changes of its webhook. */
export type HealthChange =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failing_since'; readonly failing_since: number | null }
  | { readonly kind: 'disabled'; readonly reason: DisabledReason };

/** @param now milliseconds */
export function judgeHealth({ failing_since }: WebhookHealth, attempt: Attempt, now: number): HealthChange {
  if (isGone(attempt)) return { kind: 'disabled', reason: 'gone' };
  if (isReceived(attempt)) {
    return failing_since === null ? { kind: 'unchanged' } : { kind: 'failing_since', failing_since: null };
  }
  if (failing_since === null) return { kind: 'failing_since', failing_since: now };
  if (now - failing_since >= LONGEST_FAILING_MS) return { kind: 'disabled', reason: 'failing' };
  return { kind: 'unchanged' };
}
