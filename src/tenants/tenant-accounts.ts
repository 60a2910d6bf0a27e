import { Inject, Injectable, Optional } from '@nestjs/common';
import { CompanyClocks } from '../companies/index.js';
import type { Ids } from '../config/ids.js';
import { IDS, RECORDS, RECORDS_COMMIT_WITH } from '../config/injection-tokens.js';
import type {
  Collection,
  DocumentStore,
  CollectionDeclaration,
  DocumentWrite,
  StoredDocument,
} from '../documents/document-store.js';
import { everyPage } from '../documents/pages.js';
import type { RecordsCommit } from '../storage/records-commit.js';
import { isTestNumber } from './sandbox-phones.js';
import { searchTerms } from './core/search-terms.js';
import { DETAIL_FIELDS, type DetailField } from './core/tenant.events.js';

/** The identity of an account: a PMS tenant at a location of a company. */
export interface TenantKey {
  readonly company_id: string;
  readonly location_id: string;
  readonly pms_tenant_id: string;
}

/** A tenant account with its personal details, which live here and nowhere else. */
export interface TenantAccount extends StoredDocument, TenantKey {
  /** ULID by which events, views and the app name the tenant. Fixed for ever, erasure included. */
  readonly tenant_id: string;
  /** null while only a flat push write has named the tenant, and after an erasure. */
  readonly name: string | null;
  readonly email: string | null;
  /** International, with a leading `+`. Several accounts may share one. */
  readonly phone: string | null;
  /** Empty while there are no personal details. */
  readonly search_terms: readonly string[];
  /** Milliseconds: when the personal details were erased; null while they stand. */
  readonly erased_at: number | null;
  readonly created_at: number;
  readonly version: number;
}

/** Personal details as a write states them: an absent field leaves what is stored, null clears it. */
export interface PersonalDetails {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** Personal details of one account, as whoever names its person states them. */
export interface TenantDetails extends PersonalDetails {
  readonly key: TenantKey;
  readonly name: string;
}

export const TENANT_ACCOUNTS: CollectionDeclaration<TenantAccount> = {
  name: 'tenant_accounts',
  indexes: {
    tenant_id: { fields: ['tenant_id'], unique: true },
    phone: { fields: ['phone', 'company_id'], sparse: true },
    by_location: { fields: ['location_id', 'tenant_id'] },
    by_term: { fields: ['company_id', 'search_terms', 'tenant_id'], list: 'search_terms' },
  },
};

/**
 * The natural key as a document id. The first two parts are ULIDs, which hold no `/`, so whatever the PMS calls its
 * tenant cannot make two keys meet.
 */
export function accountId(key: TenantKey): string {
  return `${key.company_id}/${key.location_id}/${key.pms_tenant_id}`;
}

/** Held while a command may create or complete accounts of this name (`CommandRunner.alone`). */
export function tenantName(company_id: string, pms_tenant_id: string): string {
  return `tenant ${company_id} ${pms_tenant_id}`;
}

export function accountInsert(document: TenantAccount): DocumentWrite {
  return { kind: 'insert', collection: TENANT_ACCOUNTS.name, document };
}

/** An account that a write names for the first time. */
export function newAccount(key: TenantKey, tenant_id: string, now: number): TenantAccount {
  return {
    _id: accountId(key),
    company_id: key.company_id,
    location_id: key.location_id,
    pms_tenant_id: key.pms_tenant_id,
    tenant_id,
    name: null,
    email: null,
    phone: null,
    search_terms: [],
    erased_at: null,
    created_at: now,
    version: 0,
  };
}

/** The details of which the accounts differ. */
export function changedFields(before: TenantAccount | undefined, after: TenantAccount): DetailField[] {
  return DETAIL_FIELDS.filter((field) => (before?.[field] ?? null) !== after[field]);
}

/**
 * The account with new details, at its next version; the same object where nothing differs. Details that are given
 * after an erasure make the account a person's again: whose word does not do that is the caller's to know.
 */
export function withDetails(account: TenantAccount, details: PersonalDetails): TenantAccount {
  const name = details.name === undefined ? account.name : details.name;
  const email = details.email === undefined ? account.email : details.email;
  const phone = details.phone === undefined ? account.phone : details.phone;
  if (name === account.name && email === account.email && phone === account.phone) return account;
  const someone = name !== null || email !== null || phone !== null;
  const erased_at = someone ? null : account.erased_at;
  const search_terms = searchTerms({ name, email, phone });
  return { ...account, name, email, phone, search_terms, erased_at, version: account.version + 1 };
}

/** The account without a person, at its next version; the same object where it already is. */
export function erased(account: TenantAccount, now: number): TenantAccount {
  if (account.erased_at !== null) return account;
  const nobody = { name: null, email: null, phone: null, search_terms: [] };
  return { ...account, ...nobody, erased_at: now, version: account.version + 1 };
}

/** By `_id`, the accounts that the same command has created, as they were stored. */
export type CreatedAccounts = ReadonlyMap<string, TenantAccount>;

const PHONE_PAGE = 500;
/** Most accounts of one company in a list: a PMS may give one phone to any number of tenants. */
const MOST_OF_COMPANY = 50;

/**
 * Tenant accounts: who they are, and that there is one for every name (decisions §5). Every method throws
 * StoreUnavailableError while the records cannot be reached.
 */
@Injectable()
export class TenantAccounts {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(IDS) private readonly ids: Ids,
    private readonly clocks: CompanyClocks,
    @Optional() @Inject(RECORDS_COMMIT_WITH) private readonly commitWith: RecordsCommit = 'nothing',
  ) {}

