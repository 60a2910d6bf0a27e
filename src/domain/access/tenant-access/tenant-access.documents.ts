import type { CollectionDeclaration, StoredDocument } from '#eventsourcing/documents/document-store.js';
import type { AccessState } from '../core/decision.js';
import type { Bearing, TenantUnit } from '../core/tenant-units.js';

/**
 * All units of one tenant account. Blanket delinquency makes their decisions depend on each other. So they share one
 * document, replaced by compare-and-set: each writer has read all of them (docs/design.md). `_id` is the tenant's id.
 */
export interface TenantAccessDocument extends StoredDocument {
  readonly version: number;
  readonly tenant_id: string;
  readonly company_id: string;
  readonly location_id: string;
  /** The revision of the location's policy that the decisions were made with. */
  readonly policy_revision: number;
  /** The earliest `valid_until` of the decisions; null: never. */
  readonly valid_until: number | null;
  /** The distinct states of the units that the tenant rents. Lists by state find the document by this index. */
  readonly states: readonly AccessState[];
  /** Policies are tried with the tenants whom this index finds. */
  readonly bearings: readonly Bearing[];
  readonly units: readonly TenantUnit[];
}

export const TENANT_ACCESS: CollectionDeclaration<TenantAccessDocument> = {
  name: 'tenant_access',
  indexes: {
    /** Its fields never change, so a reader that pages through a location misses no document. */
    by_location: { fields: ['location_id'] },
    by_location_and_state: { fields: ['location_id', 'states', 'tenant_id'] },
    by_location_and_bearing: { fields: ['location_id', 'bearings', 'tenant_id'] },
    by_valid_until: { fields: ['valid_until'], sparse: true },
    /** The changes that the calendar will make at a location, soonest first. */
    by_location_and_valid_until: { fields: ['location_id', 'valid_until'], sparse: true },
  },
};
