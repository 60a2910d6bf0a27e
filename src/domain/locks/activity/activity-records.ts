import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '#kernel/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { type ActivityReported, streamOf } from '../core/activity.events.js';

/** The free text of a report. `_id` is the report's `log_id`. */
interface ActivityMessage extends StoredDocument {
  readonly tenant_id: string;
  readonly text: string;
}

/**
 * The event of a report with a `client_log_id`, reserved before it is appended. For 90 days a repeat gets this event, and
 * another report with the same `client_log_id` is refused. `_id` contains the stream and the tenant.
 */
export interface ReportReservation extends StoredDocument {
  readonly tenant_id: string;
  readonly event: ActivityReported;
  /** The hash of the whole report. */
  readonly body_hash: string;
  /** The stream's revision before the event was reserved; -1: none. The event can only be in the log after it. */
  readonly head: number;
  readonly expires_at: number;
}

export const ACTIVITY_MESSAGES: CollectionDeclaration<ActivityMessage> = {
  name: 'activity_messages',
  indexes: { tenant_id: { fields: ['tenant_id'] } },
};

export const REPORT_RESERVATIONS: CollectionDeclaration<ReportReservation> = {
  name: 'activity_log_ids',
  indexes: { tenant_id: { fields: ['tenant_id'] } },
  expiry: 'expires_at',
};

/** Longer than a report may be late (30 days), so that a repeat is never stored twice. */
const RESERVED_FOR_MS = 90 * 24 * 60 * 60_000;

/** Stores parts of reports outside of the event log, so that they can be erased. Every method throws StoreUnavailableError. */
@Injectable()
export class ActivityRecords {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /** Stores a report's text. A later text for the same report is ignored. */
  async keepText(log_id: string, tenant_id: string, text: string): Promise<void> {
    const document: ActivityMessage = { _id: log_id, tenant_id, text };
    await writeOne(this.records, ACTIVITY_MESSAGES, { kind: 'insert', document });
  }

  /** In the order of `log_ids`; undefined if there was no text, or it was erased. */
  async textsOf(log_ids: readonly string[]): Promise<(string | undefined)[]> {
    if (log_ids.length === 0) return [];
    const found = await (await this.records.collection(ACTIVITY_MESSAGES)).getMany(log_ids);
    return found.map((message) => message?.text);
  }

  /** The reservation with the same `client_log_hash` in the same stream. */
  async reservationOf(event: ActivityReported): Promise<ReportReservation | undefined> {
    return (await this.records.collection(REPORT_RESERVATIONS)).get(idOf(event));
  }

  /**
   * Reserves an event. Answers the earlier reservation if there is one.
   * @param head the stream's revision; -1: none
   */
  async reserve(event: ActivityReported, body_hash: string, head: number): Promise<ReportReservation> {
    const { tenant_id, recorded_at } = event.data;
    const expires_at = recorded_at + RESERVED_FOR_MS;
    const document: ReportReservation = { _id: idOf(event), tenant_id, event, body_hash, head, expires_at };
    const written = await writeOne(this.records, REPORT_RESERVATIONS, { kind: 'insert', document });
    if (written === 'written') return document;
    const first = await this.reservationOf(event);
    if (!first) throw new Error('A reservation that was refused as a duplicate does not exist.');
    return first;
  }

  /** Removes every text and reservation of a tenant. Idempotent. */
  async erasePersonalData(tenant_id: string): Promise<void> {
    const each = [ACTIVITY_MESSAGES, REPORT_RESERVATIONS].map(async (declaration) => {
      const kept = await this.records.collection<StoredDocument>(declaration);
      const found = await kept.findAny('tenant_id', [tenant_id]);
      return found.map(({ _id: id }) => ({ kind: 'delete', collection: declaration.name, id }) as const);
    });
    const removals = (await Promise.all(each)).flat();
    if (removals.length > 0) await this.records.write(removals);
  }
}

function idOf(event: ActivityReported): string {
  return `${streamOf(event)}|${event.data.tenant_id}|${event.data.client_log_hash}`;
}
