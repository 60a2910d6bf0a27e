/** The SMS provider did not accept a message. Does not contain the phone number. */
export class SmsUnavailableError extends Error {
  readonly code = 'sms_unavailable';

  constructor(reason: string) {
    super(`The SMS provider did not accept the message: ${reason}.`);
    this.name = 'SmsUnavailableError';
  }
}
