import { MOST_WEBHOOKS } from '#domain/companies/index.js';
import { webhookPath } from '../links/paths.js';
import { DrawerButton } from '../parts/drawer.js';
import { EmptyState } from '../parts/empty-state.js';
import { Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { addressText, typesText, type Webhook, WebhookMark } from './webhook-texts.js';

interface WebhookListProps {
  readonly webhooks: readonly Webhook[];
  /** In milliseconds, by `webhook_id`. */
  readonly tries: ReadonlyMap<string, number>;
  readonly zone: string;
}

/** The webhooks of a company. */
export function WebhookList({ webhooks, tries, zone }: WebhookListProps) {
  if (webhooks.length === 0)
    return (
      <EmptyState
        icon="webhook"
        title="No webhooks yet"
        acts={
          <DrawerButton form="webhook" tone="usual">
            Add webhook
          </DrawerButton>
        }
      >
        Add one, and hear of each change within seconds.
      </EmptyState>
    );
  return (
    <Table
      caption="Webhooks"
      head={['Address', 'Events', 'State', 'Last message', 'Added']}
      fits={{ Added: 'wide off' }}
      rows={webhooks.map((webhook) => ({
        key: webhook.webhook_id,
        cells: [
          <>
            <a href={webhookPath(webhook)}>{addressText(webhook.url)}</a>
            {webhook.description === null ? null : <span class="sub">{webhook.description}</span>}
          </>,
          typesText(webhook.types),
          <WebhookMark of={webhook} zone={zone} />,
          <Instant at={tries.get(webhook.webhook_id) ?? null} zone={zone} none="none yet" />,
          <Instant at={webhook.created_at} zone={zone} precision="day" />,
        ],
      }))}
    />
  );
}

/** Whether one more may be added, and how many there are. */
export function webhookCount({ length }: readonly Webhook[]) {
  const text = length === 0 ? undefined : `${length} of at most ${MOST_WEBHOOKS}`;
  return { mayAdd: length < MOST_WEBHOOKS, text };
}
