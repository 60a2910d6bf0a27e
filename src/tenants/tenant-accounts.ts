import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { CLOCK, COMMITS_TOGETHER, IDS, RECORDS } from '../config/injection-tokens.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { Collection, DocumentStore, DocumentWrite } from '../documents/document-store.js';
import { AgreedIds } from './agreed-ids.js';
import type { PersonalDetails, TenantAccount, TenantKey } from './tenant-account.js';
import { TENANT_ACCOUNTS, accountId, erased, newAccount, withDetails } from './tenant-account.js';

/** Personal details of one account, as an entry with the nested tenant shape states them. */
export interface TenantDetails {
  readonly key: TenantKey;
  readonly name: string;
  /** Absent leaves what is stored, null clears it. */
  readonly email?: string | null;
  readonly phone?: string | null;
  /** When they were stated (milliseconds): what was said before an erasure does not undo it. Absent: just now. */
  readonly stated_at?: number;
}

/** What keys of tenants stand for, and what is still to be stored of it. */
export interface ResolvedAccounts {
  readonly tenant_ids: readonly string[];
  /** By place: the account that must become durable with whatever names it; undefined where it is. */
  readonly inserts: readonly (DocumentWrite | undefined)[];
  /** To be called when what names the accounts has been written, or never will be: until then their ids are agreed upon. */
  readonly release: () => void;
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly account: TenantAccount }
  /** The account exists and already has a name. */
  | { readonly kind: 'taken' };

/** A document to store in the same call as an account: the audit entry of an operator's write. */
export type Accompany = (account: TenantAccount) => Promise<DocumentWrite>;

/** How often a write is decided again before it gives up. */
const ATTEMPTS = 20;

/**
 * Tenant accounts and their personal details (decisions on tenants: docs/decisions.md). Every method throws
 * StoreUnavailableError while the records cannot be reached, and where other writers change the same account again and
 * again.
 */
