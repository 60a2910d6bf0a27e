import type { Ids } from '#kernel/ids.js';
import { webhookPath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { Drawer, DrawerButton } from '../parts/drawer.js';
import { Danger, Form, Kept } from '../parts/form.js';
import { Facts } from '../parts/layout.js';
import { MoreMenu } from '../parts/more-menu.js';
import { Instant } from '../parts/times.js';
import { WebhookForm } from './webhook-form.js';
import { addressText, typesText, type Webhook, WebhookMark } from './webhook-texts.js';

interface WebhookProps {
  readonly webhook: Webhook;
  readonly refused: Refused | undefined;
  readonly ids: Ids;
}

/** What can be done with a webhook, beside its name. */
export function WebhookActs({ webhook, refused, ids }: WebhookProps) {
  const path = webhookPath(webhook);
  const { enabled } = webhook;
  return (
    <>
      <Form
        name="enabled"
        action={`${path}/enabled`}
        submit={enabled ? 'Switch off' : 'Switch on'}
        tone={enabled ? 'quiet' : 'usual'}
        refused={refused}
      >
        <Kept name="enabled" value={String(!enabled)} />
      </Form>
      <DrawerButton form="webhook" icon={null} tone="usual">
        Settings
      </DrawerButton>
      {enabled ? <Form name="test" action={`${path}/test`} submit="Send a test" refused={refused} /> : null}
      <MoreMenu id="webhook" of={addressText(webhook.url)}>
        <Danger summary="New secret…">
          <p class="small">
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
        <Danger summary="Delete…">
          <p class="small">Messages that wait are not sent. This cannot be undone.</p>
          <Form name="delete" action={`${path}/delete`} submit="Delete the webhook" tone="danger" />
        </Danger>
      </MoreMenu>
    </>
  );
}

/** What a webhook is sent, and whether it is received. */
export function WebhookState({ webhook, zone }: Pick<WebhookProps, 'webhook'> & { readonly zone: string }) {
  const { url, description, types, enabled, former_secret_until, created_at } = webhook;
  return (
    <section class="card" aria-label="Webhook">
      <Facts
        of={[
          ['State', <WebhookMark of={webhook} zone={zone} />],
          ['Address', url],
          ...(description === null ? [] : [['What it is for', description] as const]),
          ['Events', typesText(types)],
          ['Added', <Instant at={created_at} zone={zone} precision="day" />],
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
      {enabled ? null : (
        <p class="hint">
          What happens while it is off is not sent later. Switched on, it begins with the next event.
        </p>
      )}
    </section>
  );
}

/** The form of a webhook's settings, beside its page. */
export function WebhookSettings({ webhook, refused }: Omit<WebhookProps, 'ids'>) {
  const path = webhookPath(webhook);
  return (
    <Drawer form="webhook" title="Settings" {...{ path, refused }}>
      <WebhookForm name="webhook" action={path} submit="Save" {...{ refused, webhook }} />
    </Drawer>
  );
}
