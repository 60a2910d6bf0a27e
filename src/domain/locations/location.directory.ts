import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { matcherOf } from '#kernel/core/search.js';
import { VIEWS } from '#kernel/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { type Called, documentsCalled } from '#eventsourcing/documents/documents-called.js';
import { everyPage, wholeList } from '#eventsourcing/documents/pages.js';
import { inBatches } from '#kernel/in-batches.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { type Deadline, Yielder } from '#kernel/yielder.js';
import type { EntryPointState } from './core/location.state.js';
import type {
  EntryPoint,
  LocationDocument,
  LockDocument,
  RemovedEquipmentDocument,
  UnitZonesAndLocksDocument,
  Zone,
} from './location.documents.js';
import {
  LOCATION_HEADS,
  LOCATIONS,
  LOCKS,
  REMOVED_EQUIPMENT,
  UNIT_ZONES_AND_LOCKS,
} from './location.documents.js';

const CACHED_LOCATIONS = 1_000;
/** Units of a zone that are counted at once. */
const COUNTED_PAGE = 200;
/** Locks that are read at once where some of them may have been removed. */
const PAGE = 20;

/**
 * Reads locations, zones, entry points and locks from the views, which contain every answered write. Ids may belong to
 * any company: compare `company_id` before you answer a company.
 * @throws StoreUnavailableError from every method
 */
@Injectable()
export class LocationDirectory {
  /**
   * The newest document of each location that was read with `known`. Any other would be read again at once, because the
   * store cannot tell whether it is still the stored one.
   */
  readonly #cache = new LRUCache<string, LocationDocument>({ max: CACHED_LOCATIONS });

  readonly #known = (location_id: string) => this.#cache.get(location_id);

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  async location(location_id: string): Promise<LocationDocument | undefined> {
    return isPossibleId(location_id) ? (await this.locations([location_id]))[0] : undefined;
  }

  /** In the order of `location_ids`; undefined if there is none. */
  async locations(location_ids: readonly string[]): Promise<(LocationDocument | undefined)[]> {
    const locations = await this.#open(LOCATIONS);
    return this.#addToCache(await locations.getMany(location_ids, { known: this.#known }));
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
    const locations = await this.#open(LOCATIONS);
    const found = await locations.find('by_code', { equals: [company_id, pms_location_code], limit: 1 });
    return found.documents[0];
  }

  /** In the order they were added. */
  async locationsOfCompany(company_id: string): Promise<LocationDocument[]> {
    return this.locationsOfCompanies([company_id]);
  }

  /** In the order they were added. */
  async locationsOfCompanies(companies: readonly string[] | 'all'): Promise<LocationDocument[]> {
    const locations = await this.#open(LOCATIONS);
    const found =
      companies === 'all'
        ? await wholeList(locations, 'by_company', { equals: [] })
        : this.#addToCache(await locations.findAny('by_company', companies, { known: this.#known }));
    return found.sort((one, other) => (one._id < other._id ? -1 : 1));
  }

  /** Also a zone that was removed. */
  async zone(zone_id: string): Promise<Zone | undefined> {
    const location = await this.locationOfPart(zone_id);
    const zone = location?.zones.find((one) => one.zone_id === zone_id);
    if (zone !== undefined) return { ...zone, company_id: location!.company_id };
    const gone = await this.#one(REMOVED_EQUIPMENT, zone_id);
    return gone?.kind === 'zone' ? { ...gone.zone, company_id: gone.company_id } : undefined;
  }

  /** Also an entry point that was removed: then it has `removed_at`. */
  async entryPoint(entry_point_id: string): Promise<EntryPoint | undefined> {
    const location = await this.locationOfPart(entry_point_id);
    const entryPoint = location?.entry_points.find((one) => one.entry_point_id === entry_point_id);
    if (entryPoint !== undefined) return { ...entryPoint, company_id: location!.company_id };
    const gone = await this.#one(REMOVED_EQUIPMENT, entry_point_id);
    return gone?.kind === 'entry_point' ? { ...gone.entry_point, company_id: gone.company_id } : undefined;
  }

