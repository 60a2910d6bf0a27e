import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import type { DeliveryRecord, WebhookRecord } from '#domain/webhooks/index.js';

/** @param now milliseconds */
export function presentWebhook(webhook: WebhookRecord, now: number) {
  const { _id, company_id, url, types, description, enabled_since, disabled_reason } = webhook;
  const { failing_since, former_secret, created_at } = webhook;
  const until = former_secret === null || former_secret.until <= now ? null : former_secret.until;
  return {
    webhook_id: _id,
    company_id,
    url,
    types,
    description,
    enabled: enabled_since !== null,
    disabled_reason,
    failing_since: timestampOrNull(failing_since),
    former_secret_until: timestampOrNull(until),
    created_at: toTimestamp(created_at),
  };
}

export function presentDelivery(delivery: DeliveryRecord) {
  const { _id, message_id, type, state, created_at, next_try_at, attempts } = delivery;
  return {
    delivery_id: _id,
    message_id,
    type,
    state,
    created_at: toTimestamp(created_at),
    next_try_at: timestampOrNull(next_try_at),
    attempts: attempts.map(({ at, status, answer }) => ({ at: toTimestamp(at), status, answer })),
  };
}
