import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/injection-tokens.js';
import { LoginLimits } from './login-limits.js';
import { OtpCodes } from './otp-codes.js';
import type { TenantAccount } from './tenant-account.js';
import { TenantAccounts } from './tenant-accounts.js';
import { type BegunSession, TenantSessions } from './tenant-sessions.js';

export type LoginOutcome =
  | { readonly kind: 'logged_in'; readonly session: BegunSession; readonly account: TenantAccount }
  /** The code is right and still good: the app asks again with one of these. */
  | { readonly kind: 'several'; readonly accounts: readonly TenantAccount[] }
  | { readonly kind: 'wrong_code' }
  | { readonly kind: 'unknown_phone' }
  | { readonly kind: 'wrong_tenant' };

/** The login of a tenant by the code that was sent to a phone (specification §4.2). */
@Injectable()
export class TenantLogin {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly codes: OtpCodes,
    private readonly sessions: TenantSessions,
    private readonly limits: LoginLimits,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'auth_uniform_answer'>,
  ) {}

  /**
   * Turns a code into a session. A wrong code is told before anything about accounts is, and a code is used up by
   * nothing but a login.
   * @throws ApiError 429 after a day's wrong tries. @throws StoreUnavailableError
   */
  async verifyOtp(phone: string, otp: string, tenant_id: string | undefined): Promise<LoginOutcome> {
    await this.limits.demandTry(phone);
    for (;;) {
      const code = await this.codes.check(phone, otp);
      // Without a code to judge by nothing was guessed at, and anybody could shut a stranger out for the day.
      if (code === 'wrong') await this.limits.countWrongTry(phone);
      if (code === 'wrong' || code === undefined) return { kind: 'wrong_code' };
      const chosen = choose(await this.accounts.byPhone(phone), tenant_id);
      if (chosen.kind === 'unknown_phone') return this.withoutAccount();
      if (chosen.kind !== 'chosen') return chosen;
      if (await this.codes.consume(code)) return this.begin(phone, chosen.account);
    }
  }

  private async begin(phone: string, chosen: TenantAccount): Promise<LoginOutcome> {
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
