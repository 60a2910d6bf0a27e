/** Sends text messages. Adapters: the outbox file and Twilio. */
export abstract class SmsSender {
  /**
   * Resolves when the provider has accepted the message, before its delivery.
   * @param to international format with a leading `+`
   * @throws SmsUnavailableError if the provider refused or did not answer in time
   */
  abstract send(to: string, body: string): Promise<void>;
  /** Removes messages to these phones that the service itself has stored. @throws StoreUnavailableError */
  abstract forget(phones: readonly string[]): Promise<void>;
}
