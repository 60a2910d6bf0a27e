import type { EntryPointState, LocationDocument, MountedLock } from '#domain/locations/index.js';
import type { SubjectUnit } from '../core/subject.js';
import type { HeldPass } from './pass.answer.js';
import type { NamedShare } from './unit-terms.js';

/** A unit that a tenant rents or shares, with everything that its decision and its answer depend on. */
export interface HeldUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly location: LocationDocument;
  readonly relationship: 'primary' | 'shared';
  /** When a share ends by itself (milliseconds). Null: it does not, or the tenant rents the unit. */
  readonly until: number | null;
  /** Of a share that the unit's tenant gave; otherwise null. */
  readonly share_id: string | null;
  /** Who shares a unit that the tenant rents. Some may have ended by themselves. */
  readonly shares: readonly NamedShare[];
  /** The primary tenant's tenancy. A share depends on it too. */
  readonly tenancy_id: string;
  readonly subject: SubjectUnit;
  /** The units of the primary tenant. */
  readonly siblings: readonly SubjectUnit[];
  readonly locks: readonly MountedLock[];
  readonly zone_ids: readonly string[];
  /** Whether its people pass at any hour. */
  readonly round_the_clock: boolean;
  /** Milliseconds, or null if the unit was never unlocked. */
  readonly last_accessed_at: number | null;
}

/** Everything that a tenant has, before decisions. */
export interface TenantHoldings {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly units: readonly HeldUnit[];
  /** All entry points of the location. The answer lists only those that serve a unit of the tenant. */
  readonly entry_points: readonly EntryPointState[];
  /** Passes that have not ended. Some may end before the answer is made. */
  readonly passes: readonly HeldPass[];
}
