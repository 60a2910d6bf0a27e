import { Injectable } from '@nestjs/common';
import { isTestNumber, SandboxPhones } from './sandbox-phones.js';
import { SmsSender } from './sms/sms-sender.js';

/** Hands texts to the provider. Those to test numbers are stored for their sandbox (decisions §5). It counts nothing. */
@Injectable()
export class TextDelivery {
  constructor(
    private readonly sms: SmsSender,
    private readonly sandboxes: SandboxPhones,
  ) {}

  /** @throws SmsUnavailableError. @throws StoreUnavailableError */
  async deliver(to: string, body: string): Promise<void> {
    if (isTestNumber(to)) await this.sandboxes.storeMessage(to, body);
    else await this.sms.send(to, body);
  }

  /** Removes stored messages to these phones. @throws StoreUnavailableError */
  async forget(phones: readonly string[]): Promise<void> {
    for (const phone of phones.filter(isTestNumber)) await this.sandboxes.forget(phone);
    await this.sms.forget(phones.filter((phone) => !isTestNumber(phone)));
  }
}
