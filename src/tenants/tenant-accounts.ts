import { Inject, Injectable, Optional } from '@nestjs/common';
import { type CompanyClock, CompanyClocks } from '../companies/index.js';
import type { Ids } from '../config/ids.js';
import { IDS, RECORDS, RECORDS_COMMIT_WITH } from '../config/injection-tokens.js';
import type { Collection, DocumentStore, DocumentWrite } from '../documents/document-store.js';
import { everyPage } from '../documents/pages.js';
import type { RecordsCommit } from '../storage/records-commit.js';
import { AgreedIds } from './agreed-ids.js';
import type { TenantAccount, TenantDetails, TenantKey } from './tenant-account.js';
import { TENANT_ACCOUNTS, accountId, newAccount, withDetails } from './tenant-account.js';

/** By `_id`, the accounts that were created just now, for whatever names them to complete: as they stood then, or will. */
export type CreatedAccounts = ReadonlyMap<string, TenantAccount>;

/** What keys of tenants stand for, and what is still to be stored of it. */
export interface ResolvedAccounts {
  readonly tenant_ids: readonly string[];
  /** By place: the account that must become durable with whatever names it; undefined where it is. */
  readonly inserts: readonly (DocumentWrite | undefined)[];
  readonly created: CreatedAccounts;
  /** To be called when what names the accounts has been written, or never will be: until then their ids are agreed upon. */
  readonly release: () => void;
}

/** How many accounts of a phone are looked at from either end, and how many of one company are listed: a PMS may give one phone to any number. */
const PHONE_PAGE = 500;
const MOST_PAGES = 4;
const MOST_OF_COMPANY = 50;

/**
 * Tenant accounts: who they are, and that there is one for every name (decisions §5). Every method throws
 * StoreUnavailableError while the records cannot be reached.
 */
@Injectable()
export class TenantAccounts {
  private readonly agreed = new AgreedIds(() => this.ids.ulid());

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

  /**
   * Tenant ids in the order of `keys`, accounts that are missing created with them. Where nobody else writes the
   * records, one read for all, and what is missing is left to whoever appends what names it; otherwise all are inserted
   * here, at once, and read where somebody else was first.
   * @param persons what is known of those who are missing: it stands in what becomes durable with the events or not at all,
   *   and in nothing that may turn out to be named by nobody.
   */
  async resolve(
    keys: readonly TenantKey[],
    persons: readonly TenantDetails[] = [],
  ): Promise<ResolvedAccounts> {
    const clocks = await this.clocks.ofAll(keys.map(({ company_id }) => company_id));
    const held = this.agreed.hold(keys.map(accountId));
    try {
      const found = await this.knownBefore(keys);
      const known = new Map<string, string>();
      const missing = new Map<string, TenantAccount>();
      keys.forEach((key, place) => {
        const id = accountId(key);
        if (found[place] !== undefined) known.set(id, found[place].tenant_id);
        else if (!missing.has(id)) missing.set(id, this.agreedAccount(key, clocks.get(key.company_id)!));
      });
      for (const person of this.commitWith === 'log' ? persons : []) {
        const account = missing.get(accountId(person.key));
        if (account !== undefined) missing.set(account._id, withDetails(account, person));
      }
      const accounts = [...missing.values()];
      const created = new Map<string, TenantAccount>();
      for (const account of this.joins ? accounts : await this.insertAll(accounts)) {
        known.set(account._id, account.tenant_id);
        // Where somebody else was first it has another id.
        if (missing.get(account._id)?.tenant_id === account.tenant_id) created.set(account._id, account);
      }
      const inserts = new Map(accounts.map((account) => [account._id, insertOf(account)]));
      return {
        tenant_ids: keys.map((key) => known.get(accountId(key)) ?? unreachable()),
        inserts: keys.map((key) => (this.joins ? inserts.get(accountId(key)) : undefined)),
        created,
        release: held.release,
      };
    } catch (error) {
      held.release();
      throw error;
    }
  }

  /** Accounts in the order of `tenant_ids`; undefined where there is none. */
  async byTenantId(tenant_ids: readonly string[]): Promise<(TenantAccount | undefined)[]> {
    if (tenant_ids.length === 0) return [];
    const found = await (await this.accounts()).findAny('tenant_id', [...new Set(tenant_ids)]);
    const byId = new Map(found.map((account) => [account.tenant_id, account]));
    return tenant_ids.map((tenant_id) => byId.get(tenant_id));
  }

