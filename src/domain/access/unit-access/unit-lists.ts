import { Inject, Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore, DocumentPage } from '#eventsourcing/documents/document-store.js';
import { type LocationDocument, LocationDirectory } from '#domain/locations/index.js';
import { IDLE_STATES, type IdleState, UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { CHECKS } from '../core/checks.js';
import type { AccessReason, AccessState, Decision } from '../core/decision.js';
import { isLockedOut } from '../core/policy.js';
import { rented } from '../core/tenant-units.js';
import { TENANT_ACCESS } from '../tenant-access/tenant-access.documents.js';
import { TenantAccessViews } from '../tenant-access/tenant-access.views.js';
import { type DescribedUnit, MOST_CURES, UnitAccess } from './unit-access.js';

/** Selects units of all companies, of some or of one. */
export interface UnitListFilter {
  readonly company_id?: string | undefined;
  /** Used without a `company_id`: only units of these companies. */
  readonly companies?: readonly string[] | undefined;
  /** Only units of these locations. */
  readonly locations?: readonly string[] | undefined;
  readonly location_id?: string | undefined;
  readonly state?: AccessState | undefined;
  /** Only units with this reason. A reason implies its state. */
  readonly reason?: AccessReason | undefined;
  /** True: only units that are locked out. The `state` must be `tenant_denied`. */
  readonly locked_out?: boolean | undefined;
  /** True: only retired units. Otherwise only units that are not retired. */
  readonly retired?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Whether a decision has the wanted state and reason, and is locked out if that is wanted. */
export function isAskedFor(
  { state, reason }: Pick<Decision, 'state' | 'reason'>,
  wanted: Pick<UnitListFilter, 'state' | 'reason' | 'locked_out'>,
): boolean {
  return (
    state === (wanted.state ?? state) &&
    reason === (wanted.reason ?? reason) &&
    (wanted.locked_out !== true || isLockedOut({ state, reason }))
  );
}

export interface UnitListPage {
  readonly units: DescribedUnit[];
  /** null on the last page. */
  readonly next_cursor: string | null;
}

/**
 * A part of a location's list. Without a state: all units. With a state: units that nobody rents (`idle`), then rented
 * units, because different indexes find them.
 */
type Part = 'all' | 'idle' | 'rented';

/**
 * A position in a list, after one unit. The ids are the unit's, or in a `rented` part the tenant's and the unit's. No
 * ids: the start of the part.
 */
type Position = readonly [location_id: string, part: Part, ...ids: string[]];

interface Listed {
  readonly position: Position;
  readonly stream: string;
  /** Present if the read gave the unit's document too. */
  readonly unit?: UnitDocument;
}

/** One read in a part. */
interface PartRead {
  readonly listed: readonly Listed[];
  /** Undefined at the end of the part. */
  readonly rest: Position | undefined;
  /** The number of documents that were read. */
  readonly documents: number;
}

interface UnitsFound extends DocumentPage<UnitDocument> {
  /** The units' locations. Absent if all locations are listed. */
  readonly locations?: readonly LocationDocument[];
}

/** Limits of the reads for one page. At a limit the page ends early, with a cursor. */
const MOST_PARTS = 100;
const MOST_DOCUMENTS = 5_000;
/** Documents per read if a filter may drop most of them. */
const FILTERED_READ = 500;
/** Sorts after every unit id. */
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
   * A page of at most `limit` units. It may be shorter although more units follow. Without a state, units are sorted by
   * location and then by creation.
   * @throws InvalidCursorError for a cursor of another list. @throws StoreUnavailableError
   */
  async page(filter: UnitListFilter): Promise<UnitListPage> {
    const { described, next_cursor } = await this.#described(filter);
    return { units: described.filter(({ decision }) => isAskedFor(decision, filter)), next_cursor };
  }

  /** The page ends early if its units have too many cures for one answer. */
  async #described(filter: UnitListFilter) {
    const isListed = (unit: UnitDocument) => unit.retired === (filter.retired ?? false);
    const { documents, locations, next_cursor } = await this.#documents(filter);
    const listed = documents.filter(isListed);
    const described = await this.access.describe(listed, MOST_CURES, locations);
    if (described.length === listed.length) return { described, next_cursor };
    // Read again up to the last unit of the shorter page, to get the cursor of that page.
    const limit = documents.indexOf(listed[described.length - 1]!) + 1;
    const fewer = await this.#documents({ ...filter, limit });
    return {
      described: await this.access.describe(fewer.documents.filter(isListed)),
      next_cursor: fewer.next_cursor,
    };
  }

  async #documents(filter: UnitListFilter): Promise<UnitsFound> {
    const { location_id, reason, locked_out, cursor, limit } = filter;
    const companies = filter.company_id === undefined ? filter.companies : [filter.company_id];
    const state = filter.state ?? (reason && stateOf(reason));
    if (isOfAll({ ...filter, companies, state })) return this.units.page({ cursor, limit });
    const list = ['units', companies, location_id, state, reason, locked_out, ...(filter.locations ?? [])];
    const locations = await this.#locations(companies, filter);
    if (state !== undefined) await this.decisions.sweep(locations.map(({ company_id }) => company_id));
    const parts = partsOf(locations.map(({ _id }) => _id).sort(), state);
    const after = cursor === undefined ? undefined : positionWithin(parts, decodeCursor(cursor, list));
    const { listed, next } = await this.#walk(after, parts, { ...filter, state });
    return {
      documents: await this.#unitsOf(listed),
      locations,
      next_cursor: next === undefined ? null : encodeCursor(next, list),
    };
  }

  /** Empty for a location of another company. */
  async #locations(
    companies: readonly string[] | undefined,
    { location_id, locations }: Pick<UnitListFilter, 'location_id' | 'locations'>,
  ): Promise<readonly LocationDocument[]> {
    if (location_id === undefined && locations === undefined)
      return this.locations.locationsOfCompanies(companies ?? 'all');
    const ids = location_id === undefined ? locations! : [location_id];
    const found = await this.locations.locations(ids.filter((id) => locations?.includes(id) ?? true));
    return found
      .filter((location) => location !== undefined)
      .filter(({ company_id }) => companies?.includes(company_id) ?? true);
  }

  /** Reads part after part. Looks for one unit more than the page holds, to know whether another page follows. */
  async #walk(after: Position | undefined, parts: readonly Position[], filter: UnitListFilter) {
    const { limit } = filter;
    const ahead = after === undefined ? parts : [after, ...parts.filter((part) => isLaterPart(part, after))];
    const listed: Listed[] = [];
    let documentsRead = 0;
    let part = 0;
    let position = ahead[0];
    for (let reads = 0; position && reads < MOST_PARTS && documentsRead < MOST_DOCUMENTS; reads += 1) {
      const wanted = limit + 1 - listed.length;
      const { listed: found, rest, documents } = await this.#read(position, filter, wanted);
      listed.push(...found);
      if (listed.length > limit) return { listed: listed.slice(0, limit), next: listed[limit - 1]!.position };
      documentsRead += documents;
      position = rest ?? ahead[(part += 1)];
    }
    return { listed, next: position };
  }

  /** One read after a position in its part. May find more or fewer units than `wanted`. */
  async #read(position: Position, filter: UnitListFilter, wanted: number): Promise<PartRead> {
    const [location_id, part, ...ids] = position;
    if (part === 'rented') return this.#rented(location_id, filter, ids, wanted);
    const [from] = ids;
    const { retired = false, reason } = filter;
    const idle_state = part === 'idle' ? (filter.state as IdleState) : undefined;
    // A unit that nobody rents has no reason.
    if (part === 'idle' && reason !== undefined) return { listed: [], rest: undefined, documents: 0 };
    const limit = 1 + (retired ? Math.max(wanted, FILTERED_READ) : wanted);
    const units = await this.units.listOfLocation({ location_id, idle_state, from, limit });
    const positionOf = (unit: UnitDocument): Position => [location_id, part, unit.unit_id];
    const listed = units
      .filter((unit) => unit.unit_id !== from && unit.retired === retired)
      .map((unit) => ({ position: positionOf(unit), stream: unit._id, unit }));
    const rest = units.length < limit ? undefined : positionOf(units.at(-1)!);
    return { listed, rest, documents: units.length };
  }

  /** Starts with tenant `from` again, because the page before may have ended between that tenant's units. */
  async #rented(
    location_id: string,
    { state, reason, locked_out }: UnitListFilter,
    [from, unit_id = '']: readonly string[],
    wanted: number,
  ): Promise<PartRead> {
    const isFiltered = reason !== undefined || locked_out === true;
    const limit = 1 + (isFiltered ? Math.max(wanted, FILTERED_READ) : wanted);
    const { documents } = await (
      await this.views.collection(TENANT_ACCESS)
    ).find('by_location_and_state', { equals: [location_id, state!], from, limit });
    const positionOf = (...ids: string[]): Position => [location_id, 'rented', ...ids];
    const listed = documents.flatMap(({ tenant_id, units }) =>
      rented(units)
        .filter((unit) => isAskedFor(unit.decision, { state, reason, locked_out }))
        .filter((unit) => tenant_id !== from || unit.unit_id > unit_id)
        .sort((one, other) => (one.unit_id < other.unit_id ? -1 : 1))
        .map((unit) => ({ position: positionOf(tenant_id, unit.unit_id), stream: unit.stream })),
    );
    const rest = documents.length < limit ? undefined : positionOf(documents.at(-1)!.tenant_id, LAST);
    return { listed, rest, documents: documents.length };
  }

  /** Removes duplicates: a write may move a unit to another part while parts are read. Skips units without a document. */
  async #unitsOf(listed: readonly Listed[]): Promise<UnitDocument[]> {
    const units = new Map(listed.map(({ stream, unit }) => [stream, unit]));
    const others = [...units.keys()].filter((stream) => units.get(stream) === undefined);
    const found = await this.units.byStreams(others);
    others.forEach((stream, index) => units.set(stream, found[index]));
    return [...units.values()].filter((unit) => unit !== undefined);
  }
}

/** Whether a list holds every unit of every company. */
function isOfAll({ companies, locations, location_id, state }: UnitListFilter): boolean {
  return [companies, locations, location_id, state].every((one) => one === undefined);
}

/** Each reason belongs to one state. */
function stateOf(reason: AccessReason): AccessState | undefined {
  return CHECKS.find((check) => check.reason === reason)?.state;
}

function partsOf(locations: readonly string[], state: AccessState | undefined): Position[] {
  return locations.flatMap((location_id): Position[] => {
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

/** @throws InvalidCursorError for a position outside these parts, which might list another company's units */
function positionWithin(parts: readonly Position[], position: unknown): Position {
  const isPosition =
    Array.isArray(position) &&
    position.every((member) => typeof member === 'string') &&
    parts.some(([location_id, part]) => location_id === position[0] && part === position[1]);
  if (!isPosition) throw new InvalidCursorError();
  return position as unknown as Position;
}

function isLaterPart([location_id, part]: Position, after: Position): boolean {
  return location_id === after[0] ? part > after[1] : location_id > after[0];
}
