import type { VNode } from 'preact';
import type { DeliveryState } from '#domain/webhooks/index.js';
import type { Ids } from '#kernel/ids.js';
import type { Refused } from '../page/page.js';
import { Choice } from '../parts/choice.js';
import { Danger, Form, Kept } from '../parts/form.js';
import { Facts, Section } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { WebhookForm } from './webhook-form.js';
import { DELIVERY_FILTERS, typesText, type Webhook, WebhookMark } from './webhook-texts.js';
import { webhookPath } from '../links/paths.js';

interface WebhookViewProps {
  readonly webhook: Webhook;
  readonly zone: string;
  readonly refused: Refused | undefined;
  readonly ids: Ids;
  /** The filter of the deliveries. */
  readonly state: DeliveryState | undefined;
  readonly deliveries: VNode;
}

/** A webhook with its deliveries. */
export function WebhookView({ webhook, zone, refused, ids, state, deliveries }: WebhookViewProps) {
  const path = webhookPath(webhook);
  const { url, description, types, enabled, former_secret_until, created_at } = webhook;
  return (
    <>
      <Section title="Webhook">
        <Facts
          of={[
            ['Address', url],
            ['What it is for', description ?? ''],
            ['Events', typesText(types)],
            ['State', <WebhookMark of={webhook} zone={zone} />],
            ['Added', <Instant at={created_at} zone={zone} />],
            ...(former_secret_until === null
              ? []
              : [
                  [
                    'Secret',
                    <>
                      Messages carry the signatures of the new and the former one until{' '}
                      <Instant at={former_secret_until} zone={zone} />.
                    </>,
                  ] as const,
                ]),
          ]}
        />
        <div class="acts">
          {enabled ? (
            <Form name="test" action={`${path}/test`} submit="Send a test" refused={refused} />
          ) : null}
          <Form
            name="enabled"
            action={`${path}/enabled`}
            submit={enabled ? 'Switch off' : 'Switch on'}
            tone={enabled ? 'quiet' : 'usual'}
            refused={refused}
          >
            <Kept name="enabled" value={String(!enabled)} />
          </Form>
        </div>
        {enabled ? null : (
          <p class="hint">
            What happens while it is off is not sent later. Switched on, it begins with the next event.
          </p>
        )}
      </Section>
      <Section title="Deliveries" id="deliveries">
        <p class="hint">Each is kept for 30 days after its last try.</p>
        <form class="form line" method="get" action={path} id="form-deliveries">
          <Choice name="state" label="State" options={DELIVERY_FILTERS} chosen={state} />
          <button class="quiet">Show</button>
        </form>
        {deliveries}
      </Section>
      <Section title="Settings" id="settings">
        <WebhookForm name="webhook" action={path} submit="Save" refused={refused} webhook={webhook} />
        <Danger summary="New secret">
          <p>
            It is shown once. For 24 hours messages carry the signatures of both, so that the receiver can be
            changed meanwhile.
          </p>
          <Form
            name="secret"
            action={`${path}/secret`}
            submit="Make a new secret"
            tone="danger"
            refused={refused}
          >
            <Kept name="form_id" value={ids.ulid()} />
          </Form>
        </Danger>
        <Danger summary="Delete">
          <p>Messages that wait are not sent. This cannot be undone.</p>
          <Form name="delete" action={`${path}/delete`} submit="Delete the webhook" tone="danger" />
        </Danger>
      </Section>
    </>
  );
}
