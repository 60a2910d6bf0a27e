import type { AccessCause } from '#domain/access/index.js';

export const ANNOUNCED_CAUSES: readonly AccessCause['kind'][] = ['write', 'calendar', 'unit', 'policy'];

/** Counts announcements, for metrics. */
export abstract class AnnouncementObserver {
  /** Must not throw. */
  abstract countAnnouncement(cause: AccessCause['kind']): void;
}
