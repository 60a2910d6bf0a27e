import { EnvironmentFault } from './environment-values.js';
import { isLoopback } from './loopback.js';

/** A mail server, as `SMTP_URL` names it. */
export interface SmtpServer {
  readonly scheme: SmtpScheme;
  readonly host: string;
  /** Whether it runs on this machine. */
  readonly isLocal: boolean;
  readonly port: number;
  readonly credentials: { readonly user: string; readonly pass: string } | undefined;
}

/** `smtps`: TLS before the first command. */
type SmtpScheme = 'smtp' | 'smtps';

const USUAL_PORTS: Readonly<Record<SmtpScheme, number>> = { smtp: 587, smtps: 465 };

/** Messages of faults show nothing of the value: it may contain a password. @throws EnvironmentFault */
export function parseSmtpUrl(value: string): SmtpServer {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const scheme = schemeOf(url);
  if (url === undefined || scheme === undefined || url.hostname === '')
    throw new EnvironmentFault('SMTP_URL', 'must be a URL that begins with smtp:// or smtps://.');
  if (!/^\/?$/.test(`${url.pathname}${url.search}${url.hash}`))
    throw new EnvironmentFault('SMTP_URL', 'must end after the host and the port.');
  return {
    scheme,
    host: withoutBrackets(url.hostname),
    isLocal: isLoopback(url.hostname),
    port: url.port === '' ? USUAL_PORTS[scheme] : Number(url.port),
    credentials: readCredentials(url),
  };
}

function schemeOf(url: URL | undefined): SmtpScheme | undefined {
  switch (url?.protocol) {
    case 'smtp:':
      return 'smtp';
    case 'smtps:':
      return 'smtps';
    default:
      return undefined;
  }
}

/** A URL has an IPv6 address in brackets. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** @throws EnvironmentFault */
function readCredentials({ username, password }: URL): SmtpServer['credentials'] {
  if (username === '' && password === '') return undefined;
  const user = decoded(username);
  const pass = decoded(password);
  if (user && pass) return { user, pass };
  throw new EnvironmentFault(
    'SMTP_URL',
    'must hold a user and a password, both percent-encoded, or neither.',
  );
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
