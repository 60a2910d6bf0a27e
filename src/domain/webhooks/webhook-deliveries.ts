import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '#kernel/injection-tokens.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentPage,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { DeliveryProgress, DeliveryState } from './core/delivery.js';

/** One message to one webhook. Instants are in milliseconds. */
export interface DeliveryRecord extends DeliveryProgress {
  readonly _id: string;
  readonly version: number;
  readonly webhook_id: string;
  readonly company_id: string;
  readonly message_id: string;
  readonly type: string;
  /** The JSON that is sent, the same in every try. */
  readonly body: string;
  readonly created_at: number;
}

const DELIVERIES: CollectionDeclaration<DeliveryRecord> = {
  name: 'webhook_deliveries',
  indexes: {
    by_webhook: { fields: ['webhook_id', 'created_at'] },
    by_state: { fields: ['webhook_id', 'state', 'created_at'] },
    by_next_try: { fields: ['webhook_id', 'next_try_at'] },
  },
  expiry: 'expires_at',
};

export interface DeliveryRange {
  /** Undefined: all. */
  readonly state: DeliveryState | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

const COUNTED_PAGE = 1_000;
const NEWEST = 10;

/** The records of messages to webhooks. Every method throws StoreUnavailableError. */
@Injectable()
export class WebhookDeliveries {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  async readDelivery(delivery_id: string): Promise<DeliveryRecord | undefined> {
    return isPossibleId(delivery_id) ? (await this.#open()).get(delivery_id) : undefined;
  }

  /** Newest first. @throws InvalidCursorError */
  async listOfWebhook(
    webhook_id: string,
    { state, limit, cursor }: DeliveryRange,
  ): Promise<DocumentPage<DeliveryRecord>> {
    const index = state === undefined ? 'by_webhook' : 'by_state';
    const equals = state === undefined ? [webhook_id] : [webhook_id, state];
    return (await this.#open()).find(index, { equals, descending: true, limit, cursor });
  }

  /** The messages whose next try is due. The one that is due for the longest time comes first. */
  async listDue(webhook_id: string, now: number, limit: number): Promise<DeliveryRecord[]> {
    const range = { equals: [webhook_id], from: 0, to: now, limit };
    return (await (await this.#open()).find('by_next_try', range)).documents;
  }

  /** @returns milliseconds; undefined if no message waits */
  async readOldestPending(webhook_id: string): Promise<number | undefined> {
    const range = { equals: [webhook_id, 'pending'], limit: 1 };
    return (await (await this.#open()).find('by_state', range)).documents[0]?.created_at;
  }

  /** Of the newest messages: one that waits for a new try may have been tried later. @returns milliseconds */
  async readLastTry(webhook_id: string): Promise<number | undefined> {
    const range = { equals: [webhook_id], descending: true, limit: NEWEST };
    const { documents } = await (await this.#open()).find('by_webhook', range);
    const instants = documents.flatMap(({ attempts }) => attempts.map(({ at }) => at));
    return instants.length === 0 ? undefined : Math.max(...instants);
  }

  async countPending(webhook_id: string): Promise<number> {
    const deliveries = await this.#open();
    let count = 0;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const range = { equals: [webhook_id, 'pending'], limit: COUNTED_PAGE, cursor };
      const page: DocumentPage<DeliveryRecord> = await deliveries.find('by_state', range);
      count += page.documents.length;
      cursor = page.next_cursor;
    }
    return count;
  }

  /** @returns how many were not stored before */
  async insertDeliveries(documents: readonly DeliveryRecord[]): Promise<number> {
    if (documents.length === 0) return 0;
    await this.#open();
    const outcomes = await this.records.write(
      documents.map((document) => ({ kind: 'insert', collection: DELIVERIES.name, document })),
    );
    return outcomes.filter(({ kind }) => kind === 'written').length;
  }

  /**
   * Changes a delivery, and retries on a conflict.
   * @returns the delivery after the change; undefined if it does not exist
   */
  changeDelivery(
    delivery_id: string,
    change: (delivery: DeliveryRecord) => DeliveryProgress,
  ): Promise<DeliveryRecord | undefined> {
    return untilItHolds(async () => {
      const before = await this.readDelivery(delivery_id);
      if (before === undefined) return undefined;
      const document = { ...before, ...change(before), version: before.version + 1 };
      const write = { kind: 'compare_and_set', expected: before.version, document } as const;
      return (await writeOne(this.records, DELIVERIES, write)) === 'written' ? document : OVERTAKEN;
    });
  }

  #open(): Promise<Collection<DeliveryRecord>> {
    return this.records.collection(DELIVERIES);
  }
}
