import { Inject, Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import type { Collection, DocumentStore, DocumentPage } from '#eventsourcing/documents/document-store.js';
import { type LocationDocument, LocationDirectory } from '#domain/locations/index.js';
import { hasPrefix, nameMatcherOf, namePrefixesOf, prefixesOf, wordMatcherOf } from './core/search-terms.js';
import { accountId, TENANT_ACCOUNTS, type TenantAccount } from './tenant-account.js';

export type SearchedCompanies = readonly string[] | 'all';

/** Where a search looks. */
export interface SearchedPlaces {
  readonly companies: SearchedCompanies;
  /** The only locations of these companies. Absent: all of them. */
  readonly locations?: readonly string[] | undefined;
}

interface TenantFilter extends SearchedPlaces {
  readonly location_id?: string | undefined;
  /** The beginning of a word of the name, of the e-mail or of the phone number; or the whole `pms_tenant_id`. */
  readonly q?: string | undefined;
  /** Search only in names. */
  readonly by?: 'name' | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface TenantPage {
  readonly tenants: TenantAccount[];
  readonly next_cursor: string | null;
}

/** A part of the list that one query of the store answers. */
interface Section {
  /** Identifies the section in cursors, because its number may change between pages. */
  readonly key: string;
  read(limit: number, cursor: string | undefined): Promise<DocumentPage<TenantAccount>>;
  /** Whether the account belongs to the list, and not to an earlier section. */
  holds(account: TenantAccount): boolean;
}

/** The start of a page: a section's number, and the store's cursor in it. */
interface Position {
  readonly section: number;
  readonly cursor: string | undefined;
}

/** Limit of queries for one page. At the limit the page ends early, with a cursor. */
const MOST_FINDS = 1_000;
/** Limit of parallel queries. */
const MOST_AT_ONCE = 20;
/** Appended to a prefix, it sorts after every text with that prefix. */
const LAST = '\u{10FFFF}';

/**
 * Finds tenants by indexes only. Throws StoreUnavailableError, and
 * InvalidCursorError for a cursor of another search.
 */
@Injectable()
export class TenantSearch {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    private readonly locations: LocationDirectory,
  ) {}

  /** At most `limit` tenants. A page may be shorter or empty although more follow. */
  async page({ companies: searched, ...others }: TenantFilter): Promise<TenantPage> {
    const companies = searched === 'all' ? searched : searched.toSorted();
    const filter: TenantFilter = { companies, ...others };
    const accounts = await this.records.collection(TENANT_ACCOUNTS);
    const sections = await this.#sections(accounts, filter);
    const list = ['tenants', companies, filter.location_id, filter.q, filter.by, ...(filter.locations ?? [])];
    let position = startOf(sections, filter.cursor, list);
    const tenants: TenantAccount[] = [];
    let atOnce = 1;
    for (let finds = 0; position !== undefined && tenants.length < filter.limit && finds < MOST_FINDS;) {
      const read = sections.slice(position.section, position.section + Math.min(atOnce, MOST_FINDS - finds));
      const found = await readFrom(position, read, filter.limit - tenants.length);
      finds += read.length;
      const taken = takeFitting(found, filter.limit - tenants.length);
      tenants.push(...taken.tenants);
      position = taken.rest ?? sectionStart(sections, position.section + read.length);
      // Parallel queries may find more than fits. They pay off only while queries find nothing.
      atOnce = taken.tenants.length > 0 ? 1 : Math.min(atOnce * 2, MOST_AT_ONCE);
    }
    if (position === undefined) return { tenants, next_cursor: null };
    const next = [sections[position.section]!.key, position.cursor ?? null];
    return { tenants, next_cursor: encodeCursor(next, list) };
  }

  async #sections(accounts: Collection<TenantAccount>, filter: TenantFilter): Promise<Section[]> {
    const { companies, locations, location_id, q } = filter;
    if (q !== undefined) return this.#searched(accounts, filter, q);
    if (companies === 'all' && locations === undefined && location_id === undefined) {
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
   * Searches all companies for one prefix before the next prefix, so that a whole phone number or e-mail is found first.
   */
  async #searched(accounts: Collection<TenantAccount>, filter: TenantFilter, q: string): Promise<Section[]> {
    const { by } = filter;
    const locations = await this.#locations(filter);
    const companies = [...new Set(locations.map(({ company_id }) => company_id))].sort();
    const prefixes = by === 'name' ? namePrefixesOf(q) : prefixesOf(q);
    const here = new Set(locations.map(({ _id }) => _id));
    const isNarrowed = filter.location_id !== undefined || filter.locations !== undefined;
    const isNamed = nameMatcherOf(q);
    const hasWords = wordMatcherOf(q);
    const isWanted = (account: TenantAccount) =>
      by === 'name' ? isNamed(account) : hasWords(account) && account.pms_tenant_id !== q;
    const isHere = ({ location_id }: TenantAccount) => !isNarrowed || here.has(location_id);
    const byTerm = prefixes.flatMap((prefix, number) =>
      companies.map((company_id): Section => {
        const before = prefixes.slice(0, number);
        const range = { equals: [company_id], from: prefix, to: prefix + LAST };
        return {
          key: `${number} ${company_id}`,
          read: (limit, cursor) => accounts.find('by_term', { ...range, limit, cursor }),
          holds: (account) =>
            isHere(account) && !hasPrefix(account.search_terms, before) && isWanted(account),
        };
      }),
    );
    if (by === 'name') return byTerm;
    const read = (limit: number, cursor: string | undefined) =>
      identified(accounts, locations, q, limit, cursor);
    return [{ key: 'identifier', read, holds: () => true }, ...byTerm];
  }

  async #locations({ companies, locations, location_id }: TenantFilter): Promise<LocationDocument[]> {
    if (location_id === undefined && locations === undefined)
      return this.locations.locationsOfCompanies(companies);
    const ids = location_id === undefined ? locations! : [location_id];
    return (await this.locations.locations(ids.filter((id) => locations?.includes(id) ?? true)))
      .filter((location) => location !== undefined)
      .filter(({ company_id }) => companies === 'all' || companies.includes(company_id))
      .sort((one, other) => (one._id < other._id ? -1 : 1));
  }
}

