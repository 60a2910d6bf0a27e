import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { searchName } from '../base/core/search-name.js';
import { VIEWS } from '../config/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  FindOptions,
  Page,
  StoredDocument,
} from '../documents/document-store.js';
import { wholeList } from '../documents/pages.js';
import { isPossibleId } from '../http/possible-id.js';
import type {
  EntryPoint,
  LocationDocument,
  LockDocument,
  SurroundingsDocument,
  Zone,
} from './location.documents.js';
import { LOCATION_HEADS, LOCATIONS, LOCKS, SURROUNDINGS } from './location.documents.js';

const MOST_RECENT = 1_000;

/** After every text that begins so, as indexes order texts. */
const LAST = '\u{10FFFF}';

/** As many as tell one from several. */
const SEVERAL = 2;

type PageRange = Pick<FindOptions, 'cursor' | 'limit'>;

/**
 * Reads locations, zones, entry points and locks from the views. The answer holds every acknowledged write. Ids are
 * unique over all companies: compare `company_id` before you answer a company.
 * @throws StoreUnavailableError from every method
 */
@Injectable()
export class LocationDirectory {
  /** The newest document read of each location. */
  readonly #recent = new LRUCache<string, LocationDocument>({ max: MOST_RECENT });

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  async location(location_id: string): Promise<LocationDocument | undefined> {
    return isPossibleId(location_id) ? (await this.locations([location_id]))[0] : undefined;
  }

  /** In the order of `location_ids`, undefined where there is none. */
  async locations(location_ids: readonly string[]): Promise<(LocationDocument | undefined)[]> {
    return this.#note(await (await this.open(LOCATIONS)).getMany(location_ids));
  }

