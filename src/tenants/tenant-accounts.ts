import { Inject, Injectable, Optional } from '@nestjs/common';
import { CompanyClocks } from '../companies/index.js';
import type { Ids } from '../config/ids.js';
import { IDS, RECORDS, RECORDS_COMMIT_WITH } from '../config/injection-tokens.js';
import type { Collection, DocumentStore } from '../documents/document-store.js';
import { everyPage } from '../documents/pages.js';
import type { RecordsCommit } from '../storage/records-commit.js';
import { isTestNumber } from './sandbox-phones.js';
import type { TenantAccount, TenantDetails, TenantKey } from './tenant-account.js';
import { TENANT_ACCOUNTS, accountId, newAccount, withDetails } from './tenant-account.js';

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
