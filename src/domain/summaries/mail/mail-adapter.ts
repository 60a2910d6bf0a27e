import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import { MailError, type MailSender } from './mail-sender.js';
import { SmtpMailSender } from './smtp-mail-sender.js';

export function mailAdapter({ smtp }: Pick<Environment, 'smtp'>, clock: Clock): MailSender {
  if (smtp !== undefined) return new SmtpMailSender(smtp, clock);
  return { sendMail: () => Promise.reject(new MailError('unreachable', 'SMTP_URL is not set')) };
}
