/**
 * Storage format: add, never change. Events contain no personal data: a change names the fields, and only records contain
 * their values.
 */
import type { EventType } from '#eventsourcing/log/codec.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';
import type { LocationNotices } from '#domain/locations/core/notices.js';

export const DETAIL_FIELDS = ['name', 'email', 'phone'] as const;
export type DetailField = (typeof DETAIL_FIELDS)[number];

interface AtLocation {
  readonly company_id: string;
  readonly location_id: string;
}

/**
 * `sent`: the provider has taken it. `failed`: the provider has refused it. `unknown`: nobody can say, and it is not sent
 * again.
 */
export type NotifiedOutcome = 'sent' | 'failed' | 'unknown';

/** The data of each event, by its type. */
export interface TenantEvents {
  /** In the order of `DETAIL_FIELDS`; at least one. */
  readonly TenantDetailsChanged: AtLocation & { readonly fields: readonly DetailField[] };
  /** After this, only an operator can give the account personal details again. */
  readonly TenantErased: AtLocation;
  readonly TenantSessionsEnded: AtLocation;
  /** A text was sent, or may have been (decisions §11). It names neither the phone nor the text. */
  readonly TenantNotified: AtLocation & {
    readonly notice_id: string;
    readonly kind: keyof LocationNotices;
    readonly unit_ids: readonly string[];
    readonly outcome: NotifiedOutcome;
  };
  /** An operator has called the person about a lockout. */
  readonly TenantCalled: AtLocation;
  readonly TenantCallTakenBack: AtLocation;
}

export type TenantEvent = EventOf<TenantEvents>;

export const TENANT_CATEGORY = 'tenant';

export const TENANT_EVENT_TYPES: Readonly<Record<TenantEvent['type'], EventType>> = {
  TenantDetailsChanged: { schema: 1 },
  TenantErased: { schema: 1 },
  TenantSessionsEnded: { schema: 1 },
  TenantNotified: { schema: 1 },
  TenantCalled: { schema: 1 },
  TenantCallTakenBack: { schema: 1 },
};

export function tenantStream(tenant_id: string): string {
  return `${TENANT_CATEGORY}-${tenant_id}`;
}
