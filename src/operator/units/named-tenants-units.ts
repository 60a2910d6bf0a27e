import { Inject, Injectable } from '@nestjs/common';
import { InvalidCursorError } from '../../base/cursor.js';
import {
  isAskedFor,
  MOST_CURES,
  TENANT_ACCESS,
  UnitAccess,
  type UnitListFilter,
} from '../../access/index.js';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import {
  isNamed,
  type SearchedCompanies,
  type TenantAccount,
  TenantAccounts,
  TenantSearch,
} from '../../tenants/index.js';
import { UnitDirectory, type UnitDocument } from '../../units/index.js';

/** Which tenants' units: those of companies, in a state, of whose tenant's name `q` is the beginning. */
export interface NamedTenantsFilter extends Pick<UnitListFilter, 'location_id' | 'state' | 'reason'> {
  readonly companies: SearchedCompanies;
  readonly q: string;
  readonly limit: number;
}

/**
 * How far the units of the tenants are told: the tenants that are found already, behind which unit of the first of them, and
 * the cursor that finds more. It stands in cursors, so it is plain JSON.
 */
export interface TenantsPlace {
  readonly waiting: readonly string[];
  readonly behind: string;
  /** Empty at the beginning, null where all tenants are found. */
  readonly search: string | null;
}

export const FIRST_TENANTS: TenantsPlace = { waiting: [], behind: '', search: '' };

/** Tenants that are found at once: a cursor that names them all stays as short as a cursor may be. */
const MOST_TENANTS = 40;

/** A unit that a tenant rents. */
interface Rented {
  readonly tenant_id: string;
  readonly unit_id: string;
  readonly stream: string;
}

/** Finds units by their tenants' names, through an index, so that the work does not grow with the units. */
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
   * At most `limit` units that follow a place, and the place behind them; null where no more follow. A page may be short or
   * empty although more follow. Throws StoreUnavailableError, and InvalidCursorError for a place of another search.
   */
  async page(filter: NamedTenantsFilter, place: TenantsPlace) {
    const { tenants, search } = await this.#tenants(filter, place);
    const all = await this.#rented(tenants, place);
    const listed = all.slice(0, filter.limit);
    const documents = await this.units.byStreams(listed.map(({ stream }) => stream));
    const held = documents.filter((unit) => unit !== undefined).filter((unit) => isHeld(unit, tenants));
    const described = await this.access.describe(held, MOST_CURES);
    const isCut = described.length < held.length;
    const end = isCut ? documents.indexOf(described.at(-1)!.unit) : listed.length - 1;
    const last = isCut || all.length > listed.length ? listed[end] : undefined;
    return {
      units: described.filter(({ decision }) => isAskedFor(decision, filter)),
      next: last === undefined ? behindAll(search) : behindUnit(last, tenants, search),
    };
  }

  /** Those of another search's place that are none of this one's find nothing. */
  async #tenants({ companies, location_id, q }: NamedTenantsFilter, { waiting, search }: TenantsPlace) {
    if (waiting.length === 0) {
      if (search === null) throw new InvalidCursorError();
      const cursor = search === '' ? undefined : search;
      const by = 'name' as const;
      const page = await this.search.page({ companies, location_id, q, by, cursor, limit: MOST_TENANTS });
      return { tenants: page.tenants, search: page.next_cursor };
    }
    const found = await this.accounts.byTenantId(waiting);
    const tenants = found.filter(
      (one): one is TenantAccount =>
        one !== undefined &&
        (companies === 'all' || companies.includes(one.company_id)) &&
        one.location_id === (location_id ?? one.location_id) &&
        isNamed(one, q),
    );
    return { tenants, search };
  }

  /** In an order that writes do not change, from behind the place on. */
  async #rented(tenants: readonly TenantAccount[], { waiting, behind }: TenantsPlace): Promise<Rented[]> {
    const ids = tenants.map(({ tenant_id }) => tenant_id);
    const documents = await (await this.views.collection(TENANT_ACCESS)).getMany(ids);
    return ids.flatMap((tenant_id, place) =>
      (documents[place]?.units ?? [])
        .filter(({ relationship }) => relationship === 'primary')
        .filter(({ unit_id }) => tenant_id !== waiting[0] || unit_id > behind)
        .map(({ unit_id, stream }) => ({ tenant_id, unit_id, stream }))
        .sort((one, other) => (one.unit_id < other.unit_id ? -1 : 1)),
    );
  }
}

/** Whether one of the tenants has the unit still, as the unit's own document tells. */
function isHeld({ tenancy }: UnitDocument, tenants: readonly TenantAccount[]): boolean {
  return tenants.some(({ tenant_id }) => tenant_id === tenancy?.tenant_id);
}

function behindAll(search: string | null): TenantsPlace | null {
  return search === null ? null : { waiting: [], behind: '', search };
}

function behindUnit(
  { tenant_id, unit_id }: Rented,
  tenants: readonly TenantAccount[],
  search: string | null,
): TenantsPlace {
  const ids = tenants.map((one) => one.tenant_id);
  return { waiting: ids.slice(ids.indexOf(tenant_id)), behind: unit_id, search };
}
