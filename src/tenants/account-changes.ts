import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '../config/injection-tokens.js';
import type { DocumentStore, DocumentWrite } from '../documents/document-store.js';
import { PhoneTraces } from './phone-traces.js';
import { TENANT_ACCOUNTS, type TenantAccount, TenantAccounts } from './tenant-accounts.js';
import { TenantSessions } from './tenant-sessions.js';

/** An account as it stands and as it is to be. */
export interface AccountChange {
  /** undefined: there is none. */
  readonly before: TenantAccount | undefined;
  readonly after: TenantAccount;
}

/** Stores accounts that change, and ends what was proven with a phone that an account no longer has (decisions §5). */
@Injectable()
export class AccountChanges {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    private readonly accounts: TenantAccounts,
    private readonly sessions: TenantSessions,
    private readonly traces: PhoneTraces,
  ) {}

  /**
   * By place, whether the change was stored; false where somebody else wrote the account first, or the store cannot tell:
   * to be read and decided again.
   * @throws StoreUnavailableError
   */
  async store(changes: readonly AccountChange[]): Promise<boolean[]> {
    if (changes.length === 0) return [];
    await this.records.collection(TENANT_ACCOUNTS);
    const losing = changes.filter(losesPhone);
    // Before, so that a cut-off change leaves nobody signed in; after, for a login that came in between. One that begins
    // its session later meets the new phone, and ends it itself.
    await this.#end(losing);
    const outcomes = await this.records.write(changes.map(compareAndSet));
    await this.#end(losing);
    return outcomes.map(({ kind }) => kind === 'written');
  }

  /** Ends every session of a tenant. @throws StoreUnavailableError */
  signOut(tenant_id: string): Promise<void> {
    return this.sessions.endAll([tenant_id]);
  }

  async #end(losing: readonly AccountChange[]): Promise<void> {
    if (losing.length === 0) return;
    const tenant_ids = losing.map(({ after }) => after.tenant_id);
    await this.sessions.endAll(tenant_ids);
    const losers = new Set(tenant_ids);
    for (const phone of new Set(losing.map(({ before }) => before!.phone!))) {
      if (!(await this.accounts.hasPhoneBeside(phone, losers))) await this.traces.remove(phone);
    }
  }
}

function losesPhone({ before, after }: AccountChange): boolean {
  const phone = before?.phone ?? null;
  return phone !== null && phone !== after.phone;
}

function compareAndSet({ before, after }: AccountChange): DocumentWrite {
  const expected = before?.version ?? null;
  return { kind: 'compare_and_set', collection: TENANT_ACCOUNTS.name, expected, document: after };
}
