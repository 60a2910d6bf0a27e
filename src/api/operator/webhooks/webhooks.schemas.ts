import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { DELIVERY_STATES, DISABLED_REASONS } from '#domain/webhooks/index.js';

const { flag, id, instant, list, named, nullable, object, oneOf, says, text, whole } = schema;

const WEBHOOK = {
  webhook_id: says("The service's identifier of the webhook.", id),
  company_id: field.company_id,
  url: says('Address to which messages are sent.', text),
  types: says('Types of events that are sent. Null: all.', nullable(list(text))),
  description: says('What people wrote about it. Null: nothing.', nullable(text)),
  enabled: says('False: no message is sent.', flag),
  disabled_reason: says(
    'Why the service switched it off: `gone` (410 was answered), `failing` (5 days without one success), `secret_unreadable` (the master secret was replaced) or `restored` (the store is that of a backup). Null if it is on, or if an operator switched it off.',
    nullable(oneOf(DISABLED_REASONS)),
  ),
  failing_since: says(
    'Instant of the first failure since the last success. Null if the last try succeeded.',
    nullable(instant),
  ),
  former_secret_until: says(
    'Until then messages also carry the signature of the secret before. Null: they carry one.',
    nullable(instant),
  ),
  created_at: field.created_at,
};

export const WEBHOOK_SCHEMA = named('Webhook', object(WEBHOOK));

export const ISSUED_WEBHOOK_SCHEMA = named(
  'IssuedWebhook',
  object({
    ...WEBHOOK,
    secret: says(
      'Checks signatures. Shown once. Null in an answer that an `Idempotency-Key` replays, and where it was replaced since.',
      nullable(text),
    ),
  }),
);

export const WEBHOOKS_SCHEMA = named(
  'Webhooks',
  object({ webhooks: says('The webhooks of the company, oldest first.', list(WEBHOOK_SCHEMA)) }),
);

export const DELIVERY_SCHEMA = named(
  'WebhookDelivery',
  object({
    delivery_id: says("The service's identifier of the delivery.", text),
    message_id: says('The header `webhook-id`, the same in every try.', text),
    type: says('Type of the event, or `WebhookTest`.', text),
    state: says('`failed`: there will be no further try.', oneOf(DELIVERY_STATES)),
    created_at: field.created_at,
    next_try_at: says('Instant of the next try. Null if there is none.', nullable(instant)),
    attempts: says(
      'The last 30 tries, oldest first.',
      list(
        object({
          at: says('Instant of the try.', instant),
          status: says('HTTP status of the answer. Null if there was none.', {
            ...nullable(whole),
            examples: [204],
          }),
          answer: says('The first 1,024 bytes of the answer, or why there was none.', text),
        }),
      ),
    ),
  }),
);

export const DELIVERIES_SCHEMA = named(
  'WebhookDeliveryPage',
  object({
    deliveries: says('The deliveries of this page, newest first.', list(DELIVERY_SCHEMA)),
    next_cursor: schema.next_cursor,
  }),
);
