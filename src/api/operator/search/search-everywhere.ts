import { Inject, Injectable } from '@nestjs/common';
import { matcherOf, searchForms, searchName } from '#kernel/core/search.js';
import {
  type DescribedUnit,
  isLockedOut,
  presentUnit,
  TENANT_ACCESS,
  UnitAccess,
} from '#domain/access/index.js';
import { CompanyDirectory, type CompanyDocument } from '#domain/companies/index.js';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { Called } from '#eventsourcing/documents/documents-called.js';
import { everyPage } from '#eventsourcing/documents/pages.js';
import { type OperatorScope, placesOf, seesSite, type Site } from '#kernel/principals.js';
import {
  type EntryPoint,
  LocationDirectory,
  type LocationDocument,
  type LockDocument,
} from '#domain/locations/index.js';
import { type TenantAccount, TenantAccounts, TenantSearch } from '#domain/tenants/index.js';
import { exactFirst, UnitDirectory, type UnitDocument } from '#domain/units/index.js';

export interface Found {
  /** Units whose whole name is the searched text come first. */
  readonly units: readonly FoundUnit[];
  readonly tenants: readonly FoundTenant[];
  readonly companies: readonly FoundCompany[];
  readonly locations: readonly FoundLocation[];
  readonly gates: readonly FoundGate[];
  readonly locks: readonly FoundLock[];
  readonly companyNames: CompanyNames;
}

/** The companies that the operator sees, by id; empty where there is only one, which needs no name. */
export type CompanyNames = ReadonlyMap<string, string>;

export type FoundUnit = ReturnType<typeof presentUnit> & {
  readonly round_the_clock: boolean;
  readonly company_id: string;
  readonly tenant: TenantAccount | null;
};

/** The first units that a tenant rents, and how many there are. */
export interface RentedUnits {
  readonly units: readonly FoundUnit[];
  readonly unit_count: number;
}

export type FoundTenant = TenantAccount & RentedUnits;

type FoundCompany = Pick<CompanyDocument, '_id' | 'name'>;

type FoundLocation = Pick<LocationDocument, '_id' | 'name' | 'pms_location_code' | 'company_id'>;

interface FoundGate {
  readonly entry_point_id: string;
  readonly name: string;
  readonly kind: EntryPoint['kind'];
  readonly location: Pick<LocationDocument, '_id' | 'name' | 'company_id'>;
}

export interface FoundLock {
  readonly lock_id: string;
  readonly name: string;
  readonly serial: string | null;
  readonly location_id: string;
  /** Null while the lock is on no unit. */
  readonly unit: FoundUnit | null;
}

/** Where a search looks, and how much it finds of each kind. */
interface Searched {
  readonly companies: readonly string[];
  readonly scope: OperatorScope;
  readonly limit: number;
}

/** Units of each tenant in a list of tenants or taps. */
const MOST_UNITS = 20;
/** Tenants that are put in order: those who are locked out call. */
const ORDERED_TENANTS = 50;
/** Companies that are searched at once. */
const AT_ONCE = 20;
/** Companies that are listed at once. */
const COMPANIES_PAGE = 500;
/** Shorter beginnings find too many locks. */
const SHORTEST_LOCK = 3;

/**
 * Finds units, tenants, locations, entry points and locks of all companies or sites that an operator may see. Each search uses an index, so its
 * cost does not grow with the number of units. Throws StoreUnavailableError.
 */
