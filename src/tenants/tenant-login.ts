import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '../config/logger.js';
import { LOGGER } from '../config/injection-tokens.js';
import { OtpCodes } from './otp-codes.js';
import type { SmsSender } from './sms/sms-sender.js';
import { SMS_SENDER } from './sms/sms-sender.js';
import type { TenantAccount } from './tenant-account.js';
import { TenantAccounts } from './tenant-accounts.js';
import { TenantSessions } from './tenant-sessions.js';

export type OtpRequestOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'unknown_phone' }
  /** `wait` in milliseconds until the next code may be asked for. */
  | { readonly kind: 'cooling_down'; readonly wait: number };

export type LoginOutcome =
  | { readonly kind: 'logged_in'; readonly token: string; readonly account: TenantAccount }
  /** The code is right and still good: the app asks again with one of these. */
  | { readonly kind: 'several'; readonly accounts: readonly TenantAccount[] }
  | { readonly kind: 'wrong_code' }
  | { readonly kind: 'unknown_phone' }
  | { readonly kind: 'wrong_tenant' };

/** The login of a tenant by phone and one-time code (specification §4.2). */
@Injectable()
export class TenantLogin {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly codes: OtpCodes,
    private readonly sessions: TenantSessions,
    @Inject(SMS_SENDER) private readonly sms: SmsSender,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends a code to a phone that some account has.
   * @throws SmsUnavailableError; the code does not count as sent then. @throws StoreUnavailableError
   */
  async requestOtp(phone: string): Promise<OtpRequestOutcome> {
    const accounts = await this.accounts.byPhone(phone);
    if (accounts.length === 0) return { kind: 'unknown_phone' };
    const issued = await this.codes.issue(phone);
    if (issued.kind === 'cooling_down') return issued;
    try {
      await this.sms.send(phone, `Your access code is ${issued.code}. It is valid for 5 minutes.`);
    } catch (error) {
      // Whom it was for stays out of the log; the error says only what the provider answered.
      this.logger.warn({ error }, 'A code could not be sent.');
      await this.codes.withdraw(issued);
      throw error;
    }
    return { kind: 'sent' };
  }

  /**
   * Turns a code into a session. A wrong code is told before anything about accounts is, and a code is used up by
   * nothing but a login.
   * @throws StoreUnavailableError
   */
  async verifyOtp(phone: string, otp: string, tenant_id: string | undefined): Promise<LoginOutcome> {
    const code = await this.codes.check(phone, otp);
    if (!code) return { kind: 'wrong_code' };
    const accounts = await this.accounts.byPhone(phone);
    const chosen = choose(accounts, tenant_id);
    if (chosen.kind !== 'chosen') return chosen;
    if (!(await this.codes.consume(code))) return { kind: 'wrong_code' };
    const { token, session_id } = await this.sessions.begin(chosen.account);
    // An erasure ends the sessions it finds; one that ran since the account was read has not found this one.
    const [account] = await this.accounts.byTenantId([chosen.account.tenant_id]);
    if (account?.phone !== phone) {
      await this.sessions.end(session_id);
      return { kind: 'unknown_phone' };
    }
    return { kind: 'logged_in', token, account };
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
