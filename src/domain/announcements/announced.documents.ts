import type { CollectionDeclaration, StoredDocument } from '#eventsourcing/documents/document-store.js';
import type { Snapshot } from '#eventsourcing/writing/aggregate.js';
import type { AnnouncedState } from './core/announced.state.js';

/** The state of one `access-…` stream at `revision`. `_id` is the stream's name. */
export interface AnnouncedDocument extends StoredDocument, AnnouncedState {
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
}

export const ANNOUNCED_VIEW: CollectionDeclaration<AnnouncedDocument> = { name: 'announced', indexes: {} };

export function toAnnouncedDocument(
  stream: string,
  { state, last_hash, last_at }: Snapshot<AnnouncedState>,
): AnnouncedDocument {
  return { ...state, _id: stream, last_hash, last_at };
}

export function toSnapshot(document: AnnouncedDocument): Snapshot<AnnouncedState> {
  const { revision, last_hash, last_at } = document;
  return { state: document, revision, last_hash, last_at };
}