/** The account with this `pms_tenant_id` at each location. */
async function identified(
  accounts: Collection<TenantAccount>,
  locations: readonly LocationDocument[],
  pms_tenant_id: string,
  limit: number,
  after = '',
): Promise<DocumentPage<TenantAccount>> {
  const ids = locations
    .filter(({ _id }) => _id > after)
    .map(({ _id, company_id }) => accountId({ company_id, location_id: _id, pms_tenant_id }));
  const found = (await accounts.getMany(ids)).filter((account) => account !== undefined);
  const documents = found.slice(0, limit);
  return { documents, next_cursor: found.length > limit ? documents.at(-1)!.location_id : null };
}

/** @throws InvalidCursorError for a position that the list does not have */
function startOf(
  sections: readonly Section[],
  cursor: string | undefined,
  list: unknown,
): Position | undefined {
  if (cursor === undefined) return sectionStart(sections, 0);
  const position = decodeCursor(cursor, list);
  if (!Array.isArray(position) || position.length !== 2) throw new InvalidCursorError();
  const [key, inside] = position as unknown[];
  const section = sections.findIndex((one) => one.key === key);
  if (section < 0 || (inside !== null && typeof inside !== 'string')) throw new InvalidCursorError();
  return { section, cursor: inside ?? undefined };
}

function sectionStart(sections: readonly Section[], section: number): Position | undefined {
  return section < sections.length ? { section, cursor: undefined } : undefined;
}

/** The result of one query. */
interface SectionPage {
  readonly position: Position;
  readonly tenants: readonly TenantAccount[];
  readonly next_cursor: string | null;
}

/** Queries consecutive sections in parallel, the first one from its cursor on. */
function readFrom(first: Position, sections: readonly Section[], room: number): Promise<SectionPage[]> {
  return Promise.all(
    sections.map(async (section, number) => {
      const cursor = number === 0 ? first.cursor : undefined;
      const { documents, next_cursor } = await section.read(room, cursor);
      const tenants = documents.filter((account) => section.holds(account));
      return { position: { section: first.section + number, cursor }, tenants, next_cursor };
    }),
  );
}

/** The tenants that fit into the page, and the position after them; undefined after the last section. */
function takeFitting(
  found: readonly SectionPage[],
  room: number,
): { readonly tenants: TenantAccount[]; readonly rest: Position | undefined } {
  const tenants: TenantAccount[] = [];
  for (const { position, next_cursor, tenants: shown } of found) {
    if (tenants.length + shown.length > room) return { tenants, rest: position };
    tenants.push(...shown);
    if (next_cursor !== null) return { tenants, rest: { section: position.section, cursor: next_cursor } };
  }
  return { tenants, rest: undefined };
}
