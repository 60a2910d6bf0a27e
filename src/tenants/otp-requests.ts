import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/injection-tokens.js';
import { LoginLimits } from './login-limits.js';
import { OtpCodes } from './otp-codes.js';
import { OtpMessages } from './otp-messages.js';
import { TenantAccounts } from './tenant-accounts.js';

export type OtpRequestOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'unknown_phone' }
  /** `wait` in milliseconds until the next code may be asked for. */
  | { readonly kind: 'cooling_down'; readonly wait: number };

/** What an app asks for before a login: a code by message (specification §4.2). */
@Injectable()
export class OtpRequests {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly codes: OtpCodes,
    private readonly limits: LoginLimits,
    private readonly messages: OtpMessages,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'auth_uniform_answer'>,
  ) {}

  /**
   * Sends a code to a phone that some account has. With `AUTH_UNIFORM_ANSWER` a phone that none has is given a code as
   * well, which goes nowhere: it cools down and runs into limits like any other.
   * @throws ApiError 429 after a day's codes. @throws SmsUnavailableError; the code does not count as sent then.
   * @throws StoreUnavailableError
   */
  async request(phone: string): Promise<OtpRequestOutcome> {
    const isKnown = (await this.accounts.byPhone(phone)).length > 0;
    const isUniform = this.environment.auth_uniform_answer;
    if (!isKnown && !isUniform) return { kind: 'unknown_phone' };
    await this.limits.demandCode(phone);
    const issued = await this.codes.issue(phone);
    if (issued.kind === 'cooling_down') return issued;
    if (isUniform) {
      if (isKnown) this.messages.sendBehind(phone, issued.code);
    } else {
      await this.messages.sendOrWithdraw(phone, issued);
    }
    await this.limits.countCode(phone);
    return { kind: 'sent' };
  }
}
