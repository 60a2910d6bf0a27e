/**
 * Storage format: add, never change. What concerns a tenant is named here, and nobody: details that changed are told by
 * their fields' names, their values stand in records alone.
 */
import type { EventType } from '../../log/codec.js';
import type { EventOf } from '../../log/domain-event.js';

export const DETAIL_FIELDS = ['name', 'email', 'phone'] as const;
export type DetailField = (typeof DETAIL_FIELDS)[number];

/** Whose account it is. */
interface Whereabouts {
  readonly company_id: string;
  readonly location_id: string;
}

/** The data of each event, by its type. */
export interface TenantEvents {
  /** In the order of `DETAIL_FIELDS`; at least one. */
  readonly TenantDetailsChanged: Whereabouts & { readonly fields: readonly DetailField[] };
  /** From here on no PMS gives the account a person again; only an operator does. */
  readonly TenantErased: Whereabouts;
  /** An operator has ended all sessions of the tenant. */
  readonly TenantSessionsEnded: Whereabouts;
}

export type TenantEvent = EventOf<TenantEvents>;

export const TENANT_CATEGORY = 'tenant';

/** Every type with the schema it is written with. */
export const TENANT_EVENT_TYPES: Readonly<Record<TenantEvent['type'], EventType>> = {
  TenantDetailsChanged: { schema: 1 },
  TenantErased: { schema: 1 },
  TenantSessionsEnded: { schema: 1 },
};

/** The stream of what was done to a tenant's account. */
export function tenantStream(tenant_id: string): string {
  return `${TENANT_CATEGORY}-${tenant_id}`;
}
