import type { Today } from '#api/operator/index.js';
import { isFresh } from '../site/counted.js';

/** Whether the days before are counted up to now. After an outage they are being counted. */
export function isCounted({ at, last_days: { counted_at } }: Pick<Today, 'at' | 'last_days'>): boolean {
  return counted_at !== null && isFresh(Date.parse(counted_at), Date.parse(at));
}
