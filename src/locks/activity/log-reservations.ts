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
  readonly tenant_id: string;
  readonly event: ActivityReported;
  /** A revision that the stream had when the event was reserved, -1 for none: the event is behind it or not in the log. */
  readonly head: number;
  readonly expires_at: number;
}

export const LOG_RESERVATIONS: CollectionDeclaration<LogReservation> = {
  name: 'activity_log_ids',
  indexes: { tenant_id: { fields: ['tenant_id'] } },
  expiry: 'expires_at',
};

/** Longer than a report may be late (30 days), so that no repeat of one that is still taken is stored twice. */
const KEPT_FOR = 90 * 24 * 60 * 60_000;

@Injectable()
export class LogReservations {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /** What an event like this one was reserved as, under its `client_log_hash` at its stream. @throws StoreUnavailableError */
  async find(event: ActivityReported): Promise<LogReservation | undefined> {
    return (await this.records.collection(LOG_RESERVATIONS)).get(idOf(event));
  }

  /**
   * Reserves an event, or answers the reservation that was there first.
   * @param head a revision that the stream has, -1 for none.
   * @throws StoreUnavailableError
   */
  async reserve(event: ActivityReported, head: number): Promise<LogReservation> {
    await this.records.collection(LOG_RESERVATIONS);
    const document: LogReservation = {
      _id: idOf(event),
      tenant_id: event.data.tenant_id,
      event,
      head,
      expires_at: event.data.recorded_at + KEPT_FOR,
    };
    const [outcome] = await this.records.write([
      { kind: 'insert', collection: LOG_RESERVATIONS.name, document },
    ]);
    if (outcome?.kind === 'written') return document;
    const first = await this.find(event);
    if (!first) throw new Error('A reservation that was refused as a duplicate does not exist.');
    return first;
  }

  /** Removes every reservation of a tenant. Idempotent. @throws StoreUnavailableError */
  async erasePersonalData(tenant_id: string): Promise<void> {
    const found = await (await this.records.collection(LOG_RESERVATIONS)).findAny('tenant_id', [tenant_id]);
    if (found.length === 0) return;
    await this.records.write(
      found.map(({ _id }) => ({ kind: 'delete', collection: LOG_RESERVATIONS.name, id: _id })),
    );
  }
}

function idOf(event: ActivityReported): string {
  return `${streamOf(event)}|${event.data.tenant_id}|${event.data.client_log_hash}`;
}
