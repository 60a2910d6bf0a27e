import { Inject, Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '../../base/cursor.js';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore, Page } from '../../documents/document-store.js';
import { type LocationDocument, LocationDirectory } from '../../locations/index.js';
import {
  IDLE_STATES,
  type IdleState,
  isRetired,
  UnitDirectory,
  type UnitDocument,
} from '../../units/index.js';
import { CHECKS } from '../core/checks.js';
import type { AccessReason, AccessState, Decision } from '../core/decision.js';
import { rented } from '../core/tenant-units.js';
import { TENANT_ACCESS } from '../tenant-access/tenant-access.documents.js';
import { TenantAccessViews } from '../tenant-access/tenant-access.views.js';
import { type DescribedUnit, MOST_CURES, UnitAccess } from './unit-access.js';

/** Which units, of all companies, of some or of one, a page at a time. */
export interface UnitListFilter {
  readonly company_id?: string | undefined;
  /** Without a `company_id`: only these. Pages and cursors show nothing of other companies. */
  readonly companies?: readonly string[] | undefined;
  readonly location_id?: string | undefined;
  readonly state?: AccessState | undefined;
  /** Only units that are in their state for this reason. Without a `state`: the state that the reason belongs to. */
  readonly reason?: AccessReason | undefined;
  /** True: only retired units. Otherwise only units that are not retired. */
  readonly retired?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Whether a decision is of the state and for the reason that are asked for. */
export function isAskedFor(
  { state, reason }: Pick<Decision, 'state' | 'reason'>,
  wanted: Pick<UnitListFilter, 'state' | 'reason'>,
): boolean {
  return state === (wanted.state ?? state) && reason === (wanted.reason ?? reason);
}

export interface UnitPage {
  readonly units: DescribedUnit[];
  /** null where nothing follows. */
  readonly next_cursor: string | null;
}

/** A part of a location's list: all units; or, of those with a state, the vacant ones and then the rented ones. */
type Part = 'all' | 'idle' | 'rented';

/**
 * A place in a list, behind a unit: its location, its part, and the ids that order the part (the unit's; or its tenant's and
 * its own). Without ids: the beginning of the part.
 */
type Place = readonly [location_id: string, part: Part, ...ids: string[]];

interface Listed {
  readonly place: Place;
  readonly stream: string;
  /** Present if the read of the place found it. */
  readonly unit?: UnitDocument;
}

/** The finds of a part, and where the part goes on; undefined at its end. */
interface PartRead {
  readonly listed: readonly Listed[];
  readonly rest: Place | undefined;
  /** Documents that were looked at. */
  readonly documents: number;
}

interface UnitsFound extends Page<UnitDocument> {
  /** Their locations. Absent where units of any location may be listed. */
  readonly locations?: readonly LocationDocument[];
}

/** One page reads at most so many parts, and so many documents; then it is short. */
const MOST_PARTS = 100;
const MOST_DOCUMENTS = 5_000;
/** Documents that are read at once where a filter may leave most of them out. */
const FILTERED_READ = 500;
/** After every unit id. */
const LAST = '\u{10FFFF}';

/** Lists units with their access as it is at this instant. */
@Injectable()
export class UnitLists {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly decisions: TenantAccessViews,
    private readonly access: UnitAccess,
  ) {}

  /**
   * A page of at most `limit` units. One that would read more than 100 parts of locations or 5,000 documents is short, although
   * more follow. Without a state units come by location, in the order they were created.
   * @throws InvalidCursorError for a cursor of another list. @throws StoreUnavailableError
   */
  async page(filter: UnitListFilter): Promise<UnitPage> {
    const { described, next_cursor } = await this.#described(filter);
    return { units: described.filter(({ decision }) => isAskedFor(decision, filter)), next_cursor };
  }

