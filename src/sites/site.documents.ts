import type { CollectionDeclaration } from '../documents/document-store.js';
import type { EntryPointKind } from './core/site.events.js';
import type { LocationPolicy } from './core/location-policy.js';

/**
 * The views of sites. `revision` is the site stream's revision at which the thing itself last changed: the guard that
 * makes a repeated or late write of it a no-op.
 */
interface SiteDocument {
  readonly _id: string;
  readonly revision: number;
  readonly company_id: string;
}

export interface CompanyDocument extends SiteDocument {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}

/** `_id` is the location's id. */
export interface LocationDocument extends SiteDocument {
  readonly location_id: string;
  readonly pms_location_code: string;
  readonly name: string;
  readonly policy: LocationPolicy;
  /** The site stream's revision that last set the policy: that of `LocationAdded` or of the last change. */
  readonly policy_revision: number;
}

/** `_id` is the zone's id. Which units it holds stands in the units' own documents. */
export interface ZoneDocument extends SiteDocument {
  readonly zone_id: string;
  readonly location_id: string;
  readonly name: string;
}

/** `_id` is the entry point's id. */
export interface EntryPointDocument extends SiteDocument {
  readonly entry_point_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly kind: EntryPointKind;
  readonly zone_ids: readonly string[];
  readonly in_service: boolean;
}

/** `_id` is the lock's id. */
export interface LockDocument extends SiteDocument {
  readonly lock_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly serial: string | null;
  /** The unit whose door it is on; null while it is on none. */
  readonly unit_id: string | null;
}

/** What the site knows of a unit; there is none before the unit got its first lock or zone. `_id` is the unit's id. */
export interface UnitSitesDocument extends SiteDocument {
  readonly unit_id: string;
  readonly location_id: string;
  /** In the order they were attached. */
  readonly lock_ids: readonly string[];
  readonly zone_ids: readonly string[];
}

/**
 * How far a company's stream is shown: all other documents, and whatever a policy decides, hold its events up to
 * `revision`. Written after them. `_id` is the company's id.
 */
export interface SiteHeadDocument {
  readonly _id: string;
  readonly revision: number;
}

export const COMPANIES: CollectionDeclaration<CompanyDocument> = {
  name: 'companies',
  indexes: { by_created_at: { fields: ['created_at'] } },
};

export const LOCATIONS: CollectionDeclaration<LocationDocument> = {
  name: 'locations',
  indexes: {
    by_code: { fields: ['company_id', 'pms_location_code'] },
    by_company: { fields: ['company_id'] },
  },
};

export const ZONES: CollectionDeclaration<ZoneDocument> = {
  name: 'zones',
  indexes: { by_location: { fields: ['location_id'] } },
};

export const ENTRY_POINTS: CollectionDeclaration<EntryPointDocument> = {
  name: 'entry_points',
  indexes: { by_location: { fields: ['location_id'] }, by_zone: { fields: ['zone_ids'] } },
};

export const LOCKS: CollectionDeclaration<LockDocument> = {
  name: 'locks',
  indexes: { by_location: { fields: ['location_id'] }, by_unit: { fields: ['unit_id'] } },
};

export const UNIT_SITES: CollectionDeclaration<UnitSitesDocument> = {
  name: 'unit_sites',
  indexes: { by_zone: { fields: ['zone_ids'] } },
};

export const SITE_HEADS: CollectionDeclaration<SiteHeadDocument> = { name: 'site_heads', indexes: {} };

/** Every view collection of this feature, for whoever drops or rebuilds views. */
export const SITE_VIEWS = [COMPANIES, LOCATIONS, ZONES, ENTRY_POINTS, LOCKS, UNIT_SITES, SITE_HEADS] as const;
