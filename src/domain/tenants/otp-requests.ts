import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { LoginObserver } from './login-observer.js';
import type { LoginNetwork } from './login-networks.js';
import { OtpLimits } from './otp-limits.js';
import { OtpCodes } from './otp-codes.js';
import { OtpMessages } from './otp-messages.js';
import { SmsUnavailableError } from './sms/sms.errors.js';
import { TenantAccounts } from './tenant-accounts.js';

type OtpRequestOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'unknown_phone' }
  /** `wait`: milliseconds until the next code may be requested. */
  | { readonly kind: 'cooling_down'; readonly wait: number };

/** The first step of a login: an app asks for a code by message (specification §4.2). */
@Injectable()
export class OtpRequests {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly codes: OtpCodes,
    private readonly limits: OtpLimits,
    private readonly messages: OtpMessages,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'auth_uniform_answer'>,
    @Optional() private readonly observer?: LoginObserver,
  ) {}

  /**
   * Sends a code to a phone that an account has. With `AUTH_UNIFORM_ANSWER` an unknown phone gets a code too, which is not
   * sent, so that cooldown and limits are the same.
   * @throws ApiError 429 at a limit. @throws SmsUnavailableError; then the code does not count.
   * @throws StoreUnavailableError
   */
  async request(from: LoginNetwork): Promise<OtpRequestOutcome> {
    try {
      const outcome = await this.#answer(from);
      this.observer?.codeAsked(outcome.kind);
      return outcome;
    } catch (error) {
      if (error instanceof SmsUnavailableError) this.observer?.codeAsked('failed');
      throw error;
    }
  }

  async #answer(from: LoginNetwork): Promise<OtpRequestOutcome> {
    const { phone } = from;
    const accounts = await this.accounts.byPhone(phone);
    const isKnown = accounts.length > 0;
    const isUniform = this.environment.auth_uniform_answer;
    if (!isKnown && !isUniform) return { kind: 'unknown_phone' };
    await this.limits.assertCode(from);
    const company_ids = accounts.map(({ company_id }) => company_id);
    const issued = await this.codes.issue(from, company_ids);
    if (issued.kind === 'cooling_down') return issued;
    if (isUniform) {
      if (isKnown) this.messages.sendInBackground(phone, issued.code, company_ids);
    } else {
      await this.messages.sendOrWithdraw(phone, issued, company_ids);
    }
    await this.limits.countCode(from);
    return { kind: 'sent' };
  }
}
