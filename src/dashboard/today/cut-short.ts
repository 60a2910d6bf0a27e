import type { Today } from '#api/operator/index.js';

const DAY_MS = 24 * 60 * 60_000;

interface DayOfCompany {
  readonly company: { readonly created_at: string };
  readonly today: Pick<Today, 'at' | 'changes'>;
}

/** True if too many events of all companies followed to read back to yesterday. */
export function isCutShort({ company: { created_at }, today: { at, changes } }: DayOfCompany): boolean {
  return Date.parse(changes.since) > Math.max(Date.parse(created_at), Date.parse(at) - DAY_MS);
}
