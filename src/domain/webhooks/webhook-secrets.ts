import { Webhook } from 'standardwebhooks';
import type { Ids } from '#kernel/ids.js';
import type { SecretBox } from '#kernel/secret-box.js';
import type { WebhookRecord } from './webhooks.js';

const PREFIX = 'whsec_';

/** A new secret of 256 random bits, in the form of Standard Webhooks. */
export function makeSecret(ids: Ids): string {
  return PREFIX + Buffer.from(ids.secret(), 'base64url').toString('base64');
}

/** A message as it is signed. */
export interface SignedMessage {
  readonly message_id: string;
  /** Milliseconds. */
  readonly sent_at: number;
  readonly body: string;
}

/** The value of `webhook-signature`. Each secret gives one signature. */
export function signMessage(
  secrets: readonly string[],
  { message_id, sent_at, body }: SignedMessage,
): string {
  return secrets.map((secret) => new Webhook(secret).sign(message_id, new Date(sent_at), body)).join(' ');
}

/** The secrets that sign now. Undefined if the current one belongs to another master secret. */
export function openSecrets(
  { _id, sealed_secret, former_secret }: WebhookRecord,
  box: SecretBox,
  now: number,
): readonly string[] | undefined {
  const current = box.open(sealed_secret, _id);
  if (current === undefined) return undefined;
  if (former_secret === null || former_secret.until <= now) return [current];
  const former = box.open(former_secret.sealed, _id);
  return former === undefined ? [current] : [current, former];
}
