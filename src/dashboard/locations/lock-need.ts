import { type LastReport, LOW_BATTERY } from '#domain/locks/index.js';

/** Why a lock is listed before others. */
export const LOCK_NEEDS = ['battery', 'silent', 'spare', 'none'] as const;
export type LockNeed = (typeof LOCK_NEEDS)[number];

const SILENT_AFTER_MS = 24 * 60 * 60_000;

interface PlacedLock {
  readonly unit_id: string | null;
}

/**
 * A spare lock lies in a drawer: its charge and its silence trouble nobody.
 * @param report undefined if no app has reported from it yet
 * @param now milliseconds
 */
export function needOf({ unit_id }: PlacedLock, report: LastReport | undefined, now: number): LockNeed {
  if (unit_id === null) return 'spare';
  if (report?.battery != null && report.battery.percent < LOW_BATTERY) return 'battery';
  return report !== undefined && now - report.at >= SILENT_AFTER_MS ? 'silent' : 'none';
}
