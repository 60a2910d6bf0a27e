/** Sends text messages. Adapters: the outbox file and Twilio. */
export interface SmsSender {
  /**
   * Hands a message over; it has been accepted when the promise resolves, not delivered.
   * @param to international format with a leading `+`.
   * @throws SmsUnavailableError when it was not accepted, or nothing was heard in time.
   */
  send(to: string, body: string): Promise<void>;
  /** Removes what the service itself keeps of messages to a phone. @throws StoreUnavailableError */
  forget(to: string): Promise<void>;
}

/** Injection token; bound by app.module.ts. */
export const SMS_SENDER = Symbol('SmsSender');
