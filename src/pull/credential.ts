import type { SecretBox } from '#kernel/secret-box.js';
import { PullFault } from './fetching/pull-fault.js';
import type { PullSourceRecord } from './pull-sources.js';

/** The value of a source's `Authorization` header. Null if none is sent. @throws PullFault */
export function credentialOf(
  { _id, sealed_auth }: Pick<PullSourceRecord, '_id' | 'sealed_auth'>,
  secrets: SecretBox,
): string | null {
  if (sealed_auth === null) return null;
  const secret = secrets.open(sealed_auth, _id);
  if (secret !== undefined) return secret;
  const message = 'The stored auth_header belongs to another KEY_MASTER_SECRET. Set it again.';
  throw new PullFault('secret_unreadable', message);
}
