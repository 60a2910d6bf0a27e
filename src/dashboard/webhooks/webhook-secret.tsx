import { ShownOnce } from '../parts/shown-once.js';
import { addressText, type IssuedWebhook } from './webhook-texts.js';

interface WebhookSecretProps {
  readonly of: Pick<IssuedWebhook, 'url' | 'secret'>;
  /** The page without the secret. */
  readonly path: string;
}

/** The secret of a webhook, which is shown once. */
export function WebhookSecret({ of: { url, secret }, path }: WebhookSecretProps) {
  if (secret === null)
    return (
      <p class="warning" role="status">
        The signing secret of {addressText(url)} was replaced since this form was sent. It is shown only once.
      </p>
    );
  const title = `The signing secret of ${addressText(url)}`;
  return <ShownOnce id="webhook-secret" {...{ title, secret, path }} />;
}
