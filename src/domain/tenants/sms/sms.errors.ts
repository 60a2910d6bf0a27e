/** The SMS provider did not accept a message. Does not contain the phone number. */
export class SmsUnavailableError extends Error {
  readonly code = 'sms_unavailable';

  /** @param outcome `refused`: the provider will not send it. `unknown`: it may have taken it. */
  constructor(
    reason: string,
    readonly outcome: 'refused' | 'unknown',
  ) {
    super(`The SMS provider did not accept the message: ${reason}.`);
    this.name = 'SmsUnavailableError';
  }
}
