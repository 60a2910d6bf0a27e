import type { CollectionDeclaration, StoredDocument } from '#eventsourcing/documents/document-store.js';
import type { Snapshot } from '#eventsourcing/writing/aggregate.js';
import type { CompanyState } from './core/company.state.js';

/**
 * The state of a company's stream at `revision`. The next command is decided on it. `_id` is the company's id. A write
 * never replaces a newer revision.
 */
export interface CompanyDocument extends StoredDocument, CompanyState {
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
}

export const COMPANIES: CollectionDeclaration<CompanyDocument> = {
  name: 'companies',
  indexes: { by_created_at: { fields: ['created_at'] }, by_ahead_seconds: { fields: ['ahead_seconds'] } },
};

export function toCompanyDocument({ state, last_hash, last_at }: Snapshot<CompanyState>): CompanyDocument {
  return { ...state, _id: state.company_id, last_hash, last_at };
}

export function toSnapshot(document: CompanyDocument): Snapshot<CompanyState> {
  const { revision, last_hash, last_at } = document;
  return { state: document, revision, last_hash, last_at };
}
