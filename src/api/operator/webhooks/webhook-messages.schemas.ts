import { EVENT_TYPE_SCHEMA, FED_EVENT_SCHEMA } from '#api/history/index.js';
import type { MessageDescription } from '#web/openapi/answers.js';
import * as schema from '#web/openapi/schemas.js';

const { id, instant, named, object, oneOf, says } = schema;

const { id: position, ...fields } = FED_EVENT_SCHEMA.properties!;

const EVENT_MESSAGE = named(
  'WebhookMessage',
  object({
    type: EVENT_TYPE_SCHEMA,
    timestamp: says('Instant at which it happened.', instant),
    data: says(
      'The entry of `GET /api/v2/events`, with its `id` as `position`.',
      named(
        'WebhookMessageData',
        object({
          position: says(
            'Position of the event. Messages come in no promised order: this orders them.',
            position!,
          ),
          ...fields,
        }),
      ),
    ),
  }),
);

const TEST_MESSAGE = named(
  'WebhookTestMessage',
  object({
    type: says('Tells it from events.', oneOf(['WebhookTest'])),
    timestamp: says('Instant at which an operator sent it.', instant),
    data: says(
      'It has no position.',
      named('WebhookTestData', object({ webhook_id: says("The service's identifier of the webhook.", id) })),
    ),
  }),
);

const HEADERS = {
  'webhook-id': 'Identifies the message: the same in every try. Handle each once.',
  'webhook-timestamp':
    'Instant of this try, in seconds since 1970. Refuse a message of more than 5 minutes ago.',
  'webhook-signature':
    'Signatures by Standard Webhooks, with spaces between them: `v1,` and the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64. For 24 hours after a new secret there are two.',
};

const ANSWERS = {
  '2XX': 'Received. It must come within 15 seconds. The first 1,024 bytes of the answer are kept.',
  '410': 'The receiver wants no more messages: the webhook is switched off.',
  default:
    'Not received. The message is sent again, with the same id and content, up to 9 times over three days.',
};

/** What webhooks receive (decisions §11). */
export const MESSAGES: readonly MessageDescription[] = [
  {
    id: 'receiveEvent',
    summary: 'Something happened in the company',
    description:
      'Sent for each event that `GET /api/v2/events` lists, if the webhook takes its type. At least once, in no promised order. Check the signature over the bytes of the body as they came.',
    body: EVENT_MESSAGE,
    headers: HEADERS,
    answers: ANSWERS,
  },
  {
    id: 'receiveWebhookTest',
    summary: 'An operator tries the webhook',
    description: 'Sent by `POST …/test`, whatever types the webhook takes. It stands for no event.',
    body: TEST_MESSAGE,
    headers: HEADERS,
    answers: ANSWERS,
  },
];
