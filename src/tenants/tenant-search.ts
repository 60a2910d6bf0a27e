import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '../config/injection-tokens.js';
import {
  type Collection,
  type DocumentStore,
  InvalidCursorError,
  type Page,
} from '../documents/document-store.js';
import { decodeCursor, encodeCursor } from '../documents/page-cursor.js';
import { beginningsOf, isFoundBy, nameBeginningsOf, type SearchedBeginning } from './core/search-keys.js';
import { TENANT_ACCOUNTS, type TenantAccount } from './tenant-account.js';

/** Which tenants, a page at a time. */
export interface TenantFilter {
  /** Those of these companies alone. */
  readonly companies: readonly string[];
  readonly location_id?: string | undefined;
  /** The beginning of a name, a surname, an e-mail, a phone number or the PMS's identifier. */
  readonly q?: string | undefined;
  /** Those alone of whose name or surname `q` is the beginning. */
  readonly by?: 'name' | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface TenantPage {
  readonly tenants: TenantAccount[];
  readonly next_cursor: string | null;
}

/** A place in the search: the company, which of the beginnings, and the store's own cursor there. */
type Place = readonly [company_id: string, part: number, cursor: string | null];

/** Finds of the store that one page makes before it ends where it has come. */
const MOST_FINDS = 40;

/** After every text that begins so, as indexes order texts. */
const LAST = '\u{10FFFF}';

/**
 * Finds tenants by the beginnings of what is known of them, each by an index, so that no search reads what it does not
 * tell. Throws StoreUnavailableError, and InvalidCursorError for a cursor of another search.
 */
@Injectable()
export class TenantSearch {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /** At most `limit` tenants, each once; a page may be short or empty although more follow. */
  async page(filter: TenantFilter): Promise<TenantPage> {
    const accounts = await this.records.collection(TENANT_ACCOUNTS);
    const parts = filter.q === undefined ? [undefined] : searchedBy(filter.q, filter.by);
    const companies = [...filter.companies].sort();
    const list = ['tenants', companies, filter.location_id, filter.q, filter.by];
    let place = this.#begin(filter, list, companies, parts.length);
    const tenants: TenantAccount[] = [];
    for (let finds = 0; place !== undefined && tenants.length < filter.limit; finds += 1) {
      if (finds === MOST_FINDS) break;
      const [company_id, part, cursor] = place;
      const earlier = parts.slice(0, part).flatMap((one) => one ?? []);
      const limit = filter.limit - tenants.length;
      const page = await find(accounts, { ...filter, company_id, limit }, parts[part], cursor);
      tenants.push(...page.documents.filter((account) => isTold(account, filter, earlier)));
      place =
        page.next_cursor === null
          ? next(place, companies, parts.length)
          : [company_id, part, page.next_cursor];
    }
    return { tenants, next_cursor: place === undefined ? null : encodeCursor(place, list) };
  }

  #begin({ cursor }: TenantFilter, list: unknown, companies: readonly string[], parts: number) {
    if (cursor === undefined)
      return companies[0] === undefined || parts === 0 ? undefined : ([companies[0], 0, null] as Place);
    const place = decodeCursor(cursor, list);
    if (!isPlace(place, companies, parts)) throw new InvalidCursorError();
    return place;
  }
}

function searchedBy(q: string, by: TenantFilter['by']): SearchedBeginning[] {
  return by === 'name' ? nameBeginningsOf(q) : beginningsOf(q);
}

/** What follows when a part of a company is read whole. */
function next([company_id, part]: Place, companies: readonly string[], parts: number): Place | undefined {
  if (part + 1 < parts) return [company_id, part + 1, null];
  const company = companies[companies.indexOf(company_id) + 1];
  return company === undefined ? undefined : [company, 0, null];
}

interface Reading extends TenantFilter {
  readonly company_id: string;
}

function find(
  accounts: Collection<TenantAccount>,
  { company_id, location_id, limit }: Reading,
  searched: SearchedBeginning | undefined,
  cursor: string | null,
): Promise<Page<TenantAccount>> {
  const paged = { limit, cursor: cursor ?? undefined };
  if (searched !== undefined) {
    const { field, beginning } = searched;
    const range = { from: beginning, to: beginning + LAST };
    return accounts.find(`by_${field}`, { equals: [company_id], ...range, ...paged });
  }
  return location_id === undefined
    ? accounts.find('by_pms_tenant_id', { equals: [company_id], ...paged })
    : accounts.find('by_location', { equals: [location_id], ...paged });
}

/** What an earlier beginning has found is told there. */
function isTold(
  account: TenantAccount,
  { companies, location_id }: TenantFilter,
  earlier: readonly SearchedBeginning[],
): boolean {
  return (
    companies.includes(account.company_id) &&
    (location_id === undefined || account.location_id === location_id) &&
    !isFoundBy(account, earlier)
  );
}

function isPlace(place: unknown, companies: readonly string[], parts: number): place is Place {
  if (!Array.isArray(place) || place.length !== 3) return false;
  const [company_id, part, cursor] = place as unknown[];
  return (
    companies.includes(company_id as string) &&
    Number.isSafeInteger(part) &&
    (part as number) >= 0 &&
    (part as number) < parts &&
    (cursor === null || typeof cursor === 'string')
  );
}
