import { eventsIn, rootOf, type StreamHeads } from './stream-heads.js';
import { isSignedBy, type SigningKey } from './signing-key.js';

/** An audit checkpoint signs the last event of every stream (decisions §7). Storage format: never change. */
export interface AuditCheckpoint {
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  readonly events: number;
  readonly streams: number;
  /** {@link rootOf} the streams' heads. */
  readonly root: string;
  /** The public key, base64 of its SPKI form. */
  readonly key: string;
  /** Ed25519 over {@link signedText}, base64. */
  readonly signature: string;
}

export async function signedCheckpoint(
  heads: StreamHeads,
  at: string,
  key: SigningKey,
): Promise<AuditCheckpoint> {
  const statement = {
    at,
    events: eventsIn(heads),
    streams: heads.size,
    root: await rootOf(heads),
    key: key.name,
  };
  return { ...statement, signature: key.sign(signedText(statement)) };
}

/** True if the signature is right for the checkpoint's own key. */
export function isSigned(checkpoint: AuditCheckpoint): boolean {
  return isSignedBy(checkpoint.key, signedText(checkpoint), checkpoint.signature);
}

function signedText({ at, events, streams, root, key }: Omit<AuditCheckpoint, 'signature'>): string {
  return JSON.stringify({ at, events, streams, root, key });
}
