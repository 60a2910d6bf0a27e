import { Readable } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '#kernel/clock.js';
import type { SmtpSettings } from '#kernel/environment/smtp-settings.js';
import { underTimeLimit } from '#kernel/within.js';
import { type Mail, MailError, type MailFailure, type MailSender } from './mail-sender.js';

const SEND_TIMEOUT_MS = 30_000;

/** What nodemailer says of a failure. Its message is never used: it quotes the server. */
interface SmtpFailure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** Sends each mail over a connection of its own. */
export class SmtpMailSender implements MailSender {
  /** @param tlsOptions added to the options of TLS, for tests */
  constructor(
    private readonly settings: SmtpSettings,
    private readonly clock: Clock,
    private readonly tlsOptions: ConnectionOptions = {},
  ) {}

  sendMail(mail: Mail): Promise<void> {
    return underTimeLimit(
      this.clock,
      SEND_TIMEOUT_MS,
      () => new Error('late'),
      (signal) => this.#send(mail, signal),
    );
  }

  async #send(mail: Mail, signal: AbortSignal): Promise<void> {
    const progress = { isBodyBegun: false };
    try {
      await this.#hand(mail, progress, signal);
    } catch (error) {
      throw error instanceof MailError
        ? error
        : failureOf(error as SmtpFailure, { ...progress, isLate: signal.aborted });
    }
  }

  async #hand(mail: Mail, progress: { isBodyBegun: boolean }, signal: AbortSignal): Promise<void> {
    // Most processes send no mail.
    const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
    const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
    const { host, port, tls, credentials, from } = this.settings;
    const message = new MailComposer({
      from,
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      messageId: `<${mail.message_id}>`,
      headers: {
        'List-Unsubscribe': `<${mail.stop_url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
      },
    }).compile();
    const bytes = await message.build();
    const connection = new SMTPConnection({
      host,
      port,
      secure: tls === 'from_start',
      requireTLS: tls === 'required',
      connectionTimeout: SEND_TIMEOUT_MS,
      greetingTimeout: SEND_TIMEOUT_MS,
      socketTimeout: SEND_TIMEOUT_MS,
      dnsTimeout: SEND_TIMEOUT_MS,
      tls: this.tlsOptions,
    });
    try {
      await new Promise<void>((resolve, reject) => {
        const abort = () => reject(new Error('late'));
        signal.addEventListener('abort', abort, { once: true });
        connection.on('error', reject);
        connection.connect((error) => {
          if (error != null) return void reject(error);
          const envelope = { from: message.getEnvelope().from, to: [mail.to] };
          const body = Readable.from(
            (function* () {
              progress.isBodyBegun = true;
              yield bytes;
            })(),
          );
          const send = () =>
            connection.send(envelope, body, (refusal) => (refusal == null ? resolve() : reject(refusal)));
          if (credentials === undefined) return send();
          if (!connection.allowsAuth)
            return void reject(new MailError('unreachable', 'it takes no password on this connection'));
          connection.login({ credentials }, (refusal) => (refusal == null ? send() : reject(refusal)));
        });
      });
    } finally {
      connection.close();
    }
  }
}

function failureOf(
  { code = 'no code', command, responseCode }: SmtpFailure,
  { isBodyBegun, isLate }: { readonly isBodyBegun: boolean; readonly isLate: boolean },
): MailError {
  const reason = isLate ? 'no answer in time' : [code, command, responseCode].filter(Boolean).join(' ');
  return new MailError(
    isLate ? lost(isBodyBegun) : kindOf({ code, command, responseCode }, isBodyBegun),
    reason,
  );
}

function lost(isBodyBegun: boolean): MailFailure {
  return isBodyBegun ? 'unknown' : 'unreachable';
}

function kindOf({ code, command, responseCode = 0 }: SmtpFailure, isBodyBegun: boolean): MailFailure {
  const isAnswered = code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM');
  if (!isAnswered) return lost(isBodyBegun);
  return responseCode >= 400 && responseCode < 500 ? 'deferred' : 'refused';
}
