import type { Aggregate, Kind } from '#eventsourcing/writing/aggregate.js';
import { ACCESS_CATEGORY, ACCESS_EVENT_TYPES, type AccessEvent } from '#domain/access/index.js';
import {
  type AnnouncementCommand,
  type AnnouncementRefusal,
  type AnnouncementResult,
  decideAnnouncement,
} from './core/announced.decide.js';
import { type AnnouncedState, evolveAnnounced } from './core/announced.state.js';

export type AnnouncedKind = Kind<
  AnnouncedState,
  AccessEvent,
  AnnouncementCommand,
  AnnouncementResult,
  AnnouncementRefusal
>;

/** Streams `access-{company_id}.{unit_id}`: what was announced about a unit. */
export const ANNOUNCED: Aggregate<AnnouncedKind> = {
  category: ACCESS_CATEGORY,
  types: ACCESS_EVENT_TYPES,
  evolve: evolveAnnounced,
  decide: decideAnnouncement,
};
