import { isEmailAddress } from '../email-address.js';
import { EnvironmentFault, type Faults, readFlag, readText, type Variables } from './environment-values.js';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.js';

/** The mail server, and the sender of mails. */
export interface SmtpSettings extends Pick<SmtpServer, 'host' | 'port' | 'credentials'> {
  readonly tls: SmtpTls;
  /** `access@example.com` or `Storage access <access@example.com>`. */
  readonly from: string;
}

/** `required`: without STARTTLS nothing is sent. `if_offered`: otherwise mails are sent without TLS. */
export type SmtpTls = 'from_start' | 'required' | 'if_offered';

/** Undefined: the service sends no mail. @throws EnvironmentFault */
export function readSmtp(
  variables: Variables,
  { production, read }: { readonly production: boolean; readonly read: Faults['read'] },
): SmtpSettings | undefined {
  const value = readText(variables, 'SMTP_URL');
  if (value === undefined) return undefined;
  const isPlainAllowed = read(() => readFlag(variables, 'SMTP_ALLOW_INSECURE')) || !production;
  const from = read(() => readSender(variables));
  read(() => assertPublicUrl(variables));
  const server = read(() => parseSmtpUrl(value));
  if (server === undefined) return undefined;
  const { host, port, credentials } = server;
  return { host, port, credentials, tls: tlsOf(server, isPlainAllowed), from };
}

function tlsOf({ scheme, isLocal }: SmtpServer, isPlainAllowed: boolean): SmtpTls {
  if (scheme === 'smtps') return 'from_start';
  return isPlainAllowed || isLocal ? 'if_offered' : 'required';
}

/** @throws EnvironmentFault */
function readSender(variables: Variables): string {
  const from = readText(variables, 'SMTP_FROM');
  if (from === undefined) throw new EnvironmentFault('SMTP_FROM', 'is required with SMTP_URL.');
  if (isEmailAddress(addressIn(from))) return from;
  throw new EnvironmentFault(
    'SMTP_FROM',
    'must be an email address, such as access@example.com or Storage access <access@example.com>.',
  );
}

/** The address in angle brackets, or the whole text. Empty for a text of another form, or with a control character. */
function addressIn(from: string): string {
  const [, named, bare] = /^[^<>\p{Cc}]*<([^<>\p{Cc}]+)>$|^([^<>\p{Cc}]+)$/u.exec(from) ?? [];
  return named ?? bare ?? '';
}

/** A mail has links, also the one that stops it, and no request has a host for them. */
function assertPublicUrl(variables: Variables): void {
  if (readText(variables, 'PUBLIC_URL') === undefined)
    throw new EnvironmentFault('PUBLIC_URL', 'is required with SMTP_URL: mails contain links.');
}
