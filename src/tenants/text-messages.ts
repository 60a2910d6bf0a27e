import { Inject, Injectable } from '@nestjs/common';
import { isTestNumber, SandboxPhones } from './sandbox-phones.js';
import { SMS_SENDER, type SmsSender } from './sms/sms-sender.js';
import { SmsLimits } from './sms/sms-limits.js';

/** Sends text messages to phones. Messages to test numbers go to their sandbox's page (decisions §5). */
@Injectable()
export class TextMessages {
  constructor(
    @Inject(SMS_SENDER) private readonly sms: SmsSender,
    private readonly sandboxes: SandboxPhones,
    private readonly limits: SmsLimits,
  ) {}

  /**
   * @param company_ids whose accounts have the phone: the message counts for each of them
   * @throws ApiError 429. @throws SmsUnavailableError. @throws StoreUnavailableError
   */
  async send(to: string, body: string, company_ids: readonly string[]): Promise<void> {
    if (isTestNumber(to)) return this.sandboxes.keep(to, body);
    await this.limits.take(company_ids);
    await this.sms.send(to, body);
  }

  /** Removes what is kept of messages to a phone. @throws StoreUnavailableError */
  forget(to: string): Promise<void> {
    return isTestNumber(to) ? this.sandboxes.forget(to) : this.sms.forget(to);
  }
}
