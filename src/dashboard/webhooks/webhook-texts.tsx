import type { ResultOf } from '#kernel/result-of.js';
import type { OperatorWebhooks } from '#api/operator/index.js';
import { eventText } from '../parts/labels.js';
import { Mark } from '../parts/states.js';
import { Instant } from '../parts/times.js';

export type Webhook = ResultOf<OperatorWebhooks['readWebhook']>;
export type IssuedWebhook = ResultOf<OperatorWebhooks['addWebhook']>;
type DeliveryPage = ResultOf<OperatorWebhooks['listDeliveries']>;
export type Delivery = DeliveryPage['deliveries'][number];

/** `hooks.example.com/access`: every address of a webhook is https, but on this machine. */
export function addressText(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '');
}

export function typesText(types: Webhook['types']): string {
  return types === null ? 'All events' : types.map(eventText).join(', ');
}

const DISABLED_TEXTS: Readonly<Record<NonNullable<Webhook['disabled_reason']>, string>> = {
  gone: 'Off: the receiver answered 410, which asks for no more messages',
  failing: 'Off: nothing was received for 5 days',
  secret_unreadable: 'Off: its secret cannot be read since the master secret was replaced',
  restored: 'Off: the store was restored or copied',
};

/** Whether messages are sent and received. */
export function WebhookMark({ of: webhook, zone }: { readonly of: Webhook; readonly zone: string }) {
  const { enabled, disabled_reason, failing_since } = webhook;
  if (disabled_reason !== null) return <Mark tone="bad">{DISABLED_TEXTS[disabled_reason]}</Mark>;
  if (!enabled) return <Mark tone="calm">Off</Mark>;
  if (failing_since === null) return <Mark tone="good">On</Mark>;
  return (
    <Mark tone="warn">
      Failing since <Instant at={failing_since} zone={zone} />
    </Mark>
  );
}

const STATE_TEXTS: Readonly<Record<Delivery['state'], string>> = {
  pending: 'Trying again',
  delivered: 'Received',
  failed: 'Failed',
};
const STATE_TONES = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;

export const DELIVERY_FILTERS: readonly (readonly [state: string, text: string])[] = [
  ['', 'All'],
  ...Object.entries(STATE_TEXTS),
];

/** `Received: 204`, `Trying again: no answer`. */
export function DeliveryMark({ of: { state, attempts } }: { readonly of: Delivery }) {
  const last = attempts.at(-1);
  if (last === undefined) return <Mark tone="calm">Not tried yet</Mark>;
  return (
    <Mark tone={STATE_TONES[state]}>
      {STATE_TEXTS[state]}: {last.status ?? 'no answer'}
    </Mark>
  );
}
