import { Inject, Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '../base/cursor.js';
import { RECORDS } from '../config/injection-tokens.js';
import type { Collection, DocumentStore, Page } from '../documents/document-store.js';
import { type LocationDocument, LocationDirectory } from '../locations/index.js';
import { beginningsOf, hasWords, isFoundBy, isNamed, nameBeginningsOf } from './core/search-terms.js';
import { accountId, TENANT_ACCOUNTS, type TenantAccount } from './tenant-accounts.js';

/** Those of some companies alone, or of all that there are. */
export type SearchedCompanies = readonly string[] | 'all';

/** Which tenants, a page at a time. */
export interface TenantFilter {
  readonly companies: SearchedCompanies;
  readonly location_id?: string | undefined;
  /** The beginning of any word of a name, of an e-mail or a phone number; or the PMS's identifier. */
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

/** A part of a list, which one index of the store serves. */
interface Section {
  /** Its name in cursors: other sections may come before it meanwhile. */
  readonly key: string;
  read(limit: number, cursor: string | undefined): Promise<Page<TenantAccount>>;
  /** Whether an account that was read belongs to the list, and to no earlier section. */
  holds(account: TenantAccount): boolean;
}

/** The place of a page: a section's number, and the store's own cursor there. */
interface Place {
  readonly section: number;
  readonly cursor: string | undefined;
}

/** Finds of the store that one page makes before it ends where it has come. */
const MOST_FINDS = 1_000;
/** Finds that are made side by side. */
const MOST_AT_ONCE = 20;
/** After every text that begins so, as indexes order texts. */
const LAST = '\u{10FFFF}';

/**
 * Finds tenants through indexes, so that no search reads what it does not show. Throws StoreUnavailableError, and
 * InvalidCursorError for a cursor of another search.
 */
@Injectable()
export class TenantSearch {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    private readonly locations: LocationDirectory,
  ) {}

  /** At most `limit` tenants, each once; a page may be short or empty although more follow. */
  async page({ companies: searched, ...others }: TenantFilter): Promise<TenantPage> {
    const companies = searched === 'all' ? searched : searched.toSorted();
    const filter = { companies, ...others };
    const accounts = await this.records.collection(TENANT_ACCOUNTS);
    const sections = await this.#sections(accounts, filter);
    const list = ['tenants', companies, filter.location_id, filter.q, filter.by];
    let place = begin(sections, filter.cursor, list);
    const tenants: TenantAccount[] = [];
    let atOnce = 1;
    for (let finds = 0; place !== undefined && tenants.length < filter.limit && finds < MOST_FINDS;) {
      const read = sections.slice(place.section, place.section + Math.min(atOnce, MOST_FINDS - finds));
      const found = await readFrom(place, read, filter.limit - tenants.length);
      finds += read.length;
      const taken = fitting(found, filter.limit - tenants.length);
      tenants.push(...taken.tenants);
      place = taken.rest ?? beginOf(sections, place.section + read.length);
      // Hits behind this one may find no room. Looking ahead is worth it only after none.
      atOnce = taken.tenants.length > 0 ? 1 : Math.min(atOnce * 2, MOST_AT_ONCE);
    }
    if (place === undefined) return { tenants, next_cursor: null };
    const next = [sections[place.section]!.key, place.cursor ?? null];
    return { tenants, next_cursor: encodeCursor(next, list) };
  }

  async #sections(accounts: Collection<TenantAccount>, filter: TenantFilter): Promise<Section[]> {
    const { companies, location_id, q } = filter;
    if (q !== undefined) return this.#searched(accounts, filter, q);
    if (companies === 'all' && location_id === undefined) {
      const read = (limit: number, cursor: string | undefined) =>
        accounts.find('tenant_id', { equals: [], limit, cursor });
      return [{ key: 'all', read, holds: () => true }];
    }
    return (await this.#locations(filter)).map(({ _id }) => ({
      key: _id,
      read: (limit, cursor) => accounts.find('by_location', { equals: [_id], limit, cursor }),
      holds: () => true,
    }));
  }

  /**
   * A beginning is looked for in all companies before the next one is, so that a whole number or e-mail is found first,
   * however many companies there are.
   */
  async #searched(accounts: Collection<TenantAccount>, filter: TenantFilter, q: string): Promise<Section[]> {
    const { location_id, by } = filter;
    const locations = await this.#locations(filter);
    const companies = [...new Set(locations.map(({ company_id }) => company_id))].sort();
    const beginnings = by === 'name' ? nameBeginningsOf(q) : beginningsOf(q);
    const isHere = (account: TenantAccount) => account.location_id === (location_id ?? account.location_id);
    const byTerm = beginnings.flatMap((beginning, number) =>
      companies.map((company_id): Section => {
        const range = { equals: [company_id], from: beginning, to: beginning + LAST };
        return {
          key: `${number} ${company_id}`,
          read: (limit, cursor) => accounts.find('by_term', { ...range, limit, cursor }),
          holds: (account) =>
            isHere(account) &&
            !isFoundBy(account, beginnings.slice(0, number)) &&
            hasWords(account, q) &&
            (by === undefined ? account.pms_tenant_id !== q : isNamed(account, q)),
        };
      }),
    );
    if (by === 'name') return byTerm;
    const read = (limit: number, cursor: string | undefined) =>
      identified(accounts, locations, q, limit, cursor);
    return [{ key: 'identifier', read, holds: () => true }, ...byTerm];
  }

  async #locations({ companies, location_id }: TenantFilter): Promise<LocationDocument[]> {
    if (location_id === undefined) return this.locations.locationsOfCompanies(companies);
    const location = await this.locations.location(location_id);
    const isSearched =
      location !== undefined && (companies === 'all' || companies.includes(location.company_id));
    return isSearched ? [location] : [];
  }
}

