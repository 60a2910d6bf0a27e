import { Inject, Injectable, Optional } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Ids } from '#kernel/ids.js';
import { EMBEDDED, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type { Collection, DocumentStore } from '#eventsourcing/documents/document-store.js';
import { everyPage, wholeList } from '#eventsourcing/documents/pages.js';
import { isTestNumber } from './sandbox-phones.js';
import {
  type TenantKey,
  type TenantAccount,
  type TenantDetails,
  TENANT_ACCOUNTS,
  accountId,
  newAccount,
  withDetails,
} from './tenant-account.js';

const PHONE_PAGE = 500;
const CALLS_PAGE = 500;
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
    return (await this.#accounts()).getMany(keys.map(accountId));
  }

  /** In the order of `tenant_ids`; undefined if there is none. */
  async byTenantId(tenant_ids: readonly string[]): Promise<(TenantAccount | undefined)[]> {
    if (tenant_ids.length === 0) return [];
    const found = await (await this.#accounts()).findAny('tenant_id', [...new Set(tenant_ids)]);
    const byId = new Map(found.map((account) => [account.tenant_id, account]));
    return tenant_ids.map((tenant_id) => byId.get(tenant_id));
  }

  /** The accounts of tenants who were called at this instant or later, in milliseconds. No others are read. */
  async calledSince(company_id: string, since: number): Promise<TenantAccount[]> {
    const accounts = await this.#accounts();
    const range = { equals: [company_id], from: since, limit: CALLS_PAGE };
    const found: TenantAccount[] = [];
    for await (const { documents } of everyPage((cursor) => accounts.find('by_call', { ...range, cursor })))
      found.push(...documents);
    return found;
  }

  /** The company's accounts with a phone, oldest first, whether or not it may sign in to them. */
  async withPhone(company_id: string, phone: string): Promise<TenantAccount[]> {
    const found = await wholeList(await this.#accounts(), 'phone', { equals: [phone, company_id] });
    return found.sort(compareAge);
  }

  /**
   * The accounts that a phone number may sign in to, oldest first, at most 50 of a company.
   */
  async byPhone(phone: string): Promise<TenantAccount[]> {
    const accounts = await this.#accounts();
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
    return allowed.sort(compareAge);
  }

  /** The accounts that the phone may sign in to: test numbers only at sandboxes, other numbers only elsewhere. */
  async allowedFor(phone: string, accounts: readonly TenantAccount[]): Promise<TenantAccount[]> {
    const clocks = await this.clocks.findClocks(accounts.map(({ company_id }) => company_id));
    return accounts.filter(({ company_id }) => clocks.get(company_id)!.isSandbox === isTestNumber(phone));
  }

  /** Whether the phone may sign in to an account other than these. @throws StoreUnavailableError */
  async hasOtherAccount(phone: string, tenant_ids: ReadonlySet<string>): Promise<boolean> {
    const accounts = await this.#accounts();
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

  #accounts(): Promise<Collection<TenantAccount>> {
    return this.records.collection(TENANT_ACCOUNTS);
  }
}

/** Older accounts first. */
function compareAge(a: TenantAccount, b: TenantAccount): number {
  return a.tenant_id < b.tenant_id ? -1 : 1;
}
