import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { VIEWS } from '../../config/injection-tokens.js';
import { type DocumentStore, InvalidCursorError, type Page } from '../../documents/document-store.js';
import { decodeCursor, encodeCursor } from '../../documents/page-cursor.js';
import { type LocationDocument, LocationDirectory } from '../../locations/index.js';
import {
  IDLE_STATES,
  type IdleState,
  isRetired,
  UnitDirectory,
  type UnitDocument,
} from '../../units/index.js';
import type { AccessState } from '../core/decision.js';
import { rented } from '../core/tenant-units.js';
import { TENANT_ACCESS } from '../tenant-access/tenant-access.documents.js';
import { TenantAccessViews } from '../tenant-access/tenant-access.views.js';
import { isAskedFor, ListUnits, type UnitListFilter, type UnitPage } from './list-units.query.js';
import { MOST_CURES, UnitAccess } from './unit-access.js';

/** What of a location is listed together: all units; or of those with a state first the ones that nobody rents. */
type Part = 'all' | 'idle' | 'rented';

/**
 * A place in a list, behind a unit: its location, its part, and what the part is ordered by, which is the unit's id, or
 * its tenant's and its own. Without these ids, where a part begins.
 */
type Place = readonly [location_id: string, part: Part, ...ids: string[]];

interface Listed {
  readonly place: Place;
  readonly stream: string;
  /** Where it was found with its place. */
  readonly unit?: UnitDocument;
}

/** How many parts one page reads before it ends where it has come. */
const MOST_PARTS = 100;

