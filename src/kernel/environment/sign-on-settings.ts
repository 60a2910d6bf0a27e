import { EnvironmentFault, readFlag, readText, type Variables } from './environment-values.js';

/** How operators sign in with an OpenID Connect provider (decisions §6). */
export interface SignOnSettings {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** The name of the provider on pages. */
  readonly label: string;
  /** True: passwords are off. */
  readonly only: boolean;
  /** True: the first sign-on of a person is linked to the operator with the same verified e-mail. */
  readonly link_by_email: boolean;
  /** Values of `amr` or `acr` that count as a second factor. */
  readonly mfa_values: readonly string[];
}

const REQUIRED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const TEXTS = ['OIDC_LABEL', 'OIDC_MFA_VALUES'] as const;

const DEFAULT_LABEL = 'single sign-on';
const LONGEST_LABEL = 40;

/** Hosts of Microsoft Entra ID, for all clouds. */
const ENTRA_HOST = /^login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)$/;
/** Paths of Entra ID at which people of every tenant sign in. */
const ENTRA_SHARED_PATH = /^\/(?:common|organizations|consumers)(?:\/|$)/;
/** Issuers where anybody may have an account with an e-mail that the issuer does not own. */
const SHARED_HOST = /^(?:accounts\.google\.com|appleid\.apple\.com|gitlab\.com)$/;

/** Undefined: no provider is set, and operators sign in with passwords alone. */
export function readSignOn(
  variables: Variables,
  production: boolean,
  read: <T>(value: () => T) => T,
): SignOnSettings | undefined {
  const label = read(() => readLabel(variables));
  const only = read(() => readFlag(variables, 'OIDC_ONLY'));
  const link_by_email = read(() => readFlag(variables, 'OIDC_LINK_BY_EMAIL'));
  const isSet = [...REQUIRED, ...TEXTS].some((name) => readText(variables, name) !== undefined);
  if (!isSet && !only && !link_by_email) return undefined;
  const client_id = read(() => readRequired(variables, 'OIDC_CLIENT_ID'));
  const client_secret = read(() => readRequired(variables, 'OIDC_CLIENT_SECRET'));
  const issuer = read(() => readIssuer(variables, production));
  if (issuer !== undefined && link_by_email) read(() => assertOwn(issuer));
  if (production) read(() => assertPublicUrl(variables));
  return {
    issuer,
    client_id,
    client_secret,
    label,
    only,
    link_by_email,
    mfa_values: (readText(variables, 'OIDC_MFA_VALUES') ?? '')
      .split(/[\s,]+/)
      .filter((value) => value !== ''),
  };
}

function readRequired(variables: Variables, name: (typeof REQUIRED)[number]): string {
  const value = readText(variables, name);
  if (value !== undefined) return value;
  const others = REQUIRED.filter((one) => one !== name).join(' and ');
  throw new EnvironmentFault(name, `is required for single sign-on, with ${others}.`);
}

function readIssuer(variables: Variables, production: boolean): string {
  const value = readRequired(variables, 'OIDC_ISSUER');
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== '')
    throw new EnvironmentFault('OIDC_ISSUER', 'must be a URL such as https://id.example/realms/staff.');
  if (production && url.protocol === 'http:')
    throw new EnvironmentFault(
      'OIDC_ISSUER',
      'must begin with https:// with NODE_ENV=production: the client secret is sent there.',
    );
  if (ENTRA_HOST.test(url.hostname) && ENTRA_SHARED_PATH.test(url.pathname))
    throw new EnvironmentFault(
      'OIDC_ISSUER',
      'serves every tenant of Entra ID. Name your tenant: https://login.microsoftonline.com/TENANT_ID/v2.0.',
    );
  return value;
}

/** @throws EnvironmentFault for an issuer at which anybody may claim an e-mail of yours */
function assertOwn(issuer: string): void {
  if (!SHARED_HOST.test(new URL(issuer).hostname)) return;
  throw new EnvironmentFault(
    'OIDC_LINK_BY_EMAIL',
    'is for an issuer of your own, and anybody may have an account at this one. Link operators by invitation.',
  );
}

function assertPublicUrl(variables: Variables): void {
  if (readText(variables, 'PUBLIC_URL')?.startsWith('https:') === true) return;
  throw new EnvironmentFault(
    'PUBLIC_URL',
    'must begin with https:// for single sign-on with NODE_ENV=production: the provider sends people back there.',
  );
}

function readLabel(variables: Variables): string {
  const label = readText(variables, 'OIDC_LABEL') ?? DEFAULT_LABEL;
  if (label.length <= LONGEST_LABEL && !/\p{Cc}/u.test(label)) return label;
  throw new EnvironmentFault('OIDC_LABEL', `must have at most ${LONGEST_LABEL} characters.`);
}
