import type { CollectionDeclaration, StoredDocument } from '../../documents/document-store.js';
import type { KeptDecision } from '../core/tenant-units.js';

/** One unit's row in the lists by state and location. `_id` is the unit's id. */
export interface UnitAccessDocument extends StoredDocument {
  /** Guard: see `rowRevision`. */
  readonly revision: number;
  readonly company_id: string;
  readonly location_id: string;
  readonly unit_id: string;
  readonly stream: string;
  readonly state: KeptDecision['state'];
}

export const UNIT_ACCESS: CollectionDeclaration<UnitAccessDocument> = {
  name: 'unit_access',
  indexes: {
    by_company: { fields: ['company_id', 'unit_id'] },
    by_company_and_state: { fields: ['company_id', 'state', 'unit_id'] },
    by_location: { fields: ['location_id', 'unit_id'] },
    by_location_and_state: { fields: ['location_id', 'state', 'unit_id'] },
  },
};

const VERSIONS_PER_REVISION = 2 ** 22;

/**
 * Orders what may be said of a unit: by the revision of its facts, and within one revision (which knows only one
 * tenant) by the version of that tenant's document, 0 where there is no tenant.
 */
export function rowRevision(unitRevision: number, tenantVersion: number): number {
  return unitRevision * VERSIONS_PER_REVISION + tenantVersion;
}