/** Lists units with their access as it is at this instant. */
@QueryHandler(ListUnits)
export class ListUnitsHandler implements IQueryHandler<ListUnits> {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly decisions: TenantAccessViews,
    private readonly access: UnitAccess,
  ) {}

  async execute({ filter }: ListUnits): Promise<UnitPage> {
    const { described, next_cursor } = await this.#described(filter);
    return { units: described.filter(({ decision }) => isAskedFor(decision, filter)), next_cursor };
  }

  /** The page ends where its units have too much to say for one answer. */
  async #described(filter: UnitListFilter) {
    const isListed = (unit: UnitDocument) => isRetired(unit) === (filter.retired ?? false);
    const { documents, next_cursor } = await this.#documents(filter);
    const listed = documents.filter(isListed);
    const described = await this.access.describe(listed, MOST_CURES);
    if (described.length === listed.length) return { described, next_cursor };
    // Read again, so that the cursor stands behind the last unit of the page whatever was written meanwhile.
    const limit = documents.indexOf(listed[described.length - 1]!) + 1;
    const fewer = await this.#documents({ ...filter, limit });
    return {
      described: await this.access.describe(fewer.documents.filter(isListed)),
      next_cursor: fewer.next_cursor,
    };
  }

  async #documents(filter: UnitListFilter): Promise<Page<UnitDocument>> {
    const { location_id, state, cursor, limit } = filter;
    const companies = companiesOf(filter);
    if (companies === undefined && location_id === undefined) return this.units.page({ cursor, limit });
    const list = ['units', companies, location_id, state];
    const locations = await this.#locations(companies, location_id);
    if (state !== undefined) await this.decisions.sweep(locations.map(({ company_id }) => company_id));
    const begins = partsOf(locations.map(({ _id }) => _id).sort(), state);
    const place = cursor === undefined ? undefined : placeWithin(begins, decodeCursor(cursor, list));
    const { listed, next } = await this.#walk(place, begins, filter);
    return {
      documents: await this.#unitsOf(listed),
      next_cursor: next === undefined ? null : encodeCursor(next, list),
    };
  }

  /** Named beside another company's location, a company has none. */
  async #locations(
    companies: readonly string[] | undefined,
    location_id?: string,
  ): Promise<readonly LocationDocument[]> {
    if (location_id === undefined) {
      const found = await Promise.all(companies!.map((one) => this.locations.locationsOfCompany(one)));
      return found.flat();
    }
    const location = await this.locations.location(location_id);
    if (location === undefined) return [];
    return companies === undefined || companies.includes(location.company_id) ? [location] : [];
  }

  /** Looks for one unit more than the page holds, to know whether any follows. */
  async #walk(last: Place | undefined, begins: readonly Place[], { state, limit }: UnitListFilter) {
    const ahead = last === undefined ? begins : [last, ...begins.filter((one) => isBehind(one, last))];
    const listed: Listed[] = [];
    for (const place of ahead.slice(0, MOST_PARTS)) {
      const room = limit + 1 - listed.length;
      listed.push(...(await this.#read(place, state, room)).slice(0, room));
      if (listed.length > limit) return { listed: listed.slice(0, limit), next: listed[limit - 1]!.place };
    }
    return { listed, next: ahead[MOST_PARTS] };
  }

  /** What follows a place in its part: at least `room` units, or all there are. */
  async #read(place: Place, state: AccessState | undefined, room: number): Promise<Listed[]> {
    const [location_id, part, ...ids] = place;
    if (part === 'rented') return this.#rented(location_id, state!, ids, room);
    const [from] = ids;
    const idle_state = part === 'idle' ? (state as IdleState) : undefined;
    const units = await this.units.ofLocation({ location_id, idle_state, from, limit: room + 1 });
    return units
      .filter(({ unit_id }) => unit_id !== from)
      .map((unit) => ({ place: [location_id, part, unit.unit_id], stream: unit._id, unit }));
  }

  /** Each document that is found has a unit to list, but for the one that the page before may have ended with. */
  async #rented(
    location_id: string,
    state: AccessState,
    [from, unit_id = '']: readonly string[],
    room: number,
  ): Promise<Listed[]> {
    const page = { equals: [location_id, state], from, limit: room + 1 };
    const { documents } = await (
      await this.views.collection(TENANT_ACCESS)
    ).find('by_location_and_state', page);
    return documents.flatMap(({ tenant_id, units }) =>
      rented(units)
        .filter((unit) => unit.decision.state === state && (tenant_id !== from || unit.unit_id > unit_id))
        .sort((one, other) => (one.unit_id < other.unit_id ? -1 : 1))
        .map((unit) => ({ place: [location_id, 'rented', tenant_id, unit.unit_id], stream: unit.stream })),
    );
  }

  /** Each once, whatever a write does to it while the parts are read, and not before its own document is there. */
  async #unitsOf(listed: readonly Listed[]): Promise<UnitDocument[]> {
    const units = new Map(listed.map(({ stream, unit }) => [stream, unit]));
    const others = [...units.keys()].filter((stream) => units.get(stream) === undefined);
    const found = await this.units.byStreams(others);
    others.forEach((stream, place) => units.set(stream, found[place]));
    return [...units.values()].filter((unit) => unit !== undefined);
  }
}

function companiesOf({ company_id, companies }: UnitListFilter): readonly string[] | undefined {
  return company_id === undefined ? companies : [company_id];
}

function partsOf(locations: readonly string[], state: AccessState | undefined): Place[] {
  return locations.flatMap((location_id): Place[] => {
    if (state === undefined) return [[location_id, 'all']];
    const idle: readonly AccessState[] = IDLE_STATES;
    return idle.includes(state)
      ? [
          [location_id, 'idle'],
          [location_id, 'rented'],
        ]
      : [[location_id, 'rented']];
  });
}

/** @throws InvalidCursorError for what is no place in these parts: of another company's location it would list the units. */
function placeWithin(begins: readonly Place[], place: unknown): Place {
  const isPlace =
    Array.isArray(place) &&
    place.every((member) => typeof member === 'string') &&
    begins.some(([location_id, part]) => location_id === place[0] && part === place[1]);
  if (!isPlace) throw new InvalidCursorError();
  return place as unknown as Place;
}

function isBehind([location_id, part]: Place, last: Place): boolean {
  return location_id === last[0] ? part > last[1] : location_id > last[0];
}
