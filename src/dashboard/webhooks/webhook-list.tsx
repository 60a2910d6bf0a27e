import { MOST_WEBHOOKS } from '#domain/companies/index.js';
import { CopyButton } from '../parts/copy-button.js';
import { Empty, Section, Table } from '../parts/layout.js';
import { companyPath, webhookPath } from '../links/paths.js';
import { addressText, typesText, type Webhook, WebhookMark } from './webhook-texts.js';

interface WebhookListProps {
  readonly company_id: string;
  readonly webhooks: readonly Webhook[];
  readonly zone: string;
}

/** The webhooks of a company. */
export function WebhookList({ company_id, webhooks, zone }: WebhookListProps) {
  const rows = webhooks.map((webhook) => ({
    key: webhook.webhook_id,
    cells: [
      <a href={webhookPath(webhook)}>{addressText(webhook.url)}</a>,
      webhook.description ?? '',
      typesText(webhook.types),
      <WebhookMark of={webhook} zone={zone} />,
    ],
  }));
  return (
    <Section title="Webhooks" id="webhooks">
      {rows.length === 0 ? (
        <Empty>No webhook. One sends each event to a system of yours, signed.</Empty>
      ) : (
        <Table caption="Webhooks" head={['Address', 'What it is for', 'Events', 'State']} rows={rows} />
      )}
      {rows.length < MOST_WEBHOOKS ? (
        <p>
          <a href={`${companyPath(company_id)}/webhooks/new`}>Add a webhook</a>
        </p>
      ) : (
        <p class="hint">A company has at most {MOST_WEBHOOKS}. Delete one to add another.</p>
      )}
    </Section>
  );
}

/** The secret of a webhook, which is shown once. */
export function WebhookSecret({ url, secret }: { readonly url: string; readonly secret: string | null }) {
  if (secret === null)
    return (
      <p class="warning" role="status">
        The signing secret of {addressText(url)} was replaced since this form was sent. It is shown only once.
      </p>
    );
  return (
    <section class="card" role="status">
      <h2>The signing secret of {addressText(url)}</h2>
      <p class="warning">
        It is shown only now. Keep it where secrets are kept; nobody can look it up later.
      </p>
      <code class="secret" id="webhook-secret">
        {secret}
      </code>
      <CopyButton of="webhook-secret" />
    </section>
  );
}
