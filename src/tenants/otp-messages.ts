import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Logger } from '../config/logger.js';
import { LOGGER } from '../config/injection-tokens.js';
import { type IssuedCode, OtpCodes } from './otp-codes.js';
import { SMS_SENDER, type SmsSender } from './sms/sms-sender.js';

/** Sends codes to phones. */
@Injectable()
export class OtpMessages implements BeforeApplicationShutdown {
  /** Messages that no answer waits for. */
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly codes: OtpCodes,
    @Inject(SMS_SENDER) private readonly sms: SmsSender,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sending);
  }

  /** A code that could not be sent is as if it had never been made. @throws SmsUnavailableError, StoreUnavailableError */
  async sendOrWithdraw(phone: string, issued: IssuedCode): Promise<void> {
    try {
      await this.send(phone, issued.code);
    } catch (error) {
      await this.codes.withdraw(issued);
      throw error;
    }
  }

  /** A wait, a failure that is told, a cooldown that ends with it: each would tell that the phone is known. */
  sendBehind(phone: string, code: string): void {
    const sent = this.send(phone, code).catch(() => undefined);
    this.sending.add(sent);
    void sent.finally(() => this.sending.delete(sent));
  }

  private async send(phone: string, code: string): Promise<void> {
    try {
      await this.sms.send(phone, `Your access code is ${code}. It is valid for 5 minutes.`);
    } catch (error) {
      // Whom it was for stays out of the log; the error says only what the provider answered.
      this.logger.warn({ error }, 'A code could not be sent.');
      throw error;
    }
  }
}
