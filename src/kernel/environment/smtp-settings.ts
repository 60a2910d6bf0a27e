import { isEmailAddress } from '../email-address.js';
import { EnvironmentFault, type Faults, readFlag, readText, type Variables } from './environment-values.js';
import { isLoopback } from './loopback.js';

/** The mail server, and the sender of mails. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS before the first command. Otherwise the connection may become TLS by STARTTLS. */
  readonly isTlsFromStart: boolean;
  /** Without TLS nothing is sent. */
  readonly isTlsRequired: boolean;
  readonly credentials: { readonly user: string; readonly pass: string } | undefined;
  /** `access@example.com` or `Storage access <access@example.com>`. */
  readonly from: string;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** Undefined: the service sends no mail. @throws EnvironmentFault */
export function readSmtp(
  variables: Variables,
  { production, read }: { readonly production: boolean; readonly read: Faults['read'] },
): SmtpSettings | undefined {
  const value = readText(variables, 'SMTP_URL');
  if (value === undefined) return undefined;
  const isPlainAllowed = read(() => readFlag(variables, 'SMTP_ALLOW_INSECURE')) || !production;
  const from = read(() => sender(variables));
  read(() => assertPublicUrl(variables));
  const url = read(() => address(value));
  if (url === undefined) return undefined;
  const { protocol, hostname, port, username, password } = url;
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: port === '' ? PORTS[protocol]! : Number(port),
    isTlsFromStart: protocol === 'smtps:',
    isTlsRequired: !isPlainAllowed && !isLoopback(hostname),
    credentials:
      username === ''
        ? undefined
        : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    from,
  };
}

/** The message shows nothing of the value: it may contain a password. */
function address(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !(url.protocol in PORTS) || url.hostname === '')
    throw new EnvironmentFault('SMTP_URL', 'must be a URL that begins with smtp:// or smtps://.');
  if (!/^\/?$/.test(`${url.pathname}${url.search}${url.hash}`))
    throw new EnvironmentFault('SMTP_URL', 'must end after the host and the port.');
  if (!areCredentials(url))
    throw new EnvironmentFault(
      'SMTP_URL',
      'must hold a user and a password, both percent-encoded, or neither.',
    );
  return url;
}

function areCredentials({ username, password }: URL): boolean {
  return (username === '') === (password === '') && isDecodable(username) && isDecodable(password);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function sender(variables: Variables): string {
  const from = readText(variables, 'SMTP_FROM');
  if (from === undefined) throw new EnvironmentFault('SMTP_FROM', 'is required with SMTP_URL.');
  const [, named, bare] = /^[^<>\p{Cc}]*<([^<>\p{Cc}]+)>$|^([^<>\p{Cc}]+)$/u.exec(from) ?? [];
  if (isEmailAddress(named ?? bare ?? '')) return from;
  throw new EnvironmentFault(
    'SMTP_FROM',
    'must be an email address, such as access@example.com or Storage access <access@example.com>.',
  );
}

/** A mail has links, also the one that stops it, and no request has a host for them. */
function assertPublicUrl(variables: Variables): void {
  if (readText(variables, 'PUBLIC_URL') === undefined)
    throw new EnvironmentFault('PUBLIC_URL', 'is required with SMTP_URL: mails contain links.');
}
