import { isAddressRange } from './address-ranges.js';

/** The service's configuration, read from the environment once at start (docs/decisions.md §10). */
export interface Environment {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly data_dir: string;
  /** Unset: the embedded event store in `data_dir`. */
  readonly eventstore_url: string | undefined;
  /** Stands before the name of every stream, in either event store. */
  readonly eventstore_stream_prefix: string;
  /** Unset: the embedded document store in `data_dir`. */
  readonly mongodb_url: string | undefined;
  /** Unset: made once and kept in `data_dir`. Always set in production. */
  readonly key_master_secret: string | undefined;
  readonly sms: SmsSettings;
  /** Unset: a first operator is made at first start and its password printed once. */
  readonly operator: { readonly email: string; readonly password: string } | undefined;
  readonly tenant_token_days: number;
  /** An unknown phone is answered as a known one is (decisions §5). */
  readonly auth_uniform_answer: boolean;
  /** Requests a company may make in 60 seconds (specification §8). */
  readonly rate_limit_pms_writes: number;
  readonly rate_limit_pms_bulk: number;
  readonly rate_limit_reads: number;
  /** Requests of a tenants' login that a client address may make in 60 seconds. */
  readonly rate_limit_auth_source: number;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is believed. */
  readonly trusted_proxies: readonly string[];
  readonly pull_allow_private: boolean;
  /** The date (YYYY-MM-DD) that `Sunset` announces for the earlier surface. */
  readonly v1_sunset: string | undefined;
  readonly log_level: LogLevel;
}

export type SmsSettings =
  | { readonly provider: 'outbox' }
  | {
      readonly provider: 'twilio';
      readonly account_sid: string;
      readonly auth_token: string;
      readonly from: string;
    };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** An EventStoreDB is shared with other applications. */
export const DEFAULT_STREAM_PREFIX = 'storage_access.';

const SHORTEST_MASTER_SECRET = 32;
const LARGEST_LIMIT = 1_000_000;

/** A variable that the service cannot start with. The message is one line and never shows a value. */
export class EnvironmentError extends Error {
  readonly code = 'environment';

