import type { DocumentWrite, StoredDocument } from '../documents/document-store.js';
import type { SiteEvent } from './core/site.events.js';
import type { SiteState } from './core/site.state.js';
import type {
  CompanyDocument,
  EntryPointDocument,
  LocationDocument,
  LockDocument,
  UnitSitesDocument,
  ZoneDocument,
} from './site.documents.js';
import { COMPANIES, ENTRY_POINTS, LOCATIONS, LOCKS, UNIT_SITES, ZONES } from './site.documents.js';

/** A document to show, and the collection it belongs to. */
interface Shown {
  readonly collection: string;
  readonly document: (StoredDocument & { readonly revision: number }) | undefined;
}

/**
 * The writes that show what events changed. Each document is made of the state, which may be newer than the events,
 * and carries the revision at which its own thing last changed: applying the writes twice or late changes nothing.
 */
export function viewWrites(events: readonly SiteEvent[], state: SiteState): DocumentWrite[] {
  const writes = new Map<string, DocumentWrite>();
  for (const { collection, document } of events.flatMap((event) => shownBy(event, state))) {
    if (document === undefined) continue;
    writes.set(`${collection}/${document._id}`, { kind: 'put_if_newer', collection, document });
  }
  return [...writes.values()];
}

function shownBy(event: SiteEvent, state: SiteState): Shown[] {
  // The table pairs each type with its own data, which the compiler cannot see through the union.
  const show = SHOWN[event.type] as (data: object, state: SiteState) => Shown[];
  return show(event.data, state);
}

/** Which documents each event touches; a type that is missing here does not compile. */
const SHOWN: {
  readonly [Type in SiteEvent['type']]: (
    data: Extract<SiteEvent, { type: Type }>['data'],
    state: SiteState,
  ) => Shown[];
} = {
  CompanyRegistered: (_, state) => [{ collection: COMPANIES.name, document: companyDocument(state) }],
  // Tokens are records: the log only says who issued and revoked them.
  ApiTokenIssued: () => [],
  ApiTokenRevoked: () => [],
  LocationAdded: ({ location_id }, state) => [location(state, location_id)],
  LocationRenamed: ({ location_id }, state) => [location(state, location_id)],
  LocationPolicyChanged: ({ location_id }, state) => [location(state, location_id)],
  ZoneAdded: ({ zone_id }, state) => [{ collection: ZONES.name, document: zoneDocument(state, zone_id) }],
  UnitZoned: ({ unit_id }, state) => [unit(state, unit_id)],
  UnitUnzoned: ({ unit_id }, state) => [unit(state, unit_id)],
  EntryPointAdded: ({ entry_point_id }, state) => [entryPoint(state, entry_point_id)],
  EntryPointChanged: ({ entry_point_id }, state) => [entryPoint(state, entry_point_id)],
  LockAdded: ({ lock_id }, state) => [lock(state, lock_id)],
  LockAttached: ({ lock_id, unit_id }, state) => [lock(state, lock_id), unit(state, unit_id)],
  LockDetached: ({ lock_id, unit_id }, state) => [lock(state, lock_id), unit(state, unit_id)],
};

function companyDocument({ company_id, name, created_at }: SiteState): CompanyDocument {
  // A company is as it was registered: its document belongs to the stream's first event.
  return { _id: company_id, company_id, name, created_at, revision: 0 };
}

function zoneDocument({ company_id, zones }: SiteState, zone_id: string): ZoneDocument | undefined {
  const known = zones.get(zone_id);
  return known && { _id: zone_id, company_id, ...known };
}

function location({ company_id, locations }: SiteState, location_id: string): Shown {
  const known = locations.get(location_id);
  const document: LocationDocument | undefined = known && { _id: location_id, company_id, ...known };
  return { collection: LOCATIONS.name, document };
}

function entryPoint({ company_id, entry_points }: SiteState, entry_point_id: string): Shown {
  const known = entry_points.get(entry_point_id);
  const document: EntryPointDocument | undefined = known && { _id: entry_point_id, company_id, ...known };
  return { collection: ENTRY_POINTS.name, document };
}

function lock({ company_id, locks }: SiteState, lock_id: string): Shown {
  const known = locks.get(lock_id);
  const document: LockDocument | undefined = known && { _id: lock_id, company_id, ...known };
  return { collection: LOCKS.name, document };
}

function unit({ company_id, units }: SiteState, unit_id: string): Shown {
  const known = units.get(unit_id);
  const document: UnitSitesDocument | undefined = known && { _id: unit_id, company_id, ...known };
  return { collection: UNIT_SITES.name, document };
}
