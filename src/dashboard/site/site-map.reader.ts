import { Injectable } from '@nestjs/common';
import type { OperatorContext } from '#web/request-context.js';
import { LARGEST_PAGE } from '#web/validation/page-query.js';
import { validQuery } from '#web/validation/read-query.js';
import { LocationDirectory, type LocationDocument } from '#domain/locations/index.js';
import {
  type ListedUnits,
  OperatorUnitSearch,
  type UnitSearchPage,
  UnitSearchQuery,
} from '#api/operator/index.js';
import { nameOf } from '../parts/tenant-links.js';
import { type Owing, UnitTenants } from '../lists/unit-tenants.js';
import { filterIn, searchOf } from './unit-filter.js';
import { behindGate, countStates, filterOf, type MappedUnit, type StateCounts } from './site-map.js';

/** As the address gives it: not yet validated. */
export interface MapQuery {
  readonly state?: string | undefined;
  /** The id of an entry point. */
  readonly gate?: string | undefined;
  readonly cursor?: string | undefined;
  /** The `crm_unit_id` of the unit in the panel. */
  readonly peek?: string | undefined;
}

export interface SiteMap extends Pick<LocationDocument, 'zones' | 'entry_points'> {
  readonly units: readonly MappedUnit[];
  /** Undefined where the location has more units than one map shows. */
  readonly counts: StateCounts | undefined;
  readonly next_cursor: string | null;
}

/** Most units of one map. More would cost a page over 200 ms of processor time. */
const MOST_UNITS = 1_000;

/** Reads units of a location with tenants, balances and zones, in batches of 500. */
@Injectable()
export class SiteMapReader {
  constructor(
    private readonly units: OperatorUnitSearch,
    private readonly tenants: UnitTenants,
    private readonly locations: LocationDirectory,
  ) {}

  /** @throws ApiError 422 for a state that does not exist @throws StoreUnavailableError */
  async read(location_id: string, query: MapQuery, context: OperatorContext): Promise<SiteMap> {
    const state = filterIn(query.state);
    const rest = validQuery(UnitSearchQuery, query.cursor ? { cursor: query.cursor } : {});
    const wanted = { ...rest, ...queryOf(location_id), ...searchOf(state) };
    const { zones, entry_points } = (await this.locations.location(location_id))!;
    const isWanted = (unit: MappedUnit) => state === undefined || filterOf(unit) === state;
    const shown = (units: readonly MappedUnit[]) => behindGate(units, query.gate, entry_points);
    // If one map shows all units, they are filtered here, and counted by state. Otherwise the list is read by its state.
    const all = query.cursor === undefined ? await this.#page(queryOf(location_id), context) : undefined;
    if (all?.next_cursor === null) {
      const units = shown(all.units);
      const counts = countStates(units);
      return { zones, entry_points, units: units.filter(isWanted), counts, next_cursor: null };
    }
    const page = all !== undefined && state === undefined ? all : await this.#page(wanted, context);
    const units = shown(page.units).filter(isWanted);
    return { ...page, zones, entry_points, units, counts: undefined };
  }

  async #page(query: ListedUnits, { principal }: OperatorContext) {
    const found: MappedUnit[] = [];
    let next: string | null | undefined = query.cursor;
    do {
      const range = next === undefined ? query : { ...query, cursor: next };
      const { units, next_cursor } = await this.units.page(range, principal);
      found.push(...(await this.#mapped(units)));
      next = next_cursor;
    } while (next !== null && found.length < MOST_UNITS);
    return { units: found, next_cursor: next };
  }

  async #mapped(units: UnitSearchPage['units']): Promise<MappedUnit[]> {
    const [rented, zonesAndLocks] = await Promise.all([
      this.tenants.withTenants(units),
      this.locations.zonesAndLocks(units.map(({ unit_id }) => unit_id)),
    ]);
    return rented.map((unit, index) => mappedUnit(unit, zonesAndLocks[index]?.zone_ids ?? []));
  }
}

type RentedUnit = Pick<
  UnitSearchPage['units'][number],
  'unit_id' | 'crm_unit_id' | 'unit_name' | 'access' | 'facts' | 'location'
> &
  Pick<Owing, 'tenant'>;

/** A unit with its tenant as a tile shows it. */
export function mappedUnit(unit: RentedUnit, zone_ids: readonly string[]): MappedUnit {
  const { unit_id, crm_unit_id, unit_name, facts, tenant } = unit;
  const { state, reason } = unit.access;
  return {
    unit_id,
    crm_unit_id,
    unit_name,
    state,
    reason,
    tenant: tenant && nameOf(tenant),
    balance_due: facts.balance_due,
    currency: unit.location.currency,
    zone_ids,
  };
}

function queryOf(location_id: string): ListedUnits {
  return { location_id, limit: LARGEST_PAGE };
}
