import type { EventTypes } from '#eventsourcing/log/codec.js';
import type { JsonObject, RecordedEvent } from '#eventsourcing/log/event-store.js';

/** Companies as a whole. Null: all, also those that are made later. */
export type ConcernedCompanies = readonly string[] | null;

/** What an event is about, with its id. */
export interface StaffSubject {
  readonly kind: 'company' | 'api_token' | 'webhook' | 'operator' | 'pull_source';
  readonly company_id?: string;
  readonly token_id?: string;
  readonly webhook_id?: string;
  readonly operator_id?: string;
  readonly pull_source_id?: string;
}

/**
 * Streams of which the log of staff tells, and nothing else: what belongs to companies as a whole. Each feature states its
 * own. No field may hold a secret, a hash, or what an erasure must clear.
 */
export interface StaffStreams {
  /** A stream is named by it, a dash and an id. */
  readonly category: string;
  readonly types: EventTypes;
  /** The fields of each event that staff may read. An event that is not here is told nowhere. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /**
   * The event is in the logs of these companies.
   * @param readUpTo reads the events of the stream up to this one, oldest first
   */
  companiesOf(
    event: RecordedEvent,
    readUpTo: () => Promise<readonly RecordedEvent[]>,
  ): ConcernedCompanies | Promise<ConcernedCompanies>;
  subjectOf(event: Pick<RecordedEvent, 'stream' | 'data'>): StaffSubject;
  /** The event's data for a reader who does not see all companies. Absent: it names none but its own. */
  readonly narrowed?: (data: JsonObject, isSeen: (company_id: string) => boolean) => JsonObject;
}

/** Injection token of the {@link StaffStreams} of all features. Without it the log of staff tells of sites alone. */
export const STAFF_STREAMS = Symbol('StaffStreams');
