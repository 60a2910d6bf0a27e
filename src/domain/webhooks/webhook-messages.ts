import { hashOf } from '#kernel/credential-hash.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { EventFeed } from '#domain/history/index.js';
import { startDelivery } from './core/delivery.js';
import type { DeliveryRecord } from './webhook-deliveries.js';
import type { WebhookRecord } from './webhooks.js';

type FeedEntry = Awaited<ReturnType<EventFeed['readEntries']>>['entries'][number];

/** The type of a message that an operator sends to try a webhook. */
export const TEST_TYPE = 'WebhookTest';

type Receiver = Pick<WebhookRecord, '_id' | 'company_id'>;

interface Message {
  /** Identifies the content. The same content has the same id in every process. */
  readonly identity: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

/** The message of an event, which the feed shows as `entry`. @param now milliseconds */
export function makeEventMessage(
  webhook: Receiver,
  { entry, event }: FeedEntry,
  now: number,
): DeliveryRecord {
  const { id: position, ...rest } = entry;
  return makeDelivery(
    webhook,
    {
      identity: identityOf(event),
      type: entry.type,
      timestamp: entry.occurred_at,
      data: { position, ...rest },
    },
    now,
  );
}

export function makeTestMessage(
  webhook: Receiver,
  { test_id, timestamp, now }: { readonly test_id: string; readonly timestamp: string; readonly now: number },
): DeliveryRecord {
  const data = { webhook_id: webhook._id };
  return makeDelivery(webhook, { identity: test_id, type: TEST_TYPE, timestamp, data }, now);
}

function makeDelivery(
  { _id: webhook_id, company_id }: Receiver,
  { identity, type, timestamp, data }: Message,
  now: number,
): DeliveryRecord {
  const delivery_id = hashOf(`${webhook_id} ${identity}`).slice(0, 32);
  return {
    _id: delivery_id,
    version: 1,
    webhook_id,
    company_id,
    message_id: `msg_${delivery_id}`,
    type,
    body: JSON.stringify({ type, timestamp, data }),
    created_at: now,
    ...startDelivery(now),
  };
}

/** After the restore of a backup a position may come again with another event. Its hash differs. */
function identityOf({ stream, revision, metadata }: RecordedEvent): string {
  return `${stream} ${revision} ${metadata['hash'] as string}`;
}