  /** The page ends where its units have too much to say for one answer. */
  async #described(filter: UnitListFilter) {
    const isListed = (unit: UnitDocument) => isRetired(unit) === (filter.retired ?? false);
    const { documents, locations, next_cursor } = await this.#documents(filter);
    const listed = documents.filter(isListed);
    const described = await this.access.describe(listed, MOST_CURES, locations);
    if (described.length === listed.length) return { described, next_cursor };
    // Read again, so that the cursor stands behind the last unit of the page whatever was written meanwhile.
    const limit = documents.indexOf(listed[described.length - 1]!) + 1;
    const fewer = await this.#documents({ ...filter, limit });
    return {
      described: await this.access.describe(fewer.documents.filter(isListed)),
      next_cursor: fewer.next_cursor,
    };
  }

  async #documents(filter: UnitListFilter): Promise<UnitsFound> {
    const { location_id, reason, cursor, limit } = filter;
    const companies = companiesOf(filter);
    // Each reason belongs to one state, whose index finds its units.
    const state = filter.state ?? (reason && stateOf(reason));
    if (companies === undefined && location_id === undefined && state === undefined)
      return this.units.page({ cursor, limit });
    const list = ['units', companies, location_id, state, reason];
    const locations = await this.#locations(companies, location_id);
    if (state !== undefined) await this.decisions.sweep(locations.map(({ company_id }) => company_id));
    const begins = partsOf(locations.map(({ _id }) => _id).sort(), state);
    const place = cursor === undefined ? undefined : placeWithin(begins, decodeCursor(cursor, list));
    const { listed, next } = await this.#walk(place, begins, { ...filter, state });
    return {
      documents: await this.#unitsOf(listed),
      locations,
      next_cursor: next === undefined ? null : encodeCursor(next, list),
    };
  }

  /** Finds none for another company's location. */
  async #locations(
    companies: readonly string[] | undefined,
    location_id?: string,
  ): Promise<readonly LocationDocument[]> {
    if (location_id === undefined) return this.locations.locationsOfCompanies(companies ?? 'all');
    const location = await this.locations.location(location_id);
    if (location === undefined) return [];
    return companies === undefined || companies.includes(location.company_id) ? [location] : [];
  }

  /** Looks for one unit more than the page holds, to know whether any follows. */
  async #walk(last: Place | undefined, begins: readonly Place[], filter: UnitListFilter) {
    const { limit } = filter;
    const ahead = last === undefined ? begins : [last, ...begins.filter((one) => isBehind(one, last))];
    const listed: Listed[] = [];
    let [looked, position, place] = [0, 0, ahead[0]];
    for (let reads = 0; place !== undefined && reads < MOST_PARTS && looked < MOST_DOCUMENTS; reads += 1) {
      const { listed: found, rest, documents } = await this.#read(place, filter, limit + 1 - listed.length);
      listed.push(...found);
      if (listed.length > limit) return { listed: listed.slice(0, limit), next: listed[limit - 1]!.place };
      looked += documents;
      place = rest ?? ahead[(position += 1)];
    }
    return { listed, next: place };
  }

  /** Reads on behind a place in its part: `room` units or more, or as many as one read finds. */
  async #read(place: Place, filter: UnitListFilter, room: number): Promise<PartRead> {
    const [location_id, part, ...ids] = place;
    if (part === 'rented') return this.#rented(location_id, filter, ids, room);
    const [from] = ids;
    const { retired = false, reason } = filter;
    const idle_state = part === 'idle' ? (filter.state as IdleState) : undefined;
    // Vacant units are in their state for no reason.
    if (part === 'idle' && reason !== undefined) return { listed: [], rest: undefined, documents: 0 };
    const limit = 1 + (retired ? Math.max(room, FILTERED_READ) : room);
    const units = await this.units.ofLocation({ location_id, idle_state, from, limit });
    const placeOf = (unit: UnitDocument): Place => [location_id, part, unit.unit_id];
    const listed = units
      .filter((unit) => unit.unit_id !== from && isRetired(unit) === retired)
      .map((unit) => ({ place: placeOf(unit), stream: unit._id, unit }));
    const rest = units.length < limit ? undefined : placeOf(units.at(-1)!);
    return { listed, rest, documents: units.length };
  }

  /** The page before may have ended among a tenant's units. */
  async #rented(
    location_id: string,
    { state, reason }: UnitListFilter,
    [from, unit_id = '']: readonly string[],
    room: number,
  ): Promise<PartRead> {
    const limit = 1 + (reason === undefined ? room : Math.max(room, FILTERED_READ));
    const { documents } = await (
      await this.views.collection(TENANT_ACCESS)
    ).find('by_location_and_state', { equals: [location_id, state!], from, limit });
    const placeOf = (tenant_id: string, unit_id: string): Place => [
      location_id,
      'rented',
      tenant_id,
      unit_id,
    ];
    const listed = documents.flatMap(({ tenant_id, units }) =>
      rented(units)
        .filter((unit) => isAskedFor(unit.decision, { state, reason }))
        .filter((unit) => tenant_id !== from || unit.unit_id > unit_id)
        .sort((one, other) => (one.unit_id < other.unit_id ? -1 : 1))
        .map((unit) => ({ place: placeOf(tenant_id, unit.unit_id), stream: unit.stream })),
    );
    const rest = documents.length < limit ? undefined : placeOf(documents.at(-1)!.tenant_id, LAST);
    return { listed, rest, documents: documents.length };
  }

  /** Each unit once, also if a write moved it while the parts were read. Leaves out units without a document of their own yet. */
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

function stateOf(reason: AccessReason): AccessState | undefined {
  return CHECKS.find((check) => check.reason === reason)?.state;
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

/** @throws InvalidCursorError for a place outside these parts: it would list units of another company's location */
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
