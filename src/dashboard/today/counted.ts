import type { Today } from '#api/operator/index.js';

/** Days are counted anew each 15 minutes. After a longer time, in milliseconds, the service was out. */
const STALE_AFTER_MS = 60 * 60_000;

/** Whether the days before are counted up to now. After an outage they are being counted. */
export function isCounted({ at, last_days: { counted_at } }: Pick<Today, 'at' | 'last_days'>): boolean {
  return counted_at !== null && Date.parse(at) - Date.parse(counted_at) < STALE_AFTER_MS;
}
