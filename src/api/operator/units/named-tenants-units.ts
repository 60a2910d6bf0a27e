import { Inject, Injectable } from '@nestjs/common';
import { InvalidCursorError } from '#kernel/cursor.js';
import {
  isAskedFor,
  MOST_CURES,
  TENANT_ACCESS,
  UnitAccess,
  type UnitListFilter,
} from '#domain/access/index.js';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import {
  nameMatcherOf,
  type SearchedPlaces,
  type TenantAccount,
  TenantAccounts,
  TenantSearch,
} from '#domain/tenants/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';

/** Chooses units by company, location, decision, and the beginning of the tenant's name (`q`). */
export interface NamedTenantsFilter
  extends Pick<UnitListFilter, 'location_id' | 'state' | 'reason' | 'locked_out'>, SearchedPlaces {
  readonly q: string;
  readonly limit: number;
}

/**
 * The position of a search that goes from tenant to tenant and from unit to unit. It is written into cursors as JSON.
 */
export interface TenantsPosition {
  /** Ids of found tenants whose units were not all returned yet. */
  readonly waiting: readonly string[];
  /** The last returned unit of the first waiting tenant. Empty: none of its units was returned. */
  readonly behind: string;
  /** The cursor that finds more tenants. Empty: from the start. Null: all tenants are found. */
  readonly search: string | null;
}

export const START: TenantsPosition = { waiting: [], behind: '', search: '' };

/** Tenants that are found at once. A cursor that names all of them must stay short. */
const TENANTS_PER_SEARCH = 40;

/** A unit that a tenant rents. */
interface Rented {
  readonly tenant_id: string;
  readonly unit_id: string;
  readonly stream: string;
}

/** Finds units by their tenants' names. It uses an index, so its cost does not grow with the number of units. */
@Injectable()
export class NamedTenantsUnits {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly search: TenantSearch,
    private readonly accounts: TenantAccounts,
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
  ) {}

  /**
   * At most `limit` units after a position, and the position after them. `next` is null if no units follow. A page may be short
   * or empty although more units follow. Throws StoreUnavailableError, and InvalidCursorError for an impossible position.
   */
  async page(filter: NamedTenantsFilter, position: TenantsPosition) {
    const { tenants, search } = await this.#tenants(filter, position);
    const rented = await this.#rented(tenants, position);
    const listed = rented.slice(0, filter.limit);
    const documents = await this.units.byStreams(listed.map(({ stream }) => stream));
    const units = documents.filter((unit) => unit !== undefined).filter((unit) => isRentedBy(unit, tenants));
    const described = await this.access.describe(units, MOST_CURES);
    const isCut = described.length < units.length;
    const end = isCut ? documents.indexOf(described.at(-1)!.unit) : listed.length - 1;
    const last = isCut || rented.length > listed.length ? listed[end] : undefined;
    return {
      units: described.filter(({ decision }) => isAskedFor(decision, filter)),
      next: last === undefined ? positionAfterAll(search) : positionAfter(last, tenants, search),
    };
  }

  /** Waiting tenants that this filter does not choose are left out. A forged cursor may name such tenants. */
  async #tenants(
    { companies, locations, location_id, q }: NamedTenantsFilter,
    { waiting, search }: TenantsPosition,
  ) {
    if (waiting.length === 0) {
      if (search === null) throw new InvalidCursorError();
      const cursor = search === '' ? undefined : search;
      const by = 'name' as const;
      const limit = TENANTS_PER_SEARCH;
      const page = await this.search.page({ companies, locations, location_id, q, by, cursor, limit });
      return { tenants: page.tenants, search: page.next_cursor };
    }
    const found = await this.accounts.byTenantId(waiting);
    const isNamed = nameMatcherOf(q);
    const tenants = found.filter(
      (one): one is TenantAccount =>
        one !== undefined &&
        (companies === 'all' || companies.includes(one.company_id)) &&
        one.location_id === (location_id ?? one.location_id) &&
        (locations?.includes(one.location_id) ?? true) &&
        isNamed(one),
    );
    return { tenants, search };
  }

  /** The tenants' units after the position, sorted by ids, which never change. */
  async #rented(tenants: readonly TenantAccount[], { waiting, behind }: TenantsPosition): Promise<Rented[]> {
    const ids = tenants.map(({ tenant_id }) => tenant_id);
    const documents = await (await this.views.collection(TENANT_ACCESS)).getMany(ids);
    return ids.flatMap((tenant_id, index) =>
      (documents[index]?.units ?? [])
        .filter(({ relationship }) => relationship === 'primary')
        .filter(({ unit_id }) => tenant_id !== waiting[0] || unit_id > behind)
        .map(({ unit_id, stream }) => ({ tenant_id, unit_id, stream }))
        .sort((one, other) => (one.unit_id < other.unit_id ? -1 : 1)),
    );
  }
}

/** The unit's document is newer than the tenant's: the tenant may have moved out. */
function isRentedBy({ tenancy }: UnitDocument, tenants: readonly TenantAccount[]): boolean {
  return tenants.some(({ tenant_id }) => tenant_id === tenancy?.tenant_id);
}

function positionAfterAll(search: string | null): TenantsPosition | null {
  return search === null ? null : { ...START, search };
}

function positionAfter(
  { tenant_id, unit_id }: Rented,
  tenants: readonly TenantAccount[],
  search: string | null,
): TenantsPosition {
  const ids = tenants.map((one) => one.tenant_id);
  return { waiting: ids.slice(ids.indexOf(tenant_id)), behind: unit_id, search };
}
