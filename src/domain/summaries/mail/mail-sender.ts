export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Without angle brackets. A second mail with the same is a copy. */
  readonly message_id: string;
  /** A POST to it stops such mails (RFC 8058). */
  readonly stop_url: string;
}

/** Sends mails. */
export abstract class MailSender {
  /** Resolves when the server has taken the mail. @throws MailError */
  abstract sendMail(mail: Mail): Promise<void>;
}

/**
 * - `unreachable`: nothing can be sent now, and this mail was not.
 * - `deferred`: this mail was not sent. A later try may succeed.
 * - `refused`: this mail was not sent, and a repeat would be refused, too.
 * - `unknown`: it may have been sent.
 */
export type MailFailure = 'unreachable' | 'deferred' | 'refused' | 'unknown';

/** The mail server did not take a mail. Its answers are left out: they may contain the address. */
export class MailError extends Error {
  readonly code = 'mail_not_taken';

  constructor(
    readonly failure: MailFailure,
    reason: string,
  ) {
    super(`The mail server did not take the mail: ${reason}.`);
    this.name = 'MailError';
  }
}
