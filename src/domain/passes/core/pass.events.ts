/**
 * Storage format: add, never change. Persons appear only by id: name, phone and note of a pass are records. Instants are
 * milliseconds since the epoch.
 */
import type { AccessHours } from '#domain/locations/core/hours/access-hours.js';
import type { EventType } from '#eventsourcing/log/codec.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';

/** Streams are named `pass-{pass_id}`. */
export const PASS_CATEGORY = 'pass';

export const PASS_REASONS = ['vendor', 'inspector', 'staff', 'auction_buyer', 'other'] as const;
export type PassReason = (typeof PASS_REASONS)[number];

/** The week in which a pass opens gates, in the time zone of the location. */
export type PassHours = AccessHours['week'];

/** `revision` is that of the unit's stream when the pass named it. The pass opens the unit until it is let after that. */
export interface NamedUnit {
  readonly unit_id: string;
  readonly revision: number;
}

/** What a pass opens, for whom and when. */
export interface PassTerms {
  readonly tenant_id: string;
  readonly entry_point_ids: readonly string[];
  readonly units: readonly NamedUnit[];
  readonly from: number;
  readonly until: number;
  /** Null: those of each entry point. */
  readonly hours: PassHours | null;
  readonly reason: PassReason;
}

/** `holder_erased`: the personal details of the holder were erased. */
export type PassEndCause = 'requested' | 'holder_erased';

/** The records of a pass. */
export const PASS_DETAILS = ['name', 'note'] as const;
export type PassDetail = (typeof PASS_DETAILS)[number];

interface AtLocation {
  readonly pass_id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly at: number;
}

/** The data of each event, by its type. */
export interface PassEvents {
  readonly PassIssued: AtLocation & PassTerms;
  /** Only what changed. `details`: the records that changed, absent if none did. */
  readonly PassChanged: AtLocation & Partial<PassTerms> & { readonly details?: readonly PassDetail[] };
  readonly PassEnded: AtLocation & { readonly cause: PassEndCause };
}

export type PassEvent = EventOf<PassEvents>;

export const PASS_EVENT_TYPES: Readonly<Record<PassEvent['type'], EventType>> = {
  PassIssued: { schema: 1 },
  PassChanged: { schema: 1 },
  PassEnded: { schema: 1 },
};

export function passStream(pass_id: string): string {
  return `${PASS_CATEGORY}-${pass_id}`;
}