@Injectable()
export class TenantAccounts {
  private readonly agreed = new AgreedIds(() => this.ids.ulid());

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    /** The log and the records commit together what one turn asks of them. */
    @Optional() @Inject(COMMITS_TOGETHER) private readonly joins = false,
  ) {}

  /** Accounts in the order of `keys`, undefined where none was ever named. One read. */
  async find(keys: readonly TenantKey[]): Promise<(TenantAccount | undefined)[]> {
    if (keys.length === 0) return [];
    return (await this.accounts()).getMany(keys.map(accountId));
  }

  /**
   * Tenant ids in the order of `keys`, accounts that are missing created with them. One read for all; where the log commits
   * together with the records, what is missing is left to whoever appends what names it, otherwise it is written here at
   * once, and read where somebody else was first.
   */
  async resolve(keys: readonly TenantKey[]): Promise<ResolvedAccounts> {
    const held = this.agreed.hold(keys.map(accountId));
    try {
      const found = await this.find(keys);
      const known = new Map<string, string>();
      const missing = new Map<string, TenantAccount>();
      keys.forEach((key, place) => {
        const id = accountId(key);
        if (found[place] !== undefined) known.set(id, found[place].tenant_id);
        else if (!missing.has(id)) missing.set(id, this.newAccount(key));
      });
      const accounts = [...missing.values()];
      for (const account of this.joins ? accounts : await this.insertAll(accounts)) {
        known.set(account._id, account.tenant_id);
      }
      const inserts = new Map(accounts.map((account) => [account._id, insertOf(account)]));
      return {
        tenant_ids: keys.map((key) => known.get(accountId(key)) ?? unreachable()),
        inserts: keys.map((key) => (this.joins ? inserts.get(accountId(key)) : undefined)),
        release: held.release,
      };
    } catch (error) {
      held.release();
      throw error;
    }
  }

  /**
   * Records personal details; an account that is missing is created. Writes only what differs, is safe against
   * concurrent writers, and of two entries for one account the later one stands.
   */
  async record(details: readonly TenantDetails[]): Promise<void> {
    let pending = mergeByAccount(details);
    await this.agreed.during(
      pending.map(({ key }) => accountId(key)),
      async () => {
        for (let attempt = 0; pending.length > 0; attempt += 1) {
          if (attempt === ATTEMPTS) throw contended();
          pending = await this.recordOnce(pending);
        }
      },
    );
  }

  /** Accounts in the order of `tenant_ids`; undefined where there is none. */
  async byTenantId(tenant_ids: readonly string[]): Promise<(TenantAccount | undefined)[]> {
    if (tenant_ids.length === 0) return [];
    const found = await (await this.accounts()).findAny('tenant_id', [...new Set(tenant_ids)]);
    const byId = new Map(found.map((account) => [account.tenant_id, account]));
    return tenant_ids.map((tenant_id) => byId.get(tenant_id));
  }

  /** The accounts that a phone number may log in to, oldest first. An erased account has no phone and is not among them. */
  async byPhone(phone: string): Promise<TenantAccount[]> {
    const found = await (await this.accounts()).findAny('phone', [phone]);
    return found.sort((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1));
  }

  /**
   * Creates an account by an operator's word, or completes one that has no name yet: a flat push write made it, or it
   * was erased.
   */
  create(details: TenantDetails, accompany?: Accompany): Promise<CreateOutcome> {
    return this.agreed.during([accountId(details.key)], () => this.createHeld(details, accompany));
  }

  private async createHeld(details: TenantDetails, accompany?: Accompany): Promise<CreateOutcome> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const [stored] = await this.find([details.key]);
      if (stored && stored.name !== null) return { kind: 'taken' };
      const base = stored ?? this.newAccount(details.key);
      const account = withDetails(base, details);
      if (await this.replace(stored, account, accompany)) return { kind: 'created', account };
    }
    throw contended();
  }

  /**
   * Changes details by an operator's word; undefined where there is no such tenant.
   */
  async change(
    tenant_id: string,
    details: PersonalDetails,
    accompany?: Accompany,
  ): Promise<TenantAccount | undefined> {
    return this.alter(tenant_id, (account) => withDetails(account, details), accompany);
  }

  /**
   * Takes the person out of an account; its id and history stay. Sessions and codes are the caller's to end:
   * `TenantErasure` does all of it.
   * @returns the account as it stood before, undefined where there is no such tenant.
   */
  async forget(tenant_id: string, accompany?: Accompany): Promise<TenantAccount | undefined> {
    let before: TenantAccount | undefined;
    await this.alter(
      tenant_id,
      (account) => {
        before = account;
        return erased(account, this.clock.now());
      },
      accompany,
    );
    return before;
  }

  private newAccount(key: TenantKey): TenantAccount {
    return newAccount(key, this.agreed.idOf(accountId(key)), this.clock.now());
  }

  private accounts(): Promise<Collection<TenantAccount>> {
    return this.records.collection(TENANT_ACCOUNTS);
  }

  private async alter(
    tenant_id: string,
    change: (account: TenantAccount) => TenantAccount,
    accompany?: Accompany,
  ): Promise<TenantAccount | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const [stored] = await this.byTenantId([tenant_id]);
      if (!stored) return undefined;
      const account = change(stored);
      if (await this.replace(stored, account, accompany)) return account;
    }
    throw contended();
  }

  /** False where somebody else wrote first. What accompanies the account is stored even if the account stands as it is. */
  private async replace(
    stored: TenantAccount | undefined,
    account: TenantAccount,
    accompany?: Accompany,
  ): Promise<boolean> {
    const writes: DocumentWrite[] = account === stored ? [] : [compareAndSet(stored, account)];
    if (accompany) writes.push(await accompany(account));
    const outcomes = writes.length === 0 ? [] : await this.records.write(writes);
    return account === stored || outcomes[0]?.kind === 'written';
  }

  /** The stored accounts: those given, or the ones that were there first. */
  private async insertAll(accounts: readonly TenantAccount[]): Promise<TenantAccount[]> {
    if (accounts.length === 0) return [];
    const outcomes = await this.records.write(accounts.map(insertOf));
    const lost = accounts.filter((_, index) => outcomes[index]?.kind !== 'written');
    const won = accounts.filter((_, index) => outcomes[index]?.kind === 'written');
    if (lost.length === 0) return won;
    const winners = await (await this.accounts()).getMany(lost.map((account) => account._id));
    return [...won, ...winners.map((account) => account ?? unreachable())];
  }

  /** The details whose accounts somebody else wrote meanwhile, or of which the store cannot tell: to be recorded again. */
  private async recordOnce(details: readonly TenantDetails[]): Promise<TenantDetails[]> {
    const stored = await this.find(details.map(({ key }) => key));
    const changed: TenantDetails[] = [];
    const writes: DocumentWrite[] = [];
    for (const [index, entry] of details.entries()) {
      const before = stored[index];
      if (isBeforeErasure(entry, before)) continue;
      const account = withDetails(before ?? this.newAccount(entry.key), entry);
      if (account === before) continue;
      changed.push(entry);
      writes.push(compareAndSet(before, account));
    }
    if (writes.length === 0) return [];
    const outcomes = await this.records.write(writes);
    return changed.filter((_, index) => outcomes[index]?.kind !== 'written');
  }
}

function isBeforeErasure({ stated_at }: TenantDetails, account: TenantAccount | undefined): boolean {
  const erased_at = account?.erased_at ?? null;
  return erased_at !== null && stated_at !== undefined && stated_at <= erased_at;
}

function insertOf(document: TenantAccount): DocumentWrite {
  return { kind: 'insert', collection: TENANT_ACCOUNTS.name, document };
}

function compareAndSet(before: TenantAccount | undefined, document: TenantAccount): DocumentWrite {
  const expected = before?.version ?? null;
  return { kind: 'compare_and_set', collection: TENANT_ACCOUNTS.name, expected, document };
}

/** One entry per account: a field that a later entry leaves out keeps an earlier entry's value. */
function mergeByAccount(details: readonly TenantDetails[]): TenantDetails[] {
  const merged = new Map<string, TenantDetails>();
  for (const entry of details) {
    const id = accountId(entry.key);
    const earlier = merged.get(id);
    merged.set(id, {
      ...earlier,
      ...entry,
      email: entry.email === undefined ? earlier?.email : entry.email,
      phone: entry.phone === undefined ? earlier?.phone : entry.phone,
    });
  }
  return [...merged.values()];
}

/** Nothing is wrong with the request: it may be sent again. */
function contended(): StoreUnavailableError {
  return new StoreUnavailableError('A tenant account kept changing while it was written.', true);
}

function unreachable(): never {
  throw new Error('An account that was refused as a duplicate does not exist.');
}
