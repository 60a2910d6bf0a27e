import { Injectable } from '@nestjs/common';
import { isTestNumber } from './sandbox-phones.js';
import { SmsLimits } from './sms/sms-limits.js';
import { TextDelivery } from './text-delivery.js';

/** Sends text messages to phones, within the limits of codes (decisions §5). Messages to test numbers have none. */
@Injectable()
export class TextMessages {
  constructor(
    private readonly delivery: TextDelivery,
    private readonly limits: SmsLimits,
  ) {}

  /**
   * @param company_ids companies with an account that has the phone: the message counts for each of them
   * @throws ApiError 429. @throws SmsUnavailableError. @throws StoreUnavailableError
   */
  async send(to: string, body: string, company_ids: readonly string[]): Promise<void> {
    if (!isTestNumber(to)) await this.limits.take(company_ids);
    await this.delivery.deliver(to, body);
  }

  /** Removes stored messages to these phones. @throws StoreUnavailableError */
  forget(phones: readonly string[]): Promise<void> {
    return this.delivery.forget(phones);
  }
}
