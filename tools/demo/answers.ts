import type { components } from 'storage-access-client';

type Schemas = components['schemas'];

export type SyncShown = Schemas['BulkResult'];
export type TenantAccessShown = Schemas['TenantAccess'];

/** The printed part of a check. */
export interface CheckShown extends Pick<Schemas['Check'], 'name' | 'matched'> {
  readonly looked_at: readonly Pick<Schemas['Check']['looked_at'][number], 'name' | 'value'>[];
}

/** The printed part of a resolution. */
export interface ResolutionShown {
  readonly resolution: readonly Pick<Schemas['Cure'], 'crm_unit_id' | 'field' | 'to'>[] | null;
}

/** The printed part of an event in a unit's history. */
export interface HistoryEntryShown {
  readonly revision: number | null;
  readonly type: string;
  readonly occurred_at: string;
  readonly actor: { readonly kind: string };
  readonly access?: { readonly to: { readonly state: string; readonly reason: string | null } };
  readonly cause?: { readonly kind: string };
}
