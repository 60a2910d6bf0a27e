import type { Aggregate, Kind } from '#eventsourcing/writing/aggregate.js';
import { decideTenant, evolveTenant, type TenantCommand, type TenantState } from './core/tenant.decide.js';
import { TENANT_CATEGORY, TENANT_EVENT_TYPES, type TenantEvent } from './core/tenant.events.js';

export type TenantKind = Kind<TenantState, TenantEvent, TenantCommand, undefined, never>;

/** Streams `tenant-{tenant_id}`. */
export const TENANT: Aggregate<TenantKind> = {
  category: TENANT_CATEGORY,
  types: TENANT_EVENT_TYPES,
  evolve: evolveTenant,
  decide: decideTenant,
};
