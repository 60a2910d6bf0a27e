/** What the demonstration reads of the service's answers: a client's own notes, not the service's types. */

export interface CheckShown {
  readonly number: number;
  readonly name: string;
  readonly matched: boolean;
  readonly looked_at: readonly {
    readonly name: string;
    readonly value: unknown;
    readonly unit_id?: string;
  }[];
}

export interface AccessShown {
  readonly state: string;
  readonly reason: string | null;
  readonly also: readonly string[];
  readonly resolution:
    readonly { readonly crm_unit_id: string; readonly field: string; readonly to: unknown }[] | null;
  readonly valid_until: string | null;
  readonly checks: readonly CheckShown[];
}

export interface UnitShown {
  readonly unit_id: string;
  readonly crm_unit_id: string;
  readonly access: AccessShown;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly last_accessed_at: string | null;
}

export interface WriteShown {
  readonly unit_id: string | null;
  readonly applied_at: string;
  readonly access?: AccessShown;
}

export interface SyncShown {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly errors: readonly { readonly crm_unit_id: string; readonly error: string }[];
}

export interface TenantUnitShown {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly state: string;
  readonly reason: string | null;
  readonly last_accessed_at: string | null;
  readonly locks: readonly {
    readonly lock_id: string;
    readonly name: string;
    readonly key?: string;
    readonly key_expires_at?: string;
  }[];
}

export interface TenantAccessShown {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly units: readonly TenantUnitShown[];
  readonly entry_points: readonly {
    readonly entry_point_id: string;
    readonly name: string;
    readonly state: string;
    readonly would_have_access: boolean;
    readonly key?: string;
    readonly key_expires_at?: string;
  }[];
}

export interface HistoryEntryShown {
  readonly revision: number | null;
  readonly type: string;
  readonly occurred_at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  readonly access?: {
    readonly from: { readonly state: string; readonly reason: string | null } | null;
    readonly to: { readonly state: string; readonly reason: string | null };
  };
  readonly hash: string | null;
  readonly cause?: { readonly kind: string };
}
