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

/** Those of some companies alone, or of all that there are. */
export type SearchedCompanies = readonly string[] | 'all';

/** Which tenants, a page at a time. */
export interface TenantFilter {
  readonly companies: SearchedCompanies;
  readonly location_id?: string | undefined;
  /** The beginning of any word of a name, of an e-mail, a phone number or the PMS's identifier. */
  readonly q?: string | undefined;
  /** Those alone of whose name `q` is the beginning, from any of its words on. */
  readonly by?: 'name' | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface TenantPage {
  readonly tenants: TenantAccount[];
  readonly next_cursor: string | null;
}

/**
 * A place in the search: which of the companies, in order, which of the beginnings, and the store's own cursor there. A
 * beginning is looked for in all companies before the next one is, so that a whole number or e-mail is found first, however
 * many companies there are.
 */
type Place = readonly [company: number, part: number, cursor: string | null];

/** Finds of the store that one page makes before it ends where it has come. */
const MOST_FINDS = 1_000;
/** Finds that are made side by side. */
const MOST_AT_ONCE = 20;

/** Searched as one, by indexes over all of them. */
const EVERY_COMPANY = [undefined];

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
    const companies = filter.companies === 'all' ? EVERY_COMPANY : [...filter.companies].sort();
    const list = ['tenants', companies, filter.location_id, filter.q, filter.by];
    let place = this.#begin(filter, list, companies.length, parts.length);
    const tenants: TenantAccount[] = [];
    let atOnce = 1;
    for (let finds = 0; place !== undefined && tenants.length < filter.limit && finds < MOST_FINDS;) {
      const places = placesFrom(place, companies.length, parts.length, Math.min(atOnce, MOST_FINDS - finds));
      const room = filter.limit - tenants.length;
      const found = await Promise.all(
        places.map(async (one): Promise<Found> => {
          const [company, part, cursor] = one;
          const reading = { ...filter, company_id: companies[company], limit: room };
          const page = await find(accounts, reading, parts[part], cursor);
          const earlier = parts.slice(0, part).flatMap((beginning) => beginning ?? []);
          return {
            place: one,
            page,
            tenants: page.documents.filter((each) => isTold(each, reading, earlier)),
          };
        }),
      );
      finds += places.length;
      const told = fitting(found, room);
      tenants.push(...told.tenants);
      place = told.rest ?? next(places.at(-1)!, companies.length, parts.length);
      // What follows a hit may find no room any more: only after none is it worth to look ahead.
      atOnce = told.tenants.length > 0 ? 1 : Math.min(atOnce * 2, MOST_AT_ONCE);
    }
    return { tenants, next_cursor: place === undefined ? null : encodeCursor(place, list) };
  }

  #begin({ cursor }: TenantFilter, list: unknown, companies: number, parts: number): Place | undefined {
    if (cursor === undefined) return companies === 0 || parts === 0 ? undefined : [0, 0, null];
    const place = decodeCursor(cursor, list);
    if (!isPlace(place, companies, parts)) throw new InvalidCursorError();
    return place;
  }
}

function searchedBy(q: string, by: TenantFilter['by']): SearchedBeginning[] {
  return by === 'name' ? nameBeginningsOf(q) : beginningsOf(q);
}

/** What follows when a part of a company is read whole. */
function next([company, part]: Place, companies: number, parts: number): Place | undefined {
  if (company + 1 < companies) return [company + 1, part, null];
  return part + 1 < parts ? [0, part + 1, null] : undefined;
}

/** A place and those that follow it, at most `count`. */
function placesFrom(first: Place, companies: number, parts: number, count: number): Place[] {
  const places = [first];
  for (let place = next(first, companies, parts); place !== undefined && places.length < count;) {
    places.push(place);
    place = next(place, companies, parts);
  }
  return places;
}

/** What was found at a place, read for all the room there is. */
interface Found {
  readonly place: Place;
  readonly page: Page<TenantAccount>;
  /** Those of the page that are told there. */
  readonly tenants: readonly TenantAccount[];
}

/** What of some places in a row has room together, and where the search goes on; undefined behind the last of them. */
function fitting(
  found: readonly Found[],
  room: number,
): { readonly tenants: TenantAccount[]; readonly rest: Place | undefined } {
  const tenants: TenantAccount[] = [];
  for (const { place, page, tenants: told } of found) {
    if (tenants.length + told.length > room) return { tenants, rest: place };
    tenants.push(...told);
    if (page.next_cursor !== null) return { tenants, rest: [place[0], place[1], page.next_cursor] };
  }
  return { tenants, rest: undefined };
}

interface Reading extends TenantFilter {
  /** Undefined for every company. */
  readonly company_id: string | undefined;
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
    if (company_id !== undefined)
      return accounts.find(`by_${field}`, { equals: [company_id], ...range, ...paged });
    return accounts.find(field === 'phone' ? field : `of_all_by_${field}`, {
      equals: [],
      ...range,
      ...paged,
    });
  }
  if (location_id !== undefined) return accounts.find('by_location', { equals: [location_id], ...paged });
  return company_id === undefined
    ? accounts.find('tenant_id', { equals: [], ...paged })
    : accounts.find('by_pms_tenant_id', { equals: [company_id], ...paged });
}

/** What an earlier beginning has found is told there. */
function isTold(
  account: TenantAccount,
  { company_id, location_id }: Reading,
  earlier: readonly SearchedBeginning[],
): boolean {
  return (
    (company_id === undefined || account.company_id === company_id) &&
    (location_id === undefined || account.location_id === location_id) &&
    !isFoundBy(account, earlier)
  );
}

function isPlace(place: unknown, companies: number, parts: number): place is Place {
  if (!Array.isArray(place) || place.length !== 3) return false;
  const [company, part, cursor] = place as unknown[];
  return (
    isBelow(companies, company) && isBelow(parts, part) && (cursor === null || typeof cursor === 'string')
  );
}

function isBelow(count: number, index: unknown): boolean {
  return Number.isSafeInteger(index) && (index as number) >= 0 && (index as number) < count;
}
