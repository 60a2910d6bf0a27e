import { Injectable } from '@nestjs/common';
import { matcherOf } from '#kernel/core/search.js';
import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import {
  type DescribedUnit,
  isLockedOut,
  presentUnit,
  type UnitListFilter,
  UnitLists,
  type UnitListPage,
} from '#domain/access/index.js';
import { LockoutDays, presentLockedOutSince } from '#domain/history/index.js';
import { type OperatorPrincipal, type OperatorScope, placesOf } from '#kernel/principals.js';
import { USUAL_PAGE } from '#web/validation/page-query.js';
import { nameMatcherOf, type SearchedPlaces, TenantAccounts } from '#domain/tenants/index.js';
import { SearchScope } from '../search-scope.js';
import { START, NamedTenantsUnits, type TenantsPosition } from './named-tenants-units.js';
import type { UnitSearchQuery } from './operator-units.dto.js';

/** The most pages that one request reads. Then it answers with the units found so far. */
const MOST_PAGES = 20;

/** Units to list: the query of the API, and what only the dashboard asks for. */
export type ListedUnits = UnitSearchQuery & Pick<UnitListFilter, 'locked_out'>;

/** The filter of a query, without its text and its page. */
type UnitFilter = Omit<ListedUnits, 'q' | 'cursor' | 'limit'> & {
  readonly companies?: readonly string[];
  readonly locations?: readonly string[];
};

type StepFilter = UnitFilter & { readonly q: string; readonly limit: number };

/** The position of a search for text. It first finds units by the tenant's name, then by the unit's own name. */
type Position = { readonly tenants: TenantsPosition } | { readonly units: string | null };

interface Step {
  readonly units: readonly DescribedUnit[];
  readonly next: Position | null;
}

export type UnitSearchPage = Awaited<ReturnType<OperatorUnitSearch['page']>>;

/** Lists units of the companies or sites that an operator may see. A page of a search for text may be short. */
@Injectable()
export class OperatorUnitSearch {
  constructor(
    private readonly lists: UnitLists,
    private readonly scope: SearchScope,
    private readonly named: NamedTenantsUnits,
    private readonly accounts: TenantAccounts,
    private readonly lockouts: LockoutDays,
  ) {}

  async page({ q, cursor, limit = USUAL_PAGE, ...filter }: ListedUnits, operator: OperatorPrincipal) {
    const { companies, locations } = placesOf(operator);
    const wanted = { ...filter, ...(companies !== null && { companies }), ...(locations && { locations }) };
    const { units, next_cursor } =
      q === undefined
        ? await this.#list(wanted, cursor, limit)
        : await this.#find(q, wanted, { scope: operator, cursor, limit });
    const locked = units.filter(({ decision }) => isLockedOut(decision));
    const since = await this.lockouts.since(locked.map(({ unit }) => unit));
    const shown = units.map((one) => ({
      ...presentUnit(one),
      company_id: one.unit.company_id,
      round_the_clock: one.unit.round_the_clock,
      retired: one.unit.retired,
      ...presentLockedOutSince(since.get(one.unit.unit_id)),
    }));
    return { units: shown, next_cursor };
  }

  /** Reads several pages of the list to fill one page: some of them are short. */
  async #list(wanted: UnitFilter, cursor: string | undefined, limit: number): Promise<UnitListPage> {
    const units: DescribedUnit[] = [];
    for (let read = 1, next = cursor; ; read += 1) {
      const page = await this.lists.page({ ...wanted, cursor: next, limit: limit - units.length });
      units.push(...page.units);
      const isFull = units.length === limit || read === MOST_PAGES;
      if (isFull || page.next_cursor === null) return { units, next_cursor: page.next_cursor };
      next = page.next_cursor;
    }
  }

  /** Units found by tenants' names come first. If there is room left on the page, units found by their own names fill it. */
  async #find(
    q: string,
    wanted: UnitFilter,
    { scope, cursor, limit }: { scope: OperatorScope; cursor?: string | undefined; limit: number },
  ): Promise<UnitListPage> {
    const list = ['found units', wanted, q];
    let position = cursor === undefined ? startOf(wanted) : positionOf(decodeCursor(cursor, list));
    const searched = await this.scope.findScope(scope, wanted);
    const found: DescribedUnit[] = [];
    for (let read = 1; ; read += 1) {
      const room = limit - found.length;
      const { units, next } = await this.#step(position, { ...wanted, q, limit: room }, searched);
      found.push(...units);
      const isFull = found.length === limit || (found.length > 0 && 'units' in position);
      if (next === null) return { units: found, next_cursor: null };
      if (isFull || read === MOST_PAGES) return { units: found, next_cursor: encodeCursor(next, list) };
      position = next;
    }
  }

  async #step(position: Position, filter: StepFilter, places: SearchedPlaces): Promise<Step> {
    if ('units' in position) return this.#byUnitName(filter, position.units ?? undefined);
    const { units, next } = await this.named.page({ ...filter, ...places }, position.tenants);
    return { units, next: next === null ? { units: null } : { tenants: next } };
  }

  /** Leaves out units that the search by tenants' names has found before. */
  async #byUnitName({ q, ...filter }: StepFilter, cursor: string | undefined): Promise<Step> {
    const { units, next_cursor } = await this.lists.page({ ...filter, cursor });
    const matches = matcherOf(q);
    const named = units.filter(({ unit }) => matches(unit.search_names));
    const tenants = named.flatMap(({ unit: { tenancy } }) => tenancy?.tenant_id ?? []);
    const accounts = await this.accounts.byTenantId(tenants);
    const isNamed = nameMatcherOf(q);
    const foundBefore = new Set(
      accounts.flatMap((one) => (one !== undefined && isNamed(one) ? one.tenant_id : [])),
    );
    return {
      units: named.filter(({ unit: { tenancy } }) => tenancy === null || !foundBefore.has(tenancy.tenant_id)),
      next: next_cursor === null ? null : { units: next_cursor },
    };
  }
}

/** A retired or vacant unit has no tenant, so the search by tenants' names is left out. */
function startOf({ retired, state }: UnitFilter): Position {
  return retired === true || state === 'vacant' ? { units: null } : { tenants: START };
}

/** @throws InvalidCursorError if the cursor was forged: cursors are not signed */
function positionOf(decoded: unknown): Position {
  const { units, tenants } = Object(decoded) as { units?: unknown; tenants?: unknown };
  if (units === null || typeof units === 'string') return { units };
  if (isTenantsPosition(tenants)) return { tenants };
  throw new InvalidCursorError();
}

function isTenantsPosition(given: unknown): given is TenantsPosition {
  const { waiting, behind, search } = Object(given) as Record<keyof TenantsPosition, unknown>;
  return (
    Array.isArray(waiting) &&
    waiting.every((one) => typeof one === 'string') &&
    typeof behind === 'string' &&
    (search === null || typeof search === 'string')
  );
}
