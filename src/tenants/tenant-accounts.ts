import { Inject, Injectable, Optional } from '@nestjs/common';
import { CompanyClocks } from '../companies/index.js';
import type { Ids } from '../config/ids.js';
import { EMBEDDED, IDS, RECORDS } from '../config/injection-tokens.js';
import type {
  Collection,
  DocumentStore,
  CollectionDeclaration,
  DocumentWrite,
  StoredDocument,
} from '../documents/document-store.js';
import { everyPage } from '../documents/pages.js';
import { isTestNumber } from './sandbox-phones.js';
import { searchTerms } from './core/search-terms.js';
import { DETAIL_FIELDS, type DetailField } from './core/tenant.events.js';

/** The identity of an account: a PMS tenant at a location of a company. */
export interface TenantKey {
  readonly company_id: string;
  readonly location_id: string;
  readonly pms_tenant_id: string;
}

/** A tenant account. Only this record contains the personal details. */
export interface TenantAccount extends StoredDocument, TenantKey {
  /** ULID. Events, views and the app use it. Never changes, not even by an erasure. */
  readonly tenant_id: string;
  /** null if no write has given a name yet, and after an erasure. */
  readonly name: string | null;
  readonly email: string | null;
  /** International, with a leading `+`. Several accounts may share one. */
  readonly phone: string | null;
  /** Empty while there are no personal details. */
  readonly search_terms: readonly string[];
  /** Instant of the erasure (milliseconds); null: not erased. */
  readonly erased_at: number | null;
  readonly created_at: number;
  readonly version: number;
}

/** New personal details. An absent field does not change; null clears it. */
export interface PersonalDetails {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
}

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
 * The natural key as a document id. The first two parts are ULIDs without `/`, so no `pms_tenant_id` can make two keys
 * equal.
 */
export function accountId(key: TenantKey): string {
  return `${key.company_id}/${key.location_id}/${key.pms_tenant_id}`;
}

/** Name of the lock that commands hold while they create or complete accounts (`CommandRunner.alone`). */
export function tenantName(company_id: string, pms_tenant_id: string): string {
  return `tenant ${company_id} ${pms_tenant_id}`;
}

export function accountInsert(document: TenantAccount): DocumentWrite {
  return { kind: 'insert', collection: TENANT_ACCOUNTS.name, document };
}

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

export function changedFields(before: TenantAccount | undefined, after: TenantAccount): DetailField[] {
  return DETAIL_FIELDS.filter((field) => (before?.[field] ?? null) !== after[field]);
}

/**
 * The account with new details and its next version; the same object if nothing differs. Details after an erasure end the
 * erased state: the caller must refuse writers that may not do that.
 */
export function withDetails(account: TenantAccount, details: PersonalDetails): TenantAccount {
  const name = details.name === undefined ? account.name : details.name;
  const email = details.email === undefined ? account.email : details.email;
  const phone = details.phone === undefined ? account.phone : details.phone;
  if (name === account.name && email === account.email && phone === account.phone) return account;
  const hasDetails = name !== null || email !== null || phone !== null;
  const erased_at = hasDetails ? null : account.erased_at;
  const search_terms = searchTerms({ name, email, phone });
  return { ...account, name, email, phone, search_terms, erased_at, version: account.version + 1 };
}

/** The account without personal details, with its next version; the same object if it is erased already. */
export function erased(account: TenantAccount, now: number): TenantAccount {
  if (account.erased_at !== null) return account;
  const noDetails = { name: null, email: null, phone: null, search_terms: [] };
  return { ...account, ...noDetails, erased_at: now, version: account.version + 1 };
}

/** The accounts that the same command has created, by `_id`. */
export type CreatedAccounts = ReadonlyMap<string, TenantAccount>;

const PHONE_PAGE = 500;
/** Limit of accounts in a list: a PMS may give one phone to any number of tenants. */
const MOST_OF_COMPANY = 50;

/**
 * Reads tenant accounts. Each `pms_tenant_id` of a location has one account (decisions §5). Every method throws
 * StoreUnavailableError.
 */
@Injectable()
export class TenantAccounts {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(IDS) private readonly ids: Ids,
    private readonly clocks: CompanyClocks,
    @Optional() @Inject(EMBEDDED) private readonly embedded = false,
  ) {}

  /** In the order of `keys`; undefined if there is none. One read. */
  async find(keys: readonly TenantKey[]): Promise<(TenantAccount | undefined)[]> {
    if (keys.length === 0) return [];
    return (await this.accounts()).getMany(keys.map(accountId));
  }

  /** As {@link find}, but on servers without a read: the insert of an account that exists is refused, and then tried again. */
  async findOrAssumeNew(keys: readonly TenantKey[]): Promise<(TenantAccount | undefined)[]> {
    if (this.embedded) return this.find(keys);
    // An insert needs the collection.
    if (keys.length > 0) await this.accounts();
    return [];
  }

  /** In the order of `tenant_ids`; undefined if there is none. */
  async byTenantId(tenant_ids: readonly string[]): Promise<(TenantAccount | undefined)[]> {
    if (tenant_ids.length === 0) return [];
    const found = await (await this.accounts()).findAny('tenant_id', [...new Set(tenant_ids)]);
    const byId = new Map(found.map((account) => [account.tenant_id, account]));
    return tenant_ids.map((tenant_id) => byId.get(tenant_id));
  }

  /**
   * The accounts that a phone number may sign in to, oldest first, at most 50 of a company.
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
      // The next text after the company's id, so that the next page starts with the next company.
      from = `${first!.company_id}\u0000`;
    }
    const allowed = await this.allowedFor(phone, found);
    return allowed.sort((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1));
  }

  /** The accounts that the phone may sign in to: test numbers only at sandboxes, other numbers only elsewhere. */
  async allowedFor(phone: string, accounts: readonly TenantAccount[]): Promise<TenantAccount[]> {
    const clocks = await this.clocks.ofAll(accounts.map(({ company_id }) => company_id));
    return accounts.filter(({ company_id }) => clocks.get(company_id)!.isSandbox === isTestNumber(phone));
  }

  /** Whether the phone may sign in to an account other than these. @throws StoreUnavailableError */
  async hasOtherAccount(phone: string, tenant_ids: ReadonlySet<string>): Promise<boolean> {
    const accounts = await this.accounts();
    const pages = everyPage((cursor) =>
      accounts.find('phone', { equals: [phone], limit: PHONE_PAGE, cursor }),
    );
    for await (const { documents } of pages) {
      const others = documents.filter(({ tenant_id }) => !tenant_ids.has(tenant_id));
      if ((await this.allowedFor(phone, others)).length > 0) return true;
    }
    return false;
  }

  /**
   * An account that does not exist yet. The caller stores it with the events that name it.
   * @param now milliseconds
   * @param person part of the account only if account and events are stored in one commit
   */
  newAccount(key: TenantKey, now: number, person?: TenantDetails): TenantAccount {
    const account = newAccount(key, this.ids.ulid(), now);
    return person !== undefined && this.embedded ? withDetails(account, person) : account;
  }

  private accounts(): Promise<Collection<TenantAccount>> {
    return this.records.collection(TENANT_ACCOUNTS);
  }
}
