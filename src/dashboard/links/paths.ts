export function companyPath(company_id: string): string {
  return `/dashboard/companies/${company_id}`;
}

/** The page of the day, of one company. */
export function todayPath(company_id: string): string {
  return `/dashboard?company_id=${company_id}`;
}

export function locationPath(location_id: string): string {
  return `/dashboard/locations/${encodeURIComponent(location_id)}`;
}

/** What a page of equipment lists. */
export type EquipmentKind = 'locks' | 'zones' | 'gates';

/** The page of a location's locks, zones or gates. */
export function equipmentPath(location_id: string, kind: EquipmentKind = 'locks'): string {
  const path = `${locationPath(location_id)}/equipment`;
  return kind === 'locks' ? path : `${path}?of=${kind}`;
}

/** The page of a location's access hours. */
export function hoursPath(location_id: string): string {
  return `${locationPath(location_id)}/hours`;
}

export function contactPath(location_id: string): string {
  return `${locationPath(location_id)}/contact`;
}

/** The page of the texts to a location's tenants. */
export function textsPath(location_id: string): string {
  return `${locationPath(location_id)}/texts`;
}

/** The page of sharing by a location's tenants. */
export function sharingPath(location_id: string): string {
  return `${locationPath(location_id)}/sharing`;
}

/** The page of the passes of a location. */
export function passesPath(location_id: string): string {
  return `${locationPath(location_id)}/passes`;
}

export function passPath(pass_id: string): string {
  return `/dashboard/passes/${encodeURIComponent(pass_id)}`;
}

/** The page of an operator's own morning mails. */
export const SUMMARIES_PATH = '/dashboard/account/summaries';

export function gatePath(entry_point_id: string): string {
  return `/dashboard/entry-points/${entry_point_id}`;
}

/** The page of a zone's units, gates and locks. */
export function zonePath(zone_id: string): string {
  return `/dashboard/zones/${zone_id}`;
}

/** The page on which a manager renames or removes a lock. */
export function lockPath(lock_id: string): string {
  return `/dashboard/locks/${lock_id}`;
}

export function unitPath(unit_id: string): string {
  return `/dashboard/units/${encodeURIComponent(unit_id)}`;
}

export function tenantPath(tenant_id: string): string {
  return `/dashboard/tenants/${encodeURIComponent(tenant_id)}`;
}

export function sourcePath({ pull_source_id }: { readonly pull_source_id: string }): string {
  return `/dashboard/pull-sources/${pull_source_id}`;
}

/** The page on which the webhooks of a company are listed. */
export function webhooksPath(company_id: string): string {
  return `${companyPath(company_id)}/api-tokens`;
}

interface WebhookIds {
  readonly company_id: string;
  readonly webhook_id: string;
}

export function webhookPath({ company_id, webhook_id }: WebhookIds): string {
  return `${companyPath(company_id)}/webhooks/${webhook_id}`;
}
