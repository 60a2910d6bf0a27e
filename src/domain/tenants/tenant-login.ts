import { Inject, Injectable, Optional } from '@nestjs/common';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { OtpCodes } from './otp-codes.js';
import { LoginObserver } from './login-observer.js';
import { type LoginNetwork, LoginNetworks } from './login-networks.js';
import { OtpLimits } from './otp-limits.js';
import type { TenantAccount } from './tenant-account.js';
import { TenantAccounts } from './tenant-accounts.js';
import { type BegunSession, TenantSessions } from './tenant-sessions.js';

type LoginOutcome =
  | { readonly kind: 'logged_in'; readonly session: BegunSession; readonly account: TenantAccount }
  /** The code is right and stays valid: the app sends it again with one of these accounts. */
  | { readonly kind: 'several'; readonly accounts: readonly TenantAccount[] }
  | { readonly kind: 'wrong_code' }
  | { readonly kind: 'unknown_phone' }
  | { readonly kind: 'wrong_tenant' };

/** Outcomes of a right code. */
const ACCEPTED: readonly LoginOutcome['kind'][] = ['logged_in', 'several', 'wrong_tenant'];

/** The login of a tenant by the code that was sent to a phone (specification §4.2). */
@Injectable()
export class TenantLogin {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly codes: OtpCodes,
    private readonly sessions: TenantSessions,
    private readonly networks: LoginNetworks,
    private readonly limits: OtpLimits,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'auth_uniform_answer'>,
    @Optional() private readonly observer?: LoginObserver,
  ) {}

  /**
   * Exchanges a code for a session. A wrong code is answered before anything about accounts. Only a login uses up a code.
   * @throws ApiError 429 after a day's wrong tries. @throws StoreUnavailableError
   */
  async verifyOtp(from: LoginNetwork, otp: string, tenant_id: string | undefined): Promise<LoginOutcome> {
    const outcome = await this.#verify(from, otp, tenant_id);
    this.observer?.codeTried(ACCEPTED.includes(outcome.kind) ? 'accepted' : 'refused');
    return outcome;
  }

  async #verify(from: LoginNetwork, otp: string, tenant_id: string | undefined): Promise<LoginOutcome> {
    await this.limits.assertTry(from);
    const { phone } = from;
    return untilItHolds(async () => {
      const code = await this.codes.check(from, otp);
      // A try without a live code does not count: otherwise anybody could use up a stranger's tries.
      if (code === 'wrong') await this.limits.countWrongTry(from);
      if (code === 'wrong' || code === undefined) return { kind: 'wrong_code' };
      const chosen = choose(await this.#accountsOf(phone, tenant_id), tenant_id);
      if (chosen.kind === 'unknown_phone') return this.#withoutAccount();
      if (chosen.kind !== 'chosen') return chosen;
      if (!(await this.codes.isGoodFor(code, chosen.account.company_id))) return { kind: 'wrong_code' };
      return (await this.codes.consume(code)) ? this.#begin(from, chosen.account) : OVERTAKEN;
    });
  }

  /** The list of accounts has a limit, so the requested account is looked up separately. */
  async #accountsOf(phone: string, tenant_id: string | undefined): Promise<TenantAccount[]> {
    const listed = await this.accounts.byPhone(phone);
    if (tenant_id === undefined || listed.some((account) => account.tenant_id === tenant_id)) return listed;
    const [named] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    if (named?.phone !== phone) return listed;
    return [...listed, ...(await this.accounts.allowedFor(phone, [named]))];
  }

  async #begin(from: LoginNetwork, chosen: TenantAccount): Promise<LoginOutcome> {
    // Before the session: a change of the phone meanwhile then removes this network too.
    await this.networks.remember(from);
    const session = await this.sessions.begin(chosen);
    // Read again: an erasure or a change of phone may have ended all sessions before this one began.
    const [account] = await this.accounts.byTenantId([chosen.tenant_id]);
    if (account?.phone === from.phone) return { kind: 'logged_in', session, account };
    await this.sessions.end(session.session_id);
    return this.#withoutAccount();
  }

  #withoutAccount(): LoginOutcome {
    return { kind: this.environment.auth_uniform_answer ? 'wrong_code' : 'unknown_phone' };
  }
}

type Choice = { readonly kind: 'chosen'; readonly account: TenantAccount } | LoginOutcome;

function choose(accounts: readonly TenantAccount[], tenant_id: string | undefined): Choice {
  const [first, second] = accounts;
  if (first === undefined) return { kind: 'unknown_phone' };
  if (tenant_id !== undefined) {
    const account = accounts.find((candidate) => candidate.tenant_id === tenant_id);
    return account ? { kind: 'chosen', account } : { kind: 'wrong_tenant' };
  }
  return second === undefined ? { kind: 'chosen', account: first } : { kind: 'several', accounts };
}
