import { Injectable } from '@nestjs/common';
import { isTestNumber, SandboxPhones } from './sandbox-phones.js';
import { SmsSender } from './sms/sms-sender.js';
import { SmsLimits } from './sms/sms-limits.js';

/** Sends text messages to phones. Messages to test numbers are stored for their sandbox (decisions §5). */
@Injectable()
export class TextMessages {
  constructor(
    private readonly sms: SmsSender,
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

  /** Removes stored messages to these phones. @throws StoreUnavailableError */
  async forget(phones: readonly string[]): Promise<void> {
    for (const phone of phones.filter(isTestNumber)) await this.sandboxes.forget(phone);
    await this.sms.forget(phones.filter((phone) => !isTestNumber(phone)));
  }
}
