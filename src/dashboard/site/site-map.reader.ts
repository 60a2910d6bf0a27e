import { Injectable } from '@nestjs/common';
import type { AccessState } from '../../access/index.js';
import type { OperatorContext } from '../../http/request-context.js';
import { LARGEST_PAGE } from '../../http/validation/page-query.js';
import { validQuery } from '../../http/validation/valid.js';
import { LocationDirectory } from '../../locations/index.js';
import { OperatorUnitSearch, type UnitSearchPage, UnitSearchQuery } from '../../operator/index.js';
import { UnitTenants } from '../units/unit-tenants.js';
import { countStates, type MappedUnit } from './site-map.js';

/** As the address gives it: not yet validated. */
export interface MapQuery {
  readonly state?: string | undefined;
  readonly cursor?: string | undefined;
}

export interface SiteMap {
  readonly units: readonly MappedUnit[];
  /** Undefined where the location has more units than one map shows. */
  readonly counts: ReadonlyMap<AccessState, number> | undefined;
  readonly next_cursor: string | null;
}

/** Reads at most 500 units of a location with tenants, balances and zones: one batch of each. */
@Injectable()
export class SiteMapReader {
  constructor(
    private readonly units: OperatorUnitSearch,
    private readonly tenants: UnitTenants,
    private readonly locations: LocationDirectory,
  ) {}

  /** @throws ApiError 422 for a state that does not exist @throws StoreUnavailableError */
  async read(location_id: string, query: MapQuery, context: OperatorContext): Promise<SiteMap> {
    const wanted = queryOf(location_id, query);
    if (query.cursor !== undefined) return this.#page(wanted, context);
    const all = await this.#page(queryOf(location_id, {}), context);
    if (all.next_cursor !== null) {
      return wanted.state === undefined ? all : this.#page(wanted, context);
    }
    const { state } = wanted;
    const shown = state === undefined ? all.units : all.units.filter((unit) => unit.state === state);
    return { units: shown, counts: countStates(all.units), next_cursor: null };
  }

  async #page(query: UnitSearchQuery, { principal }: OperatorContext): Promise<SiteMap> {
    const { units, next_cursor } = await this.units.page(query, principal);
    return { units: await this.#mapped(units), counts: undefined, next_cursor };
  }

  async #mapped(units: UnitSearchPage['units']): Promise<MappedUnit[]> {
    const [rented, surroundings] = await Promise.all([
      this.tenants.of(units),
      this.locations.zonesAndLocks(units.map(({ unit_id }) => unit_id)),
    ]);
    return rented.map(({ unit_id, unit_name, access: { state, reason }, facts, tenant }, place) => ({
      unit_id,
      unit_name,
      state,
      reason,
      tenant: tenant === null ? null : (tenant.name ?? tenant.pms_tenant_id),
      balance_due: facts.balance_due,
      zone_ids: surroundings[place]?.zone_ids ?? [],
    }));
  }
}

function queryOf(location_id: string, { state, cursor }: MapQuery): UnitSearchQuery {
  const wanted = { location_id, state, ...(cursor ? { cursor } : {}) };
  return { ...validQuery(UnitSearchQuery, wanted), limit: LARGEST_PAGE };
}
