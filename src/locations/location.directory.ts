import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { beginningsOf, isCalled, searchName } from '../base/core/search-name.js';
import { VIEWS } from '../config/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  FindOptions,
  DocumentPage,
  StoredDocument,
} from '../documents/document-store.js';
import { wholeList } from '../documents/pages.js';
import { isPossibleId } from '../http/possible-id.js';
import type {
  EntryPoint,
  LocationDocument,
  LockDocument,
  UnitZonesAndLocksDocument,
  Zone,
} from './location.documents.js';
import { LOCATION_HEADS, LOCATIONS, LOCKS, UNIT_ZONES_AND_LOCKS } from './location.documents.js';

const CACHED_LOCATIONS = 1_000;

/** Appended to a prefix, it sorts after every text with that prefix. */
const LAST = '\u{10FFFF}';

type PageRange = Pick<FindOptions, 'cursor' | 'limit'>;

/**
 * Reads locations, zones, entry points and locks from the views, which contain every answered write. Ids may belong to
 * any company: compare `company_id` before you answer a company.
 * @throws StoreUnavailableError from every method
 */
@Injectable()
export class LocationDirectory {
  /** The newest document of each location that this process has read. */
  readonly #cache = new LRUCache<string, LocationDocument>({ max: CACHED_LOCATIONS });

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  async location(location_id: string): Promise<LocationDocument | undefined> {
    return isPossibleId(location_id) ? (await this.locations([location_id]))[0] : undefined;
  }

  /** In the order of `location_ids`; undefined if there is none. */
  async locations(location_ids: readonly string[]): Promise<(LocationDocument | undefined)[]> {
    return this.#addToCache(await (await this.open(LOCATIONS)).getMany(location_ids));
  }

