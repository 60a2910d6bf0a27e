import { Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '../../base/cursor.js';
import { type DescribedUnit, presentUnit, UnitLists, type UnitPage } from '../../access/index.js';
import type { OperatorPrincipal } from '../../http/authentication.js';
import { USUAL_PAGE } from '../../http/validation/page-query.js';
import { isNamed, type SearchedCompanies, TenantAccounts } from '../../tenants/index.js';
import { isRetired } from '../../units/index.js';
import { SearchScope } from '../search-scope.js';
import { FIRST_TENANTS, NamedTenantsUnits, type TenantsPlace } from './named-tenants-units.js';
import type { UnitSearchQuery } from './operator-units.dto.js';

/** Pages that one request reads at most before it answers with what it has found. */
const MOST_PAGES = 20;

/** Which units an operator looks for: all that the query says but its page. */
type Wanted = Omit<UnitSearchQuery, 'q' | 'cursor' | 'limit'> & { readonly companies?: readonly string[] };

/** The aim of one step of a search. */
type Searched = Wanted & { readonly q: string; readonly limit: number };

/** How far a search has come: first the units whose tenant has the name, then those that are called so themselves. */
type Place = { readonly tenants: TenantsPlace } | { readonly units: string | null };

interface Step {
  readonly units: readonly DescribedUnit[];
  readonly next: Place | null;
}

export type UnitSearchPage = Awaited<ReturnType<OperatorUnitSearch['page']>>;

/** Lists units of the companies that an operator may see. A page of a search for text may be short. */
@Injectable()
export class OperatorUnitSearch {
  constructor(
    private readonly lists: UnitLists,
    private readonly scope: SearchScope,
    private readonly named: NamedTenantsUnits,
    private readonly accounts: TenantAccounts,
  ) {}

  async page({ q, cursor, limit = USUAL_PAGE, ...filter }: UnitSearchQuery, operator: OperatorPrincipal) {
    const wanted = { ...filter, ...(operator.companies !== null && { companies: operator.companies }) };
    const { units, next_cursor } =
      q === undefined
        ? await this.#list(wanted, cursor, limit)
        : await this.#find(q, wanted, { companies: operator.companies, cursor, limit });
    const shown = units.map((one) => ({
      ...presentUnit(one, false),
      company_id: one.unit.company_id,
      retired: isRetired(one.unit),
    }));
    return { units: shown, next_cursor };
  }

  /** Reads on while the page has room: pages of all companies' retired units are short. */
  async #list(wanted: Wanted, cursor: string | undefined, limit: number): Promise<UnitPage> {
    const units: DescribedUnit[] = [];
    for (let read = 1, next = cursor; ; read += 1) {
      const asked = { ...wanted, cursor: next, limit: limit - units.length };
      const page = await this.lists.page(asked);
      units.push(...page.units);
      const isFull = units.length === limit || read === MOST_PAGES;
      if (isFull || page.next_cursor === null) return { units, next_cursor: page.next_cursor };
      next = page.next_cursor;
    }
  }

  /** Hits by tenants' names come first. If they leave room on the page, hits by units fill it. */
  async #find(
    q: string,
    wanted: Wanted,
    { companies, cursor, limit }: Pick<OperatorPrincipal, 'companies'> & { cursor?: string; limit: number },
  ): Promise<UnitPage> {
    const list = ['found units', wanted, q];
    let place = cursor === undefined ? firstPlace(wanted) : placeOf(decodeCursor(cursor, list));
    const tenantsOf = await this.scope.of({ companies }, wanted);
    const found: DescribedUnit[] = [];
    for (let read = 1; ; read += 1) {
      const room = limit - found.length;
      const { units, next } = await this.#step(place, { ...wanted, q, limit: room }, tenantsOf);
      found.push(...units);
      const isFull = found.length === limit || (found.length > 0 && 'units' in place);
      if (next === null) return { units: found, next_cursor: null };
      if (isFull || read === MOST_PAGES) return { units: found, next_cursor: encodeCursor(next, list) };
      place = next;
    }
  }

  async #step(place: Place, filter: Searched, companies: SearchedCompanies): Promise<Step> {
    if ('units' in place) return this.#called(filter, place.units ?? undefined);
    const { units, next } = await this.named.page({ ...filter, companies }, place.tenants);
    return { units, next: next === null ? { units: null } : { tenants: next } };
  }

  /** Those that are called so, but for those whose tenant's name has found them before. */
  async #called({ q, ...filter }: Searched, cursor: string | undefined): Promise<Step> {
    const { units, next_cursor } = await this.lists.page({ ...filter, cursor });
    const called = units.filter(({ unit }) => names(unit, q));
    const tenants = called.flatMap(({ unit: { tenancy } }) => tenancy?.tenant_id ?? []);
    const accounts = await this.accounts.byTenantId(tenants);
    const told = new Set(
      accounts.flatMap((one) => (one !== undefined && isNamed(one, q) ? one.tenant_id : [])),
    );
    return {
      units: called.filter(({ unit: { tenancy } }) => tenancy === null || !told.has(tenancy.tenant_id)),
      next: next_cursor === null ? null : { units: next_cursor },
    };
  }
}

/** A retired or vacant unit has no tenant. */
function firstPlace({ retired, state }: Wanted): Place {
  return retired === true || state === 'vacant' ? { units: null } : { tenants: FIRST_TENANTS };
}

/** @throws InvalidCursorError for what is no place: a cursor's check has no secret */
function placeOf(decoded: unknown): Place {
  const { units, tenants } = Object(decoded) as { units?: unknown; tenants?: unknown };
  if (units === null || typeof units === 'string') return { units };
  if (isTenantsPlace(tenants)) return { tenants };
  throw new InvalidCursorError();
}

function isTenantsPlace(given: unknown): given is TenantsPlace {
  const { waiting, behind, search } = Object(given) as Record<keyof TenantsPlace, unknown>;
  return (
    Array.isArray(waiting) &&
    waiting.every((one) => typeof one === 'string') &&
    typeof behind === 'string' &&
    (search === null || typeof search === 'string')
  );
}

function names(unit: { readonly crm_unit_id: string; readonly unit_name: string }, text: string): boolean {
  const wanted = text.toLowerCase();
  return unit.crm_unit_id.toLowerCase().includes(wanted) || unit.unit_name.toLowerCase().includes(wanted);
}
