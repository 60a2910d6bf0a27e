import { Inject, Injectable, Optional } from '@nestjs/common';
import { OVERTAKEN, untilItHolds } from '../documents/until-it-holds.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/injection-tokens.js';
import { isPossibleId } from '../http/possible-id.js';
import { OtpCodes } from './otp-codes.js';
import { LOGIN_OBSERVER, type LoginObserver } from './login-observer.js';
import { type LoginCaller, OtpLimits } from './otp-limits.js';
import { type TenantAccount, TenantAccounts } from './tenant-accounts.js';
import { type BegunSession, TenantSessions } from './tenant-sessions.js';

export type LoginOutcome =
  | { readonly kind: 'logged_in'; readonly session: BegunSession; readonly account: TenantAccount }
  /** The code is right and still good: the app asks again with one of these. */
  | { readonly kind: 'several'; readonly accounts: readonly TenantAccount[] }
  | { readonly kind: 'wrong_code' }
  | { readonly kind: 'unknown_phone' }
  | { readonly kind: 'wrong_tenant' };

/** Outcomes by which the code was right. */
const ACCEPTED: readonly LoginOutcome['kind'][] = ['logged_in', 'several', 'wrong_tenant'];

/** The login of a tenant by the code that was sent to a phone (specification §4.2). */
@Injectable()
export class TenantLogin {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly codes: OtpCodes,
    private readonly sessions: TenantSessions,
    private readonly limits: OtpLimits,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'auth_uniform_answer'>,
    @Optional() @Inject(LOGIN_OBSERVER) private readonly observer?: LoginObserver,
  ) {}

  /**
   * Turns a code into a session. A wrong code is told before anything about accounts is, and a code is used up by
   * nothing but a login.
   * @throws ApiError 429 after a day's wrong tries. @throws StoreUnavailableError
   */
  async verifyOtp(
    phone: string,
    otp: string,
    tenant_id: string | undefined,
    caller: LoginCaller,
  ): Promise<LoginOutcome> {
    const outcome = await this.judge(phone, otp, tenant_id, caller);
    this.observer?.codeTried(ACCEPTED.includes(outcome.kind) ? 'accepted' : 'refused');
    return outcome;
  }

  private async judge(
    phone: string,
    otp: string,
    tenant_id: string | undefined,
    caller: LoginCaller,
  ): Promise<LoginOutcome> {
    await this.limits.demandTry(phone, caller);
    const place = await this.limits.placeOf(phone, caller);
    return untilItHolds(async () => {
      const code = await this.codes.check(phone, otp, place);
      // Without a code to judge by nothing was guessed at, and anybody could shut a stranger out for the day.
      if (code === 'wrong') await this.limits.countWrongTry(phone, caller);
      if (code === 'wrong' || code === undefined) return { kind: 'wrong_code' };
      const chosen = choose(await this.accountsOf(phone, tenant_id), tenant_id);
      if (chosen.kind === 'unknown_phone') return this.withoutAccount();
      if (chosen.kind !== 'chosen') return chosen;
      if (!(await this.codes.isGoodFor(code, chosen.account.company_id))) return { kind: 'wrong_code' };
      return (await this.codes.consume(code)) ? this.begin(phone, chosen.account, caller) : OVERTAKEN;
    });
  }

  /** With the one that is asked for, which may be beyond what a list holds. */
  private async accountsOf(phone: string, tenant_id: string | undefined): Promise<TenantAccount[]> {
    const listed = await this.accounts.byPhone(phone);
    if (tenant_id === undefined || listed.some((account) => account.tenant_id === tenant_id)) return listed;
    const [named] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    if (named?.phone !== phone) return listed;
    return [...listed, ...(await this.accounts.openedBy(phone, [named]))];
  }

  private async begin(phone: string, chosen: TenantAccount, caller: LoginCaller): Promise<LoginOutcome> {
    // Before the session, so that whoever takes the phone away meanwhile forgets it as well.
    await this.limits.loggedIn(phone, caller);
    const session = await this.sessions.begin(chosen);
    // An erasure ends the sessions it finds; one that ran since the account was read has not found this one.
    const [account] = await this.accounts.byTenantId([chosen.tenant_id]);
    if (account?.phone === phone) return { kind: 'logged_in', session, account };
    await this.sessions.end(session.session_id);
    return this.withoutAccount();
  }

  private withoutAccount(): LoginOutcome {
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
