import { Inject, Injectable } from '@nestjs/common';
import { isTestNumber, SandboxPhones } from './sandbox-phones.js';
import { SMS_SENDER, type SmsSender } from './sms/sms-sender.js';
import { SmsLimits } from './sms/sms-limits.js';

/** Sends text messages to phones. Messages to test numbers are stored for their sandbox (decisions §5). */
@Injectable()
export class TextMessages {
  constructor(
    @Inject(SMS_SENDER) private readonly sms: SmsSender,
    private readonly sandboxes: SandboxPhones,
    private readonly limits: SmsLimits,
  ) {}

  /**
   * @param company_ids companies with an account that has the phone: the message counts for each of them
   * @throws ApiError 429. @throws SmsUnavailableError. @throws StoreUnavailableError
   */
  async send(to: string, body: string, company_ids: readonly string[]): Promise<void> {
    if (isTestNumber(to)) return this.sandboxes.storeMessage(to, body);
    await this.limits.take(company_ids);
    await this.sms.send(to, body);
  }

  /** Removes stored messages to a phone. @throws StoreUnavailableError */
  forget(to: string): Promise<void> {
    return isTestNumber(to) ? this.sandboxes.forget(to) : this.sms.forget(to);
  }
}
