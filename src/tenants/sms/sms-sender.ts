/** Sends text messages. Adapters: the outbox file and Twilio. */
export interface SmsSender {
  /**
   * Resolves when the provider has accepted the message, before its delivery.
   * @param to international format with a leading `+`
   * @throws SmsUnavailableError if the provider refused or did not answer in time
   */
  send(to: string, body: string): Promise<void>;
  /** Removes messages to a phone that the service itself has stored. @throws StoreUnavailableError */
  forget(to: string): Promise<void>;
}

/** Injection token; bound by app.module.ts. */
export const SMS_SENDER = Symbol('SmsSender');