  constructor(
    readonly variable: string,
    fault: string,
  ) {
    super(`${variable} ${fault}`);
    this.name = 'EnvironmentError';
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads and checks the environment. An empty variable counts as unset. @throws EnvironmentError */
export function readEnvironment(variables: Variables): Environment {
  const production = text(variables, 'NODE_ENV') === 'production';
  return {
    production,
    host: text(variables, 'HOST') ?? '0.0.0.0',
    port: whole(variables, 'PORT', { fallback: 3000, min: 0, max: 65_535 }),
    data_dir: text(variables, 'DATA_DIR') ?? './data',
    eventstore_url: url(variables, 'EVENTSTORE_URL', [
      'esdb:',
      'esdb+discover:',
      'kurrentdb:',
      'kurrentdb+discover:',
    ]),
    eventstore_stream_prefix: streamPrefix(variables),
    mongodb_url: url(variables, 'MONGODB_URL', ['mongodb:', 'mongodb+srv:']),
    key_master_secret: masterSecret(variables, production),
    sms: sms(variables),
    operator: operator(variables),
    tenant_token_days: whole(variables, 'TENANT_TOKEN_DAYS', { fallback: 30, min: 1, max: 90 }),
    auth_uniform_answer: flag(variables, 'AUTH_UNIFORM_ANSWER'),
    rate_limit_pms_writes: whole(variables, 'RATE_LIMIT_PMS_WRITES', {
      fallback: 600,
      min: 1,
      max: LARGEST_LIMIT,
    }),
    rate_limit_pms_bulk: whole(variables, 'RATE_LIMIT_PMS_BULK', {
      fallback: 60,
      min: 1,
      max: LARGEST_LIMIT,
    }),
    rate_limit_reads: whole(variables, 'RATE_LIMIT_READS', { fallback: 1200, min: 1, max: LARGEST_LIMIT }),
    rate_limit_auth_source: whole(variables, 'RATE_LIMIT_AUTH_SOURCE', {
      fallback: 60,
      min: 1,
      max: LARGEST_LIMIT,
    }),
    trusted_proxies: addressRanges(variables, 'TRUSTED_PROXIES'),
    pull_allow_private: flag(variables, 'PULL_ALLOW_PRIVATE'),
    v1_sunset: date(variables, 'V1_SUNSET'),
    log_level: oneOf(variables, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
  };
}

function text(variables: Variables, name: string): string | undefined {
  const value = variables[name]?.trim();
  return value === '' ? undefined : value;
}

function whole(
  variables: Variables,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = text(variables, name);
  if (value === undefined) return fallback;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw new EnvironmentError(name, `must be a whole number between ${min} and ${max}.`);
}

function flag(variables: Variables, name: string): boolean {
  return oneOf(variables, name, ['true', 'false'] as const) === 'true';
}

function oneOf<T extends string>(variables: Variables, name: string, choices: readonly T[]): T | undefined {
  const value = text(variables, name);
  if (value === undefined) return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw new EnvironmentError(name, `must be one of ${choices.join(', ')}.`);
  return chosen;
}

function url(variables: Variables, name: string, schemes: readonly string[]): string | undefined {
  const value = text(variables, name);
  if (value === undefined) return undefined;
  const scheme = schemes.find((known) => value.startsWith(`${known}//`));
  if (scheme === undefined) {
    throw new EnvironmentError(
      name,
      `must be a URL that begins with ${schemes.map((known) => `${known}//`).join(' or ')}.`,
    );
  }
  // Several hosts may stand between commas, which the URL parser does not know: the drivers parse the rest.
  const authority = /^[^/?#]*/.exec(value.slice(scheme.length + 2))?.[0] ?? '';
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  if (!hosts.split(',').every((host) => /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/.test(host))) {
    throw new EnvironmentError(name, 'must be a URL with a host, or several between commas.');
  }
  return value;
}

function addressRanges(variables: Variables, name: string): readonly string[] {
  const ranges = (text(variables, name) ?? '').split(',').map((range) => range.trim());
  if (ranges.length === 1 && ranges[0] === '') return [];
  if (ranges.every(isAddressRange)) return ranges;
  throw new EnvironmentError(name, 'must be addresses or ranges such as 10.0.0.0/8, between commas.');
}

function streamPrefix(variables: Variables): string {
  const value = text(variables, 'EVENTSTORE_STREAM_PREFIX') ?? DEFAULT_STREAM_PREFIX;
  if (/^[A-Za-z0-9_.]{1,40}$/.test(value)) return value;
  throw new EnvironmentError(
    'EVENTSTORE_STREAM_PREFIX',
    'must be 1 to 40 letters of the English alphabet, digits, underscores or dots.',
  );
}

function date(variables: Variables, name: string): string | undefined {
  const value = text(variables, name);
  if (value === undefined) return undefined;
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  // `Date` turns 30 February into a day of March, so what comes back must be what was given.
  if (!Number.isNaN(instant) && new Date(instant).toISOString().startsWith(value)) return value;
  throw new EnvironmentError(name, 'must be a valid date in the format YYYY-MM-DD.');
}

function masterSecret(variables: Variables, production: boolean): string | undefined {
  const value = text(variables, 'KEY_MASTER_SECRET');
  if (value === undefined && production) {
    throw new EnvironmentError('KEY_MASTER_SECRET', 'is required with NODE_ENV=production.');
  }
  if (value !== undefined && value.length < SHORTEST_MASTER_SECRET) {
    throw new EnvironmentError(
      'KEY_MASTER_SECRET',
      `must have at least ${SHORTEST_MASTER_SECRET} characters.`,
    );
  }
  return value;
}

function sms(variables: Variables): SmsSettings {
  const provider = oneOf(variables, 'SMS_PROVIDER', ['outbox', 'twilio'] as const) ?? 'outbox';
  if (provider === 'outbox') return { provider };
  const required = (name: string): string => {
    const value = text(variables, name);
    if (value === undefined) throw new EnvironmentError(name, 'is required with SMS_PROVIDER=twilio.');
    return value;
  };
  return {
    provider,
    account_sid: required('TWILIO_ACCOUNT_SID'),
    auth_token: required('TWILIO_AUTH_TOKEN'),
    from: required('TWILIO_FROM'),
  };
}

function operator(variables: Variables): Environment['operator'] {
  const email = text(variables, 'OPERATOR_EMAIL');
  // A password is taken as it stands: white space at its ends may be meant.
  const password = variables['OPERATOR_PASSWORD'] === '' ? undefined : variables['OPERATOR_PASSWORD'];
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined)
    throw new EnvironmentError('OPERATOR_EMAIL', 'is required with OPERATOR_PASSWORD.');
  if (password === undefined)
    throw new EnvironmentError('OPERATOR_PASSWORD', 'is required with OPERATOR_EMAIL.');
  // As PASSWORD_LENGTH has it, of which this folder knows nothing.
  if ([...password].length < 12 || [...password].length > 256)
    throw new EnvironmentError('OPERATOR_PASSWORD', 'must have between 12 and 256 characters.');
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new EnvironmentError('OPERATOR_EMAIL', 'must be a valid email address.');
  return { email, password };
}
