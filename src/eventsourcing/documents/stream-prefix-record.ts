import type { CollectionDeclaration, DocumentStore } from './document-store.js';
import { keepOnce } from './kept-once.js';

export interface StreamPrefixRecord {
  readonly _id: 'event_log';
  readonly prefix: string;
}

export const STREAM_PREFIXES: CollectionDeclaration<StreamPrefixRecord> = {
  name: 'stream_prefixes',
  indexes: {},
};

/** The records belong to events under another prefix. With the given prefix the service would find no events. */
export class OtherStreamPrefixError extends Error {
  readonly code = 'other_stream_prefix';

  constructor(known: string, given: string) {
    super(
      `EVENTSTORE_STREAM_PREFIX is "${given}", but these records were made with "${known}". Set it to that: the events have this prefix.`,
    );
  }
}

/** Compares the prefix with the stored one, if there is one. @throws OtherStreamPrefixError */
export async function assertStreamPrefix(records: DocumentStore, prefix: string): Promise<void> {
  const known = await (await records.collection(STREAM_PREFIXES)).get('event_log');
  if (known !== undefined && known.prefix !== prefix) throw new OtherStreamPrefixError(known.prefix, prefix);
}

/**
 * As {@link assertStreamPrefix}, and stores the prefix if none is stored yet.
 * @throws OtherStreamPrefixError, StoreUnavailableError
 */
export async function keepStreamPrefix(records: DocumentStore, prefix: string): Promise<void> {
  const kept = await keepOnce(records, STREAM_PREFIXES, { _id: 'event_log', prefix });
  if (kept.prefix !== prefix) throw new OtherStreamPrefixError(kept.prefix, prefix);
}
