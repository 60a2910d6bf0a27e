import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Logger } from '#kernel/logger.js';
import { LOGGER } from '#kernel/injection-tokens.js';
import { ApiError } from '#kernel/errors/api-error.js';
import { type IssuedCode, OtpCodes } from './otp-codes.js';
import { TextMessages } from './text-messages.js';

/** Sends codes to phones. */
@Injectable()
export class OtpMessages implements BeforeApplicationShutdown {
  /** Messages that no request waits for. */
  readonly #sending = new Set<Promise<void>>();

  constructor(
    private readonly codes: OtpCodes,
    private readonly messages: TextMessages,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#sending);
  }

  /**
   * Sends a code, or withdraws it.
   * @param company_ids companies with an account that has the phone
   * @throws ApiError 429. @throws SmsUnavailableError. @throws StoreUnavailableError
   */
  async sendOrWithdraw(phone: string, issued: IssuedCode, company_ids: readonly string[]): Promise<void> {
    try {
      await this.#send(phone, issued.code, company_ids);
    } catch (error) {
      await this.codes.withdraw(issued);
      throw error;
    }
  }

  /** Does not wait and hides failures, because either would reveal that the phone is known. */
  sendInBackground(phone: string, code: string, company_ids: readonly string[]): void {
    const sent = this.#send(phone, code, company_ids).catch(() => undefined);
    this.#sending.add(sent);
    void sent.finally(() => this.#sending.delete(sent));
  }

  async #send(phone: string, code: string, company_ids: readonly string[]): Promise<void> {
    try {
      const text = `Your access code is ${code}. It is valid for 5 minutes.`;
      await this.messages.send(phone, text, company_ids);
    } catch (error) {
      // The phone stays out of the log. The error contains only the provider's answer.
      if (!(error instanceof ApiError)) this.logger.warn({ error }, 'A code could not be sent.');
      throw error;
    }
  }
}