/** The account of a PMS's identifier at each location. */
async function identified(
  accounts: Collection<TenantAccount>,
  locations: readonly LocationDocument[],
  pms_tenant_id: string,
  limit: number,
  after = '',
): Promise<Page<TenantAccount>> {
  const ids = locations
    .filter(({ _id }) => _id > after)
    .map(({ _id, company_id }) => accountId({ company_id, location_id: _id, pms_tenant_id }));
  const found = (await accounts.getMany(ids)).filter((account) => account !== undefined);
  const documents = found.slice(0, limit);
  return { documents, next_cursor: found.length > limit ? documents.at(-1)!.location_id : null };
}

/** @throws InvalidCursorError for a place that the list has not */
function begin(sections: readonly Section[], cursor: string | undefined, list: unknown): Place | undefined {
  if (cursor === undefined) return beginOf(sections, 0);
  const place = decodeCursor(cursor, list);
  if (!Array.isArray(place) || place.length !== 2) throw new InvalidCursorError();
  const [key, inside] = place as unknown[];
  const section = sections.findIndex((one) => one.key === key);
  if (section < 0 || (inside !== null && typeof inside !== 'string')) throw new InvalidCursorError();
  return { section, cursor: inside ?? undefined };
}

function beginOf(sections: readonly Section[], section: number): Place | undefined {
  return section < sections.length ? { section, cursor: undefined } : undefined;
}

/** The hits of one find of a section, for all the room there is. */
interface Found {
  readonly place: Place;
  readonly tenants: readonly TenantAccount[];
  readonly next_cursor: string | null;
}

/** Reads sections in a row side by side, the first one from the place on. */
function readFrom(first: Place, sections: readonly Section[], room: number): Promise<Found[]> {
  return Promise.all(
    sections.map(async (section, number) => {
      const cursor = number === 0 ? first.cursor : undefined;
      const { documents, next_cursor } = await section.read(room, cursor);
      const tenants = documents.filter((account) => section.holds(account));
      return { place: { section: first.section + number, cursor }, tenants, next_cursor };
    }),
  );
}

/** The tenants of sections in a row that have room together, and where the list goes on; undefined behind the last one. */
function fitting(
  found: readonly Found[],
  room: number,
): { readonly tenants: TenantAccount[]; readonly rest: Place | undefined } {
  const tenants: TenantAccount[] = [];
  for (const { place, next_cursor, tenants: shown } of found) {
    if (tenants.length + shown.length > room) return { tenants, rest: place };
    tenants.push(...shown);
    if (next_cursor !== null) return { tenants, rest: { section: place.section, cursor: next_cursor } };
  }
  return { tenants, rest: undefined };
}
