import type { CollectionDeclaration, StoredDocument } from '#eventsourcing/documents/document-store.js';
import type { Snapshot } from '#eventsourcing/writing/aggregate.js';
import { endOf, type PassState } from './core/pass.state.js';

/** The state of a pass's stream at `revision`. `_id` is the pass's id. An ended pass keeps its document. */
export interface PassDocument extends StoredDocument, PassState {
  /** When it ended or will end, in milliseconds. */
  readonly ends_at: number;
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
}

export const PASSES: CollectionDeclaration<PassDocument> = {
  name: 'passes',
  indexes: {
    by_location: { fields: ['location_id', 'ends_at'] },
    by_tenant: { fields: ['ever_tenant_ids', 'ends_at'] },
    by_entry_point: { fields: ['ever_entry_point_ids', 'ends_at'] },
    by_unit: { fields: ['ever_unit_ids', 'ends_at'] },
  },
};

export function toPassDocument({ state, last_hash, last_at }: Snapshot<PassState>): PassDocument {
  return { ...state, _id: state.pass_id, ends_at: endOf(state), last_hash, last_at };
}

export function toSnapshot(document: PassDocument): Snapshot<PassState> {
  const { revision, last_hash, last_at } = document;
  return { state: document, revision, last_hash, last_at };
}
