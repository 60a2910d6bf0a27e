import type { AccessEvent } from '#domain/access/core/access.events.js';
import type { Decided } from '#eventsourcing/writing/aggregate.js';
import { type AnnouncedState, isAnnounced } from './announced.state.js';

/** Announces what was decided beside what had been announced until then. */
export interface AnnouncementCommand {
  readonly event: AccessEvent;
  /** The revision of the stream that the decision was compared with; -1: it had no events. */
  readonly compared_with: number;
}

/** `overtaken`: another process has announced meanwhile. Look at the unit again. */
export type AnnouncementResult = 'announced' | 'overtaken';

export interface AnnouncementRefusal {
  readonly code: 'history_damaged';
}

export function decideAnnouncement(
  announced: AnnouncedState | undefined,
  { event, compared_with }: AnnouncementCommand,
): Decided<AccessEvent, AnnouncementResult, AnnouncementRefusal> {
  // The decision may be older than what the other process has announced.
  if ((announced?.revision ?? -1) !== compared_with) return { events: [], result: 'overtaken' };
  const events = isAnnounced(announced, event.data.to) ? [] : [event];
  return { events, result: 'announced' };
}
