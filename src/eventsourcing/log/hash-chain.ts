import { hash } from 'node:crypto';
import type { Json } from './event-store.js';
import type { EventMetadata } from './domain-event.js';
import { canonicalJson } from './canonical-json.js';

/** The `previous_hash` of a stream's first event. */
export const NO_PREVIOUS_HASH = '0'.repeat(64);

export interface ChainedContent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: object;
  readonly metadata: Omit<EventMetadata, 'hash'>;
}

/**
 * SHA-256 (hex) over an event's whole content and the hash of the event before it in the stream. An event that is
 * changed, removed or moved breaks the chain there.
 */
export function hashEvent(content: ChainedContent): string {
  const { id, stream, revision, type, data, metadata } = content;
  return hash('sha256', canonicalJson({ data, id, metadata, revision, stream, type } as unknown as Json));
}