  /**
   * As {@link locations}, but from the cache. A document may be old: the caller must be able to notice that, or use only
   * fields that never change.
   */
  async cachedLocations(location_ids: readonly string[]): Promise<(LocationDocument | undefined)[]> {
    const cached = location_ids.map((id) => this.#cache.get(id));
    return cached.includes(undefined) ? this.locations(location_ids) : cached;
  }

  async locationByCode(company_id: string, pms_location_code: string): Promise<LocationDocument | undefined> {
    const locations = await this.open(LOCATIONS);
    const found = await locations.find('by_code', { equals: [company_id, pms_location_code], limit: 1 });
    return found.documents[0];
  }

  /** In the order they were added. */
  async locationsOfCompany(company_id: string): Promise<LocationDocument[]> {
    return this.locationsOfCompanies([company_id]);
  }

  /** In the order they were added. */
  async locationsOfCompanies(companies: readonly string[] | 'all'): Promise<LocationDocument[]> {
    const locations = await this.open(LOCATIONS);
    const found =
      companies === 'all'
        ? await wholeList(locations, 'by_company', { equals: [] })
        : await locations.findAny('by_company', companies);
    return this.#addToCache(found.sort((one, other) => (one._id < other._id ? -1 : 1)));
  }

  async zone(zone_id: string): Promise<Zone | undefined> {
    const location = await this.#locationOf(zone_id);
    const zone = location?.zones.find((one) => one.zone_id === zone_id);
    return zone && { ...zone, company_id: location!.company_id };
  }

  async entryPoint(entry_point_id: string): Promise<EntryPoint | undefined> {
    const location = await this.#locationOf(entry_point_id);
    const entryPoint = location?.entry_points.find((one) => one.entry_point_id === entry_point_id);
    return entryPoint && { ...entryPoint, company_id: location!.company_id };
  }

  /** Locations of a company where the name may be called so: the location's, or an entry point's. */
  async withName(text: string, company_id: string, limit: number): Promise<LocationDocument[]> {
    return called(await this.open(LOCATIONS), 'by_entry_point_name', text, company_id, limit);
  }

  async lock(lock_id: string): Promise<LockDocument | undefined> {
    return this.one(LOCKS, lock_id);
  }

  /** Those that exist. */
  async locks(lock_ids: readonly string[]): Promise<LockDocument[]> {
    if (lock_ids.length === 0) return [];
    return (await (await this.open(LOCKS)).getMany(lock_ids)).filter((lock) => lock !== undefined);
  }

  async locksOfLocation(location_id: string): Promise<LockDocument[]> {
    return wholeList(await this.open(LOCKS), 'by_location', { equals: [location_id] });
  }

  /** Locks of a location that are on no unit. */
  async freeLocks(location_id: string, page: PageRange): Promise<DocumentPage<LockDocument>> {
    return (await this.open(LOCKS)).find('by_place', { equals: [location_id, null], ...page });
  }

  /**
   * The lock of a location with this identifier. Otherwise the locks on no unit with this serial number or name: at least
   * two if there are several. Otherwise one such lock that is on a unit.
   */
  async locksMatching(location_id: string, text: string): Promise<LockDocument[]> {
    const lock = await this.lock(text);
    if (lock?.location_id === location_id) return [lock];
    const free = await this.#bySerialOrName([location_id, text, null], 2);
    return free.length > 0 ? free : (await this.#bySerialOrName([location_id, text], 1)).slice(0, 1);
  }

  /** Locks of a company that are called so, or whose serial number begins with a text. */
  async locksCalled(text: string, company_id: string, limit: number): Promise<LockDocument[]> {
    const found = await called(await this.open(LOCKS), 'by_search_name', text, company_id, limit);
    const beginning = searchName(text);
    return found.filter(
      ({ name, serial }) => isCalled(name, text) || searchName(serial ?? '').startsWith(beginning),
    );
  }

  /** In the order of `unit_ids`; undefined for a unit that never had a zone or a lock. */
  async zonesAndLocks(unit_ids: readonly string[]): Promise<(UnitZonesAndLocksDocument | undefined)[]> {
    return unit_ids.length === 0 ? [] : (await this.open(UNIT_ZONES_AND_LOCKS)).getMany(unit_ids);
  }

  /** The names of zones, entry points and locks, by id. */
  async equipmentNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const [locations, locks] = await Promise.all([this.#locationsOf(ids), this.locks(ids)]);
    const asked = new Set(ids);
    const named = [
      ...locations.flatMap(({ zones }) => zones.map(({ zone_id, name }) => [zone_id, name] as const)),
      ...locations.flatMap(({ entry_points }) =>
        entry_points.map(({ entry_point_id, name }) => [entry_point_id, name] as const),
      ),
      ...locks.map(({ lock_id, name }) => [lock_id, name] as const),
    ];
    return new Map(named.filter(([id]) => asked.has(id)));
  }

  /** Every lock that was ever on the unit. */
  async lockIdsEverOnUnit(unit_id: string): Promise<readonly string[]> {
    return (await this.zonesAndLocks([unit_id]))[0]?.lock_ids ?? [];
  }

  /** As {@link lockIdsEverOnUnit}, with the locks' documents. */
  async locksEverOnUnit(unit_id: string): Promise<LockDocument[]> {
    return this.locks(await this.lockIdsEverOnUnit(unit_id));
  }

  /** The revision of the location's stream that the views show; -1: none. */
  async shownUpTo(location_id: string): Promise<number> {
    return (await this.one(LOCATION_HEADS, location_id))?.revision ?? -1;
  }

  /** At most `limit` locks by serial number, and as many by name. */
  async #bySerialOrName(equals: readonly (string | null)[], limit: number): Promise<LockDocument[]> {
    const locks = await this.open(LOCKS);
    const found = await Promise.all(
      ['by_serial_and_unit', 'by_name_and_unit'].map((index) => locks.find(index, { equals, limit })),
    );
    const byId = new Map(found.flatMap(({ documents }) => documents.map((one) => [one._id, one])));
    return [...byId.values()];
  }

  /** The location of a zone or an entry point. */
  async #locationOf(part_id: string): Promise<LocationDocument | undefined> {
    return isPossibleId(part_id) ? (await this.#locationsOf([part_id]))[0] : undefined;
  }

  async #locationsOf(part_ids: readonly string[]): Promise<LocationDocument[]> {
    return part_ids.length === 0 ? [] : (await this.open(LOCATIONS)).findAny('by_part', part_ids);
  }

  #addToCache<D extends LocationDocument | undefined>(documents: D[]): D[] {
    for (const document of documents) {
      if (document === undefined) continue;
      const cached = this.#cache.get(document._id);
      if (cached === undefined || cached.revision <= document.revision)
        this.#cache.set(document._id, document);
    }
    return documents;
  }

  /** Clients may put any text into a path. A text that cannot be an id never reaches the store. */
  private async one<D extends StoredDocument>(
    declaration: CollectionDeclaration<D>,
    id: string,
  ): Promise<D | undefined> {
    return isPossibleId(id) ? (await this.open(declaration)).get(id) : undefined;
  }

  private open<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    return this.views.collection(declaration);
  }
}

/** At most `limit` documents for each beginning that a text may have in names. */
async function called<D extends StoredDocument>(
  collection: Collection<D>,
  index: string,
  text: string,
  company_id: string,
  limit: number,
): Promise<D[]> {
  const found = await Promise.all(
    beginningsOf(text).map((from) =>
      collection.find(index, { equals: [company_id], from, to: from + LAST, limit }),
    ),
  );
  return [...new Map(found.flatMap(({ documents }) => documents.map((one) => [one._id, one]))).values()];
}
