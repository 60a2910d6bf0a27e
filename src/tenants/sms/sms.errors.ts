/** The SMS provider did not take a message. Says nothing about whom it was for. */
export class SmsUnavailableError extends Error {
  readonly code = 'sms_unavailable';

  constructor(reason: string) {
    super(`The SMS provider did not take the message: ${reason}.`);
    this.name = 'SmsUnavailableError';
  }
}