  /** Entry points that a location has or had, by id. */
  async entryPointsEver(
    { entry_points }: Pick<LocationDocument, 'entry_points'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, EntryPointState>> {
    const found = new Map(entry_points.map((one) => [one.entry_point_id, one]));
    for (const gone of await this.#removed(ids.filter((id) => !found.has(id))))
      if (gone.kind === 'entry_point') found.set(gone._id, gone.entry_point);
    return found;
  }

  /** Locations of a company where the name may be called so: the location's, or an entry point's. */
  async withName(
    text: string,
    company_id: string,
    called: Called<LocationDocument>,
  ): Promise<LocationDocument[]> {
    return documentsCalled(await this.#open(LOCATIONS), 'by_entry_point_name', text, company_id, called);
  }

  /** Also a lock that was removed: then it has `removed_at`. */
  async lock(lock_id: string): Promise<LockDocument | undefined> {
    return this.#one(LOCKS, lock_id);
  }

  /** Those that exist, or were removed. */
  async locks(lock_ids: readonly string[]): Promise<LockDocument[]> {
    if (lock_ids.length === 0) return [];
    return (await (await this.#open(LOCKS)).getMany(lock_ids)).filter((lock) => lock !== undefined);
  }

  async locksOfLocation(location_id: string): Promise<LockDocument[]> {
    const locks = await wholeList(await this.#open(LOCKS), 'by_location', { equals: [location_id] });
    return locks.filter(isPresent);
  }

  /** At most `limit` locks of a location that are on no unit, and whether there are more. */
  async freeLocks(
    location_id: string,
    limit: number,
  ): Promise<{ readonly locks: readonly LockDocument[]; readonly hasMore: boolean }> {
    const free = await this.#presentLocks('by_place', [location_id, null], limit + 1);
    return { locks: free.slice(0, limit), hasMore: free.length > limit };
  }

  /**
   * The lock of a location with this identifier. Otherwise the locks on no unit with this serial number or name: at least
   * two if there are several. Otherwise one such lock that is on a unit.
   */
  async locksMatching(location_id: string, text: string): Promise<LockDocument[]> {
    const lock = await this.lock(text);
    if (lock?.location_id === location_id && isPresent(lock)) return [lock];
    const free = await this.#bySerialOrName([location_id, text, null], 2);
    return free.length > 0 ? free : (await this.#bySerialOrName([location_id, text], 1)).slice(0, 1);
  }

  /** Locks of a company that a text finds by name or serial number. */
  async locksCalled(text: string, company_id: string, called: Called<LockDocument>): Promise<LockDocument[]> {
    const found = await documentsCalled(await this.#open(LOCKS), 'by_search_name', text, company_id, called);
    const matches = matcherOf(text);
    return found.filter((lock) => matches(lock.search_names));
  }

  /** In the order of `unit_ids`; undefined for a unit that never had a zone or a lock. */
  async zonesAndLocks(unit_ids: readonly string[]): Promise<(UnitZonesAndLocksDocument | undefined)[]> {
    return unit_ids.length === 0 ? [] : (await this.#open(UNIT_ZONES_AND_LOCKS)).getMany(unit_ids);
  }

  /** The units that are in a zone now, retired ones among them. */
  async unitsInZone(zone_id: string): Promise<UnitZonesAndLocksDocument[]> {
    return wholeList(await this.#open(UNIT_ZONES_AND_LOCKS), 'by_zone', { equals: [zone_id] });
  }

  /**
   * The number of units in each zone, in the order of `zone_ids`, retired ones among them. Few documents are in memory at a
   * time, however many units there are.
   * @throws GivenUpError after the deadline
   */
  async countUnitsInZones(zone_ids: readonly string[], deadline?: Deadline): Promise<number[]> {
    const units = await this.#open(UNIT_ZONES_AND_LOCKS);
    const yielder = new Yielder(deadline);
    return inBatches(zone_ids, async (zone_id) => {
      let count = 0;
      const range = { equals: [zone_id], limit: COUNTED_PAGE };
      for await (const { documents } of everyPage((cursor) => units.find('by_zone', { ...range, cursor }))) {
        count += documents.length;
        await yielder.after(documents.length);
      }
      return count;
    });
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
    const names = new Map<string, string>(named.filter(([id]) => asked.has(id)));
    for (const gone of await this.#removed([...asked].filter((id) => !names.has(id))))
      names.set(gone._id, gone.kind === 'zone' ? gone.zone.name : gone.entry_point.name);
    return names;
  }

  /** Those of the entry points that a location still has. */
  async presentEntryPoints(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const locations = await this.#locationsOf(ids);
    return new Set(locations.flatMap(({ part_ids }) => part_ids));
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
    return (await this.#one(LOCATION_HEADS, location_id))?.revision ?? -1;
  }

  /** As {@link shownUpTo}, of each location. */
  async eachShownUpTo(location_ids: readonly string[]): Promise<number[]> {
    const heads = await (await this.#open(LOCATION_HEADS)).getMany(location_ids);
    return heads.map((head) => head?.revision ?? -1);
  }

  /** Zones and entry points that were removed. */
  async #removed(ids: readonly string[]): Promise<RemovedEquipmentDocument[]> {
    if (ids.length === 0) return [];
    const found = await (await this.#open(REMOVED_EQUIPMENT)).getMany(ids);
    return found.filter((one) => one !== undefined);
  }

  /** At most `limit` locks by serial number, and as many by name. */
  async #bySerialOrName(equals: readonly (string | null)[], limit: number): Promise<LockDocument[]> {
    const found = await Promise.all(
      ['by_serial_and_unit', 'by_name_and_unit'].map((index) => this.#presentLocks(index, equals, limit)),
    );
    return [...new Map(found.flat().map((one) => [one._id, one])).values()];
  }

  /** At most `most` locks. One that was replaced often has namesakes that were removed. */
  async #presentLocks(
    index: string,
    equals: readonly (string | null)[],
    most: number,
  ): Promise<LockDocument[]> {
    const locks = await this.#open(LOCKS);
    const limit = Math.max(most, PAGE);
    const present: LockDocument[] = [];
    for await (const { documents } of everyPage((cursor) => locks.find(index, { equals, limit, cursor }))) {
      present.push(...documents.filter(isPresent));
      if (present.length >= most) break;
    }
    return present.slice(0, most);
  }

  /** The location of a zone or an entry point that it still has. */
  async locationOfPart(part_id: string): Promise<LocationDocument | undefined> {
    return isPossibleId(part_id) ? (await this.#locationsOf([part_id]))[0] : undefined;
  }

  async #locationsOf(part_ids: readonly string[]): Promise<LocationDocument[]> {
    if (part_ids.length === 0) return [];
    const locations = await this.#open(LOCATIONS);
    return this.#addToCache(await locations.findAny('by_part', part_ids, { known: this.#known }));
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
  async #one<D extends StoredDocument>(
    declaration: CollectionDeclaration<D>,
    id: string,
  ): Promise<D | undefined> {
    return isPossibleId(id) ? (await this.#open(declaration)).get(id) : undefined;
  }

  #open<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    return this.views.collection(declaration);
  }
}

function isPresent({ removed_at }: LockDocument): boolean {
  return removed_at === undefined;
}
