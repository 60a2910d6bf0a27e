import { Inject, Injectable } from '@nestjs/common';
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
import { zonesAt } from './core/zone-stays.js';
import type {
  EntryPointDocument,
  LocatedUnitDocument,
  LocationDocument,
  LockDocument,
  ZoneDocument,
} from './location.documents.js';
import {
  ENTRY_POINTS,
  LOCATED_UNITS,
  LOCATION_HEADS,
  LOCATIONS,
  LOCKS,
  ZONES,
} from './location.documents.js';

const MOST_RECENT = 1_000;

/** As many as tell one from several. */
const SEVERAL = 2;

type PageRange = Pick<FindOptions, 'cursor' | 'limit'>;

interface NamedDocument extends StoredDocument {
  readonly name: string;
}

/**
 * What the service knows of locations, zones, entry points and locks, read from the views; the answer holds every
 * acknowledged write. Ids are unique over all companies: whoever asks on a company's behalf compares `company_id`.
 * @throws StoreUnavailableError from every method
 */
@Injectable()
export class LocationDirectory {
  #reads = 0;
  /** What was read last of each location, and by which read. */
  readonly #recent = new Map<string, { readonly document: LocationDocument; readonly read: number }>();

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  async location(location_id: string): Promise<LocationDocument | undefined> {
    return this.one(LOCATIONS, location_id);
  }

  /** In the order of `location_ids`, undefined where there is none. */
  async locations(location_ids: readonly string[]): Promise<(LocationDocument | undefined)[]> {
    const read = (this.#reads += 1);
    return this.#note(await (await this.open(LOCATIONS)).getMany(location_ids), read);
  }

  /**
   * As {@link locations}, but each as this process has read it last, however long ago: for who learns from elsewhere that
   * one is out of date.
   */
  async known(location_ids: readonly string[]): Promise<(LocationDocument | undefined)[]> {
    const known = location_ids.map((id) => this.#recent.get(id)?.document);
    return known.includes(undefined) ? this.locations(location_ids) : known;
  }

  /** A mark in the order of reads, for {@link readSince}. */
  get mark(): number {
    return this.#reads;
  }

  /** As {@link locations}, but what was read since the mark is not read again: it is as new as the mark's owner needs it. */
  async readSince(
    mark: number,
    location_ids: readonly string[],
  ): Promise<ReadonlyMap<string, LocationDocument>> {
    const recent = location_ids.map((id) => this.#recent.get(id));
    const isKnown = (place: number) => (recent[place]?.read ?? -1) > mark;
    const missing = location_ids.filter((_, place) => !isKnown(place));
    const found = missing.length === 0 ? [] : await this.locations(missing);
    const known = recent.flatMap((one, place) => (isKnown(place) ? [one!.document] : []));
    const all = [...known, ...found.filter((document) => document !== undefined)];
    return new Map(all.map((document) => [document._id, document]));
  }

  async locationByCode(company_id: string, pms_location_code: string): Promise<LocationDocument | undefined> {
    const locations = await this.open(LOCATIONS);
    const found = await locations.find('by_code', { equals: [company_id, pms_location_code], limit: 1 });
    return found.documents[0];
  }

  /** All of them, in the order they were added. */
  async locationsOfCompany(company_id: string): Promise<LocationDocument[]> {
    const read = (this.#reads += 1);
    return this.#note(await this.all(LOCATIONS, 'by_company', company_id), read);
  }

  async zone(zone_id: string): Promise<ZoneDocument | undefined> {
    return this.one(ZONES, zone_id);
  }

  async zonesOfLocation(location_id: string): Promise<ZoneDocument[]> {
    return this.all(ZONES, 'by_location', location_id);
  }

  async entryPoint(entry_point_id: string): Promise<EntryPointDocument | undefined> {
    return this.one(ENTRY_POINTS, entry_point_id);
  }

  async entryPointsOfLocation(location_id: string): Promise<EntryPointDocument[]> {
    return this.all(ENTRY_POINTS, 'by_location', location_id);
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

  /** The locks of each unit asked for (an empty list where it has none), in the order they were added. */
  async locksOfUnits(unit_ids: readonly string[]): Promise<ReadonlyMap<string, readonly LockDocument[]>> {
    const byUnit = new Map<string, LockDocument[]>(unit_ids.map((unit_id) => [unit_id, []]));
    if (byUnit.size === 0) return byUnit;
    const found = await (await this.open(LOCKS)).findAny('by_unit', [...byUnit.keys()]);
    for (const lock of inOrder(found)) {
      if (lock.unit_id !== null) byUnit.get(lock.unit_id)?.push(lock);
    }
    return byUnit;
  }

  /** What the zones, entry points and locks among these are called, by id. */
  async equipmentNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    if (ids.length === 0) return names;
    for (const kind of [ZONES, ENTRY_POINTS, LOCKS]) {
      const found = await (await this.open<NamedDocument>(kind)).getMany(ids);
      for (const one of found) if (one !== undefined) names.set(one._id, one.name);
    }
    return names;
  }

  /** The ids of the zones of each unit asked for (an empty list where it is in none). */
  async zonesOfUnits(unit_ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = await this.#located(unit_ids);
    return new Map(unit_ids.map((unit_id, place) => [unit_id, found[place]?.zone_ids ?? []]));
  }

  /** The ids of the zones that each unit asked for was in at an instant (milliseconds). */
  async zonesOfUnitsAt(
    unit_ids: readonly string[],
    instant: number,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = await this.#located(unit_ids);
    return new Map(unit_ids.map((unit_id, place) => [unit_id, zonesOf(found[place], instant)]));
  }

  /** Every lock that was ever on the unit's door. */
  async locksEverOf(unit_id: string): Promise<readonly string[]> {
    return (await (await this.open(LOCATED_UNITS)).get(unit_id))?.lock_ids ?? [];
  }

  /** The same, each as it is now. */
  async locksOnceOn(unit_id: string): Promise<LockDocument[]> {
    const found = await (await this.open(LOCKS)).getMany(await this.locksEverOf(unit_id));
    return found.filter((lock) => lock !== undefined);
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

  async #located(unit_ids: readonly string[]): Promise<(LocatedUnitDocument | undefined)[]> {
    return unit_ids.length === 0 ? [] : (await this.open(LOCATED_UNITS)).getMany(unit_ids);
  }

  #note<D extends LocationDocument | undefined>(documents: D[], read: number): D[] {
    if (this.#recent.size > MOST_RECENT) this.#recent.clear();
    for (const document of documents) {
      if (document === undefined || (this.#recent.get(document._id)?.read ?? -1) > read) continue;
      this.#recent.set(document._id, { document, read });
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

function zonesOf(unit: LocatedUnitDocument | undefined, instant: number): readonly string[] {
  return unit === undefined ? [] : zonesAt(unit, instant);
}

/** By id: ULIDs sort by creation. */
function inOrder<D extends StoredDocument>(documents: Iterable<D>): D[] {
  return [...documents].sort((a, b) => (a._id < b._id ? -1 : a._id > b._id ? 1 : 0));
}