  /**
   * As {@link locations}, but each as this process has read it last, however long ago: for who learns from elsewhere that
   * one is out of date.
   */
  async known(location_ids: readonly string[]): Promise<(LocationDocument | undefined)[]> {
    const known = location_ids.map((id) => this.#recent.get(id));
    return known.includes(undefined) ? this.locations(location_ids) : known;
  }

  async locationByCode(company_id: string, pms_location_code: string): Promise<LocationDocument | undefined> {
    const locations = await this.open(LOCATIONS);
    const found = await locations.find('by_code', { equals: [company_id, pms_location_code], limit: 1 });
    return found.documents[0];
  }

  /** All of them, in the order they were added. */
  async locationsOfCompany(company_id: string): Promise<LocationDocument[]> {
    return this.locationsOfCompanies([company_id]);
  }

  /** Those of some companies, or all that there are, in the order they were added. */
  async locationsOfCompanies(companies: readonly string[] | 'all'): Promise<LocationDocument[]> {
    const locations = await this.open(LOCATIONS);
    const found =
      companies === 'all'
        ? await wholeList(locations, 'by_company', { equals: [] })
        : await locations.findAny('by_company', companies);
    return this.#note(found.sort((one, other) => (one._id < other._id ? -1 : 1)));
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

  /** Locations of a company that have an entry point whose name begins so, from any of its words on. */
  async withEntryPointCalled(text: string, company_id: string, limit: number): Promise<LocationDocument[]> {
    const beginning = searchName(text);
    if (beginning === '') return [];
    const range = { equals: [company_id], from: beginning, to: beginning + LAST, limit };
    return (await (await this.open(LOCATIONS)).find('by_entry_point_name', range)).documents;
  }

  async lock(lock_id: string): Promise<LockDocument | undefined> {
    return this.one(LOCKS, lock_id);
  }

  async locksOfLocation(location_id: string): Promise<LockDocument[]> {
    return this.all(LOCKS, 'by_location', location_id);
  }

  /** The same a page at a time. */
  async locksOfLocationPage(location_id: string, page: PageRange): Promise<Page<LockDocument>> {
    return (await this.open(LOCKS)).find('by_location', { equals: [location_id], ...page });
  }

  /** Those of them that are on no unit. */
  async freeLocks(location_id: string, page: PageRange): Promise<Page<LockDocument>> {
    return (await this.open(LOCKS)).find('by_place', { equals: [location_id, null], ...page });
  }

  /**
   * The lock of a location that has a text as its identifier; otherwise those on no unit that have it as serial number or
   * name, of which several are told by two at least; only where there is none, any one that is on a unit.
   */
  async locksCalled(location_id: string, text: string): Promise<LockDocument[]> {
    const lock = await this.lock(text);
    if (lock?.location_id === location_id) return [lock];
    const free = await this.#called([location_id, text, null], SEVERAL);
    return free.length > 0 ? free : (await this.#called([location_id, text], 1)).slice(0, 1);
  }

  /** Locks of a company whose serial number begins so. */
  async locksBySerial(beginning: string, company_id: string, limit: number): Promise<LockDocument[]> {
    const locks = await this.open(LOCKS);
    const range = { equals: [company_id], from: beginning, to: beginning + LAST, limit };
    return (await locks.find('by_company_and_serial', range)).documents;
  }

  /** In the order of `unit_ids`; undefined where a unit never had a zone or a lock. */
  async surroundings(unit_ids: readonly string[]): Promise<(SurroundingsDocument | undefined)[]> {
    return unit_ids.length === 0 ? [] : (await this.open(SURROUNDINGS)).getMany(unit_ids);
  }

  /** The names of the zones, entry points and locks among these, by id. */
  async equipmentNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const [locations, locks] = await Promise.all([this.#locationsOf(ids), this.#locks(ids)]);
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

  /** Every lock that was ever on the unit's door. */
  async locksEverOf(unit_id: string): Promise<readonly string[]> {
    return (await this.surroundings([unit_id]))[0]?.lock_ids ?? [];
  }

  /** The same, each as it is now. */
  async locksEverOnUnit(unit_id: string): Promise<LockDocument[]> {
    return this.#locks(await this.locksEverOf(unit_id));
  }

  /** Up to which revision the location's stream is shown; -1 for not at all. */
  async shownUpTo(location_id: string): Promise<number> {
    return (await this.one(LOCATION_HEADS, location_id))?.revision ?? -1;
  }

  /** By serial number and by name, at most `limit` of each. */
  async #called(equals: readonly (string | null)[], limit: number): Promise<LockDocument[]> {
    const locks = await this.open(LOCKS);
    const found = await Promise.all(
      ['by_serial_and_unit', 'by_name_and_unit'].map((index) => locks.find(index, { equals, limit })),
    );
    const byId = new Map(found.flatMap(({ documents }) => documents.map((one) => [one._id, one])));
    return [...byId.values()];
  }

  async #locks(lock_ids: readonly string[]): Promise<LockDocument[]> {
    if (lock_ids.length === 0) return [];
    return (await (await this.open(LOCKS)).getMany(lock_ids)).filter((lock) => lock !== undefined);
  }

  /** The location of a zone or an entry point. */
  async #locationOf(part_id: string): Promise<LocationDocument | undefined> {
    return isPossibleId(part_id) ? (await this.#locationsOf([part_id]))[0] : undefined;
  }

  async #locationsOf(part_ids: readonly string[]): Promise<LocationDocument[]> {
    return part_ids.length === 0 ? [] : (await this.open(LOCATIONS)).findAny('by_part', part_ids);
  }

  #note<D extends LocationDocument | undefined>(documents: D[]): D[] {
    for (const document of documents) {
      if (document === undefined) continue;
      const known = this.#recent.get(document._id);
      if (known === undefined || known.revision <= document.revision) {
        this.#recent.set(document._id, document);
      }
    }
    return documents;
  }

  /** Ids come from paths as clients wrote them: what cannot be one is not there, and never reaches the store. */
  private async one<D extends StoredDocument>(
    declaration: CollectionDeclaration<D>,
    id: string,
  ): Promise<D | undefined> {
    return isPossibleId(id) ? (await this.open(declaration)).get(id) : undefined;
  }

  private open<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    return this.views.collection(declaration);
  }

  private async all<D extends StoredDocument>(
    declaration: CollectionDeclaration<D>,
    index: string,
    value: string,
  ): Promise<D[]> {
    return wholeList(await this.open(declaration), index, { equals: [value] });
  }
}
