import type { SeenAccess } from '#domain/access/core/seen-access.js';
import type { LocationNotices, NoticesSince } from '#domain/locations/core/notices.js';

/** A unit that a tenant rents now. Instants are milliseconds by the company's clock. */
export interface PresentUnit {
  readonly unit_id: string;
  readonly tenancy_id: string;
  readonly access: SeenAccess;
  /** When the present access began. 0: before anybody looked. */
  readonly since: number;
  /** When it closes if nothing is written. Null: it does not, or it is not open. */
  readonly closes_at: number | null;
}

/** What a tenant knows of a unit: what it was told, and what stood already when texts were switched on. */
export interface KnownUnit {
  readonly unit_id: string;
  readonly tenancy_id: string;
  readonly moved_in_at: number;
  /** `nothing`: of a unit that the tenant has just rented. */
  readonly knows: 'nothing' | Exclude<SeenAccess, 'not_begun'>;
  /** The closing ahead, and when it was first seen. `seen_at` is 0 if it stood already. */
  readonly closing: { readonly closes_at: number; readonly seen_at: number } | null;
  /** The closings to come that need no text any more. */
  readonly done_closings: readonly number[];
}

/** The settings of a location that say what is told, and when. */
export interface NoticeSite {
  readonly timezone: string;
  readonly notices: LocationNotices;
  readonly since: NoticesSince;
}

export function isAnyOn({ since }: Pick<NoticeSite, 'since'>): boolean {
  return earliestOf(since) !== Infinity;
}

/** A lease that is older when the service hears of it comes from an import, or goes on in another unit. */
const OLDEST_NEW_LEASE_MS = 14 * 24 * 60 * 60_000;

export function isNewLease(lease_begins_at: number | null, heard_at: number): boolean {
  return lease_begins_at === null || lease_begins_at >= heard_at - OLDEST_NEW_LEASE_MS;
}

/** How a tenancy began. Instants are milliseconds. */
export interface Arrival {
  /** When the service heard of it. */
  readonly moved_in_at: number;
  /** Null: not known. */
  readonly lease_begins_at: number | null;
}

/** The first sight of a unit. One that was rented before texts were switched on stands as it is, and so does an import. */
export function meetUnit(
  { unit_id, tenancy_id, access, closes_at }: PresentUnit,
  { moved_in_at, lease_begins_at }: Arrival,
  { site, now }: { readonly site: NoticeSite; readonly now: number },
): KnownUnit {
  const isStanding = moved_in_at < earliestOf(site.since) || !isNewLease(lease_begins_at, moved_in_at);
  const closing = closes_at === null ? null : { closes_at, seen_at: isStanding ? 0 : now };
  const knows = isStanding && access !== 'not_begun' ? access : 'nothing';
  return { unit_id, tenancy_id, moved_in_at, knows, closing, done_closings: [] };
}

/**
 * The unit as it stands when texts are switched on that were off. Nobody has looked at it meanwhile, so a closing that is
 * new to us may be an old one.
 */
export function standingUnit(known: KnownUnit, { closes_at }: Pick<PresentUnit, 'closes_at'>): KnownUnit {
  return { ...known, closing: closes_at === null ? null : { closes_at, seen_at: 0 } };
}

function earliestOf(since: NoticesSince): number {
  const instants = Object.values(since).filter((instant) => instant !== null);
  return Math.min(Infinity, ...instants);
}
