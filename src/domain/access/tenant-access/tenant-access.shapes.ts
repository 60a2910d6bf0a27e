import type { KeyGrant } from '#domain/locks/index.js';
import type { AccessReason, AccessState } from '../core/decision.js';
import type { ShownEntryPoint } from './entry-point.answer.js';
import type { ShownKey } from './granted-key.js';
import type { ShownPass } from './pass.answer.js';
import type { ShownContact, UnitTerms } from './unit-terms.js';

/** Has a key only if the tenant may open the lock. */
export interface ShownLock<Key> extends Partial<ShownKey<Key>> {
  readonly lock_id: string;
  readonly name: string;
}

export type ShownUnit<Key> = AnyShownUnit<Key> & UnitTerms;

interface AnyShownUnit<Key> {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly location: {
    readonly id: string;
    readonly name: string;
    readonly timezone: string;
    readonly contact: ShownContact;
  };
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  readonly last_accessed_at: string | null;
  /** The ids of its zones: an entry point with one of them opens for it. */
  readonly zones: readonly string[];
  readonly locks: readonly ShownLock<Key>[];
}

/** The data of `GET /tenant/access` (decisions §5). `Key` is the key, or the grant that a key is made from. */
export interface TenantAccess<Key = string> {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly evaluated_at: string;
  readonly valid_until: string | null;
  /** The app should ask again at this instant: a decision or a key ends, or six hours are over. */
  readonly refresh_at: string;
  readonly units: readonly ShownUnit<Key>[];
  readonly entry_points: readonly ShownEntryPoint<Key>[];
  /** Apart from units and entry points: nobody rents or shares these. */
  readonly passes: readonly ShownPass<Key>[];
}

/** An answer before keys are made: each key is the grant that it is made from. */
export type GrantedAccess = TenantAccess<KeyGrant>;
