import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '../../config/injection-tokens.js';
import type { CollectionDeclaration, DocumentStore, StoredDocument } from '../../documents/document-store.js';
import type { ActivityReported } from '../core/activity.events.js';
import { streamOf } from '../core/activity.events.js';

/**
 * The event of a report with a `client_log_id`, reserved before it is appended: a repeat, however it words the rest,
 * stands for this event for 90 days. `_id` is scoped to the stream and the tenant, who may count their logs as they like.
 */
export interface LogReservation extends StoredDocument {
  readonly log_id: string;
  readonly recorded_at: number;
  readonly event: ActivityReported;
  /** A revision that the stream had when the event was reserved, -1 for none: the event is behind it or not in the log. */
  readonly head: number;
  readonly expires_at: number;
}

/** In reservations of earlier versions the head is absent: the whole stream is then looked through. */
type StoredReservation = Omit<LogReservation, 'head'> & { readonly head?: number };

export const LOG_RESERVATIONS: CollectionDeclaration<StoredReservation> = {
  name: 'activity_log_ids',
  indexes: {},
  expiry: 'expires_at',
};

/** Longer than a report may be late (30 days), so that no repeat of one that is still taken is stored twice. */
const KEPT_FOR = 90 * 24 * 60 * 60_000;

@Injectable()
export class LogReservations {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /** What an event like this one was reserved as, under its tenant's `client_log_id` at its stream. @throws StoreUnavailableError */
  async find(client_log_id: string, event: ActivityReported): Promise<LogReservation | undefined> {
    const reservations = await this.records.collection(LOG_RESERVATIONS);
    const first = await reservations.get(idOf(client_log_id, event));
    return first && { head: -1, ...first };
  }

  /**
   * Reserves an event, or answers the reservation that was there first.
   * @param head a revision that the stream has, -1 for none.
   * @throws StoreUnavailableError
   */
  async reserve(
    client_log_id: string,
    event: ActivityReported,
    recorded_at: number,
    head: number,
  ): Promise<LogReservation> {
    await this.records.collection(LOG_RESERVATIONS);
    const document: LogReservation = {
      _id: idOf(client_log_id, event),
      log_id: event.data.log_id,
      recorded_at,
      event,
      head,
      expires_at: recorded_at + KEPT_FOR,
    };
    const [outcome] = await this.records.write([
      { kind: 'insert', collection: LOG_RESERVATIONS.name, document },
    ]);
    if (outcome?.kind === 'written') return document;
    const first = await this.find(client_log_id, event);
    if (!first) throw new Error('A reservation that was refused as a duplicate does not exist.');
    return first;
  }
}

function idOf(client_log_id: string, event: ActivityReported): string {
  return `${streamOf(event)}|${event.data.tenant_id}|${client_log_id}`;
}