  /**
   * The accounts that a phone number may log in to, oldest first, as many as a list may hold: no company takes the places of
   * others. An erased account has no phone and is not among them.
   */
  async byPhone(phone: string): Promise<TenantAccount[]> {
    const found = new Map<string, TenantAccount>();
    const ofCompany = new Map<string, number>();
    for await (const account of this.lookedAt(phone)) {
      const before = ofCompany.get(account.company_id) ?? 0;
      if (before === MOST_OF_COMPANY || found.has(account._id)) continue;
      ofCompany.set(account.company_id, before + 1);
      found.set(account._id, account);
    }
    return [...found.values()].sort((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1));
  }

  /** Whether an account that is none of these has the phone, however many have it. @throws StoreUnavailableError */
  async hasPhoneBeside(phone: string, tenant_ids: ReadonlySet<string>): Promise<boolean> {
    const accounts = await this.accounts();
    const pages = everyPage((cursor) =>
      accounts.find('phone', { equals: [phone], limit: PHONE_PAGE, cursor }),
    );
    for await (const { documents } of pages) {
      if (documents.some(({ tenant_id }) => !tenant_ids.has(tenant_id))) return true;
    }
    return false;
  }

  /** Work that may create accounts: whoever creates one of them meanwhile gives it the same id. */
  agreeing<T>(keys: readonly TenantKey[], work: () => Promise<T>): Promise<T> {
    return this.agreed.during(keys.map(accountId), work);
  }

  /** An account as whoever agrees on its id would create it. */
  async newAccount(key: TenantKey): Promise<TenantAccount> {
    return this.agreedAccount(key, await this.clocks.of(key.company_id));
  }

  /** Nobody else creates accounts: what is missing is known before it is stored, and left to whoever appends. */
  private get joins(): boolean {
    return this.commitWith !== 'nothing';
  }

  private agreedAccount(key: TenantKey, clock: Pick<CompanyClock, 'now'>): TenantAccount {
    return newAccount(key, this.agreed.idOf(accountId(key)), clock.now());
  }

  /**
   * Those of a company stand together: where one has more than are looked at, the others' are before it and behind it. Some may
   * come twice.
   */
  private async *lookedAt(phone: string): AsyncGenerator<TenantAccount, void> {
    const accounts = await this.accounts();
    for (const descending of [false, true]) {
      let cursor: string | null | undefined;
      for (let page = 0; page < MOST_PAGES && cursor !== null; page += 1) {
        const read = await accounts.find('phone', { equals: [phone], limit: PHONE_PAGE, cursor, descending });
        yield* read.documents;
        cursor = read.next_cursor;
      }
      if (cursor === null) return;
    }
  }

  /** On servers nobody is looked for: most are new, and an account that is refused as a duplicate is read. */
  private knownBefore(keys: readonly TenantKey[]): Promise<(TenantAccount | undefined)[]> {
    return this.joins ? this.find(keys) : Promise.resolve([]);
  }

  private accounts(): Promise<Collection<TenantAccount>> {
    return this.records.collection(TENANT_ACCOUNTS);
  }

  /** The stored accounts: those given, or the ones that were there first. */
  private async insertAll(accounts: readonly TenantAccount[]): Promise<TenantAccount[]> {
    if (accounts.length === 0) return [];
    const stored = await this.accounts();
    const outcomes = await this.records.write(accounts.map(insertOf));
    const lost = accounts.filter((_, index) => outcomes[index]?.kind !== 'written');
    const won = accounts.filter((_, index) => outcomes[index]?.kind === 'written');
    if (lost.length === 0) return won;
    const winners = await stored.getMany(lost.map((account) => account._id));
    return [...won, ...winners.map((account) => account ?? unreachable())];
  }
}

function insertOf(document: TenantAccount): DocumentWrite {
  return { kind: 'insert', collection: TENANT_ACCOUNTS.name, document };
}

function unreachable(): never {
  throw new Error('An account that was refused as a duplicate does not exist.');
}
