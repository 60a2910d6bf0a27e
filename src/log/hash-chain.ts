import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import type { Json } from './event-store.js';
import type { EventMetadata } from './domain-event.js';

/** What the first event of a stream links to. */
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
 * SHA-256 (hex) over the hash of the event before it in the stream, which its metadata carries, and everything else
 * that the event says. Changing, removing or moving an event breaks the chain at that event.
 */
export function hashEvent(content: ChainedContent): string {
  const { id, stream, revision, type, data, metadata } = content;
  return hash('sha256', canonicalJson({ data, id, metadata, revision, stream, type } as unknown as Json));
}
