import type { CollectionDeclaration, StoredDocument } from '../../documents/document-store.js';
import type { AccessReason, AccessState } from '../core/decision.js';
import type { SubjectUnit } from '../core/subject.js';

/** What of a decision is kept beside the facts it was made of. */
export interface KeptDecision {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  /** Milliseconds, or null for never. */
  readonly valid_until: number | null;
}

/** The tenant rents the unit. Carries all that the decisions of the tenant's units are made of. */
export interface RentedUnit {
  readonly relationship: 'primary';
  readonly unit_id: string;
  readonly stream: string;
  /** The unit's stream revision that this entry shows. */
  readonly revision: number;
  readonly crm_unit_id: string;
  readonly tenancy_id: string;
  readonly subject: SubjectUnit;
  readonly decision: KeptDecision;
}

/** The tenant shares the unit, or had it before: evidence may still come from either. */
export interface RelatedUnit {
  readonly relationship: 'shared' | 'former';
  readonly unit_id: string;
  readonly stream: string;
  readonly revision: number;
}

export type TenantUnit = RentedUnit | RelatedUnit;

/**
 * All units of one tenant account. Blanket delinquency ties their decisions together, so they stand in one document
 * that is replaced by compare-and-set: whoever writes last has read all (docs/design.md). `_id` is the tenant's id.
 */
export interface TenantAccessDocument extends StoredDocument {
  readonly version: number;
  readonly company_id: string;
  readonly location_id: string;
  /** The revision of the location's policy that the decisions were made with. */
  readonly policy_revision: number;
  /** The first instant at which a kept decision may differ without a write; null for never. */
  readonly valid_until: number | null;
  readonly units: readonly TenantUnit[];
}

export const TENANT_ACCESS: CollectionDeclaration<TenantAccessDocument> = {
  name: 'tenant_access',
  indexes: {
    by_location: { fields: ['location_id'] },
    by_valid_until: { fields: ['valid_until'] },
    by_company_and_valid_until: { fields: ['company_id', 'valid_until'] },
  },
};