  /** Accounts in the order of `keys`, undefined where none was ever named. One read. */
  async find(keys: readonly TenantKey[]): Promise<(TenantAccount | undefined)[]> {
    if (keys.length === 0) return [];
    return (await this.accounts()).getMany(keys.map(accountId));
  }

  /** As {@link find}. On servers nobody: accounts are stored before the events, and a refused insert shows one that exists. */
  async presumed(keys: readonly TenantKey[]): Promise<(TenantAccount | undefined)[]> {
    if (this.commitWith === 'log') return this.find(keys);
    // An insert needs the collection.
    if (keys.length > 0) await this.accounts();
    return [];
  }

  /** Accounts in the order of `tenant_ids`; undefined where there is none. */
  async byTenantId(tenant_ids: readonly string[]): Promise<(TenantAccount | undefined)[]> {
    if (tenant_ids.length === 0) return [];
    const found = await (await this.accounts()).findAny('tenant_id', [...new Set(tenant_ids)]);
    const byId = new Map(found.map((account) => [account.tenant_id, account]));
    return tenant_ids.map((tenant_id) => byId.get(tenant_id));
  }

  /**
   * The accounts that a phone number may log in to, oldest first, at most 50 of a company. An erased account has no phone
   * and is not among them.
   */
  async byPhone(phone: string): Promise<TenantAccount[]> {
    const accounts = await this.accounts();
    const found: TenantAccount[] = [];
    let from = '';
    for (;;) {
      const { documents } = await accounts.find('phone', { equals: [phone], from, limit: MOST_OF_COMPANY });
      const [first] = documents;
      const isLast = documents.length < MOST_OF_COMPANY;
      found.push(...documents.filter(({ company_id }) => isLast || company_id === first!.company_id));
      if (isLast) break;
      // The least text after the company's id.
      from = `${first!.company_id}\u0000`;
    }
    const opened = await this.openedBy(phone, found);
    return opened.sort((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1));
  }

  /** Those that the phone may sign in to: a test number to a sandbox's alone, any other number to none of a sandbox. */
  async openedBy(phone: string, accounts: readonly TenantAccount[]): Promise<TenantAccount[]> {
    const clocks = await this.clocks.ofAll(accounts.map(({ company_id }) => company_id));
    return accounts.filter(({ company_id }) => clocks.get(company_id)!.isSandbox === isTestNumber(phone));
  }

  /** Whether the phone may sign in to an account that is none of these. @throws StoreUnavailableError */
  async hasPhoneBeside(phone: string, tenant_ids: ReadonlySet<string>): Promise<boolean> {
    const accounts = await this.accounts();
    const pages = everyPage((cursor) =>
      accounts.find('phone', { equals: [phone], limit: PHONE_PAGE, cursor }),
    );
    for await (const { documents } of pages) {
      const others = documents.filter(({ tenant_id }) => !tenant_ids.has(tenant_id));
      if ((await this.openedBy(phone, others)).length > 0) return true;
    }
    return false;
  }

  /**
   * The account of a name that has none yet, to be stored with the events that name it.
   * @param now milliseconds
   * @param person kept in the account only where it is stored with the events or not at all
   */
  newAccount(key: TenantKey, now: number, person?: TenantDetails): TenantAccount {
    const account = newAccount(key, this.ids.ulid(), now);
    return person !== undefined && this.commitWith === 'log' ? withDetails(account, person) : account;
  }

  private accounts(): Promise<Collection<TenantAccount>> {
    return this.records.collection(TENANT_ACCOUNTS);
  }
}