@Injectable()
export class SearchEverywhere {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
    private readonly accounts: TenantAccounts,
    private readonly tenants: TenantSearch,
    private readonly locations: LocationDirectory,
    private readonly companies: CompanyDirectory,
  ) {}

  /** At most `limit` of each kind. */
  async find(q: string, scope: OperatorScope, limit: number): Promise<Found> {
    const companies = await this.#companies(scope);
    const where = { companies: companies.map(({ _id }) => _id), scope, limit };
    const isCalledSo = nameMatcherOf(q);
    const [units, tenants, places, locks] = await Promise.all([
      this.#units(q, where),
      this.#tenants(q, scope, limit),
      this.#places(q, where),
      this.#locks(q, where),
    ]);
    return {
      units: await this.#presented(units),
      tenants,
      companies: companies.filter(isCalledSo).slice(0, limit),
      ...places,
      locks,
      companyNames: namesOf(companies),
    };
  }

  /** Those who are locked out come first, and those who rent nothing last. */
  async #tenants(q: string, scope: OperatorScope, limit: number) {
    const { companies, locations } = placesOf(scope);
    const places = { companies: companies ?? ('all' as const), locations };
    const page = await this.tenants.page({ ...places, q, limit: Math.max(limit, ORDERED_TENANTS) });
    const found = await this.withUnits(page.tenants, limit);
    return found.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, limit);
  }

  async unitsCalled(
    q: string,
    scope: OperatorScope,
    limit: number,
  ): Promise<Pick<Found, 'units' | 'companyNames'>> {
    const companies = await this.#companies(scope);
    const where = { companies: companies.map(({ _id }) => _id), scope, limit };
    const units = await this.#presented(await this.#units(q, where));
    return { units, companyNames: namesOf(companies) };
  }

  async #companies(scope: OperatorScope): Promise<CompanyDocument[]> {
    const { companies } = placesOf(scope);
    if (companies !== null) return (await this.companies.named(companies)).filter((one) => one !== undefined);
    const all: CompanyDocument[] = [];
    const pages = everyPage((cursor) => this.companies.companies({ limit: COMPANIES_PAGE, cursor }));
    for await (const { documents } of pages) all.push(...documents);
    return all;
  }

  async #units(q: string, where: Searched): Promise<UnitDocument[]> {
    const { limit } = where;
    const isWanted = wantedBy(where, (unit: UnitDocument) => unit);
    const found = await inCompanies(where, (company_id) =>
      this.units.search(q, company_id, { limit, isWanted }),
    );
    return exactFirst(found, q).slice(0, limit);
  }

  /** Adds to each entry the units that its tenant rents, at most `limit`. */
  async withUnits<Entry extends Pick<TenantAccount, 'tenant_id'>>(
    entries: readonly Entry[],
    limit = MOST_UNITS,
  ): Promise<(Entry & RentedUnits)[]> {
    const tenants = [...new Set(entries.map(({ tenant_id }) => tenant_id))];
    const documents = await (await this.views.collection(TENANT_ACCESS)).getMany(tenants);
    const streams = documents.map((document) =>
      (document?.units ?? [])
        .filter(({ relationship }) => relationship === 'primary')
        .map(({ stream }) => stream),
    );
    const counts = new Map(tenants.map((tenant_id, place) => [tenant_id, streams[place]!.length]));
    const first = streams.flatMap((all) => all.slice(0, limit));
    const units = (await this.units.byStreams(first)).filter((unit) => unit !== undefined);
    const found = await this.#presented(units);
    return entries.map((entry) => ({
      ...entry,
      units: found.filter(({ tenant }) => tenant?.tenant_id === entry.tenant_id),
      unit_count: counts.get(entry.tenant_id)!,
    }));
  }

  async #presented(units: readonly UnitDocument[]): Promise<FoundUnit[]> {
    const described = await this.access.describe(units);
    const accounts = await this.accounts.byTenantId(described.flatMap(tenantIdOf));
    const byId = new Map(
      accounts.flatMap((one) => (one === undefined ? [] : [[one.tenant_id, one] as const])),
    );
    return described.map((one) => ({
      ...presentUnit(one),
      company_id: one.unit.company_id,
      round_the_clock: one.unit.round_the_clock,
      tenant: byId.get(one.unit.tenancy?.tenant_id ?? '') ?? null,
    }));
  }

  /** Locations, and entry points. */
  async #places(q: string, where: Searched) {
    const { limit } = where;
    const isCalledSo = nameMatcherOf(q);
    const isWanted = wantedBy(where, ({ company_id, _id }: LocationDocument) => ({
      company_id,
      location_id: _id,
    }));
    const found = await inCompanies(where, (company_id) =>
      this.locations.withName(q, company_id, { limit, isWanted }),
    );
    const gates = found.flatMap((location) =>
      location.entry_points
        .filter(isCalledSo)
        .map(({ entry_point_id, name, kind }) => ({ entry_point_id, name, kind, location })),
    );
    return { locations: found.filter(isCalledSo).slice(0, limit), gates: gates.slice(0, limit) };
  }

  async #locks(q: string, where: Searched): Promise<FoundLock[]> {
    if (searchName(q).length < SHORTEST_LOCK) return [];
    const { limit } = where;
    const isWanted = wantedBy(where, (lock: LockDocument) => lock);
    const found = await inCompanies(where, (company_id) =>
      this.locations.locksCalled(q, company_id, { limit, isWanted }),
    );
    const locks = found.slice(0, limit);
    const mounted = await this.units.byUnitIds(locks.flatMap(({ unit_id }) => unit_id ?? []));
    const units = new Map((await this.#presented(mounted)).map((unit) => [unit.unit_id, unit]));
    return locks.map(({ unit_id, ...lock }) => ({ ...lock, unit: units.get(unit_id ?? '') ?? null }));
  }
}

/** The text is taken apart once, for many things. */
function nameMatcherOf(q: string): (named: { readonly name: string }) => boolean {
  const matches = matcherOf(q);
  return ({ name }) => matches(searchForms(name));
}

function rankOf({ units }: FoundTenant): number {
  if (units.some(({ access }) => isLockedOut(access))) return 0;
  return units.length > 0 ? 1 : 2;
}

function namesOf(companies: readonly CompanyDocument[]): CompanyNames {
  return new Map(companies.length < 2 ? [] : companies.map(({ _id, name }) => [_id, name]));
}

/** Undefined for an operator of whole companies: everything that is found there is wanted. */
function wantedBy<D>({ scope }: Searched, siteOf: (document: D) => Site): Called<D>['isWanted'] {
  return scope.sites === null ? undefined : (document) => seesSite(scope, siteOf(document));
}

/** Searches the companies, some at once, until enough is found. */
async function inCompanies<T>(
  { companies, limit: enough }: Searched,
  search: (company_id: string) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < companies.length && found.length < enough; from += AT_ONCE) {
    const pages = await Promise.all(companies.slice(from, from + AT_ONCE).map(search));
    found.push(...pages.flat());
  }
  return found;
}

function tenantIdOf({ unit: { tenancy } }: DescribedUnit): readonly string[] {
  return tenancy === null ? [] : [tenancy.tenant_id];
}
