import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '#kernel/injection-tokens.js';
import type { DocumentStore, DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { LoginNetworks } from './login-networks.js';
import { OtpCodes } from './otp-codes.js';
import { TENANT_ACCOUNTS, type TenantAccount } from './tenant-account.js';
import { TenantAccounts } from './tenant-accounts.js';
import { TenantSessions } from './tenant-sessions.js';
import { TextMessages } from './text-messages.js';

export interface AccountChange {
  /** undefined: the account is new. */
  readonly before: TenantAccount | undefined;
  readonly after: TenantAccount;
}

/**
 * Stores changed accounts. If an account loses its phone, ends the sessions that the phone gave (decisions §5). If no
 * account has the phone then, its codes, networks and messages are removed.
 */
@Injectable()
export class AccountChanges {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    private readonly accounts: TenantAccounts,
    private readonly sessions: TenantSessions,
    private readonly codes: OtpCodes,
    private readonly networks: LoginNetworks,
    @Inject(TextMessages) private readonly messages: Pick<TextMessages, 'forget'>,
  ) {}

  /**
   * @returns for each change, whether it was stored. If not, read the account and decide again: another write came first,
   *   or the result of the write is unknown.
   * @throws StoreUnavailableError
   */
  async store(changes: readonly AccountChange[]): Promise<boolean[]> {
    if (changes.length === 0) return [];
    await this.records.collection(TENANT_ACCOUNTS);
    const losing = changes.filter(losesPhone);
    // Before the write, in case of a crash; and after it, for a login in between. A later login reads the new phone.
    await this.#endSessions(losing);
    const outcomes = await this.records.write(changes.map(compareAndSet));
    await this.#endSessions(losing);
    return outcomes.map(({ kind }) => kind === 'written');
  }

  /** Ends every session of a tenant. @throws StoreUnavailableError */
  signOut(tenant_id: string): Promise<void> {
    return this.sessions.endAll([tenant_id]);
  }

  async #endSessions(losing: readonly AccountChange[]): Promise<void> {
    if (losing.length === 0) return;
    const tenant_ids = losing.map(({ after }) => after.tenant_id);
    await this.sessions.endAll(tenant_ids);
    const ids = new Set(tenant_ids);
    const lost: string[] = [];
    for (const phone of new Set(losing.map(({ before }) => before!.phone!))) {
      if (await this.accounts.hasOtherAccount(phone, ids)) continue;
      await this.codes.remove(phone);
      await this.networks.forget(phone);
      lost.push(phone);
    }
    await this.messages.forget(lost);
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
