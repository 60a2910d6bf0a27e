import { isEmailAddress } from '../email-address.js';
import { PASSWORD_LENGTH } from '../password-length.js';
import {
  readAddressRanges,
  readDate,
  EnvironmentFault,
  Faults,
  readFlag,
  hostsOf,
  readChoice,
  readOrigin,
  readOrigins,
  readSigningKey,
  readText,
  readUrl,
  type Variables,
  readWhole,
} from './environment-values.js';
import { isLoopback } from './loopback.js';
import { withSecretFiles } from './secret-files.js';
import { readSignOn } from './sign-on-settings.js';
import { readSmtp } from './smtp-settings.js';

/** Limits of text messages. */
export interface SmsLimit {
  readonly minute: number;
  readonly day: number;
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

export const DEFAULT_STREAM_PREFIX = 'storage_access.';

const SHORTEST_MASTER_SECRET = 32;
const LARGEST_LIMIT = 1_000_000;

/** All faults of the environment, one line each. */
export class EnvironmentError extends Error {
  readonly code = 'environment';

  constructor(readonly faults: readonly EnvironmentFault[]) {
    super(faults.map(({ message }) => message).join('\n'));
  }
}

/** An environment whose stores are on servers. */
export type OnServers = Environment & { readonly eventstore_url: string; readonly mongodb_url: string };

/** True if both stores are on servers; otherwise both are embedded. */
export function isOnServers<T extends Pick<Environment, 'eventstore_url' | 'mongodb_url'>>(
  environment: T,
): environment is T & Pick<OnServers, 'eventstore_url' | 'mongodb_url'> {
  return environment.eventstore_url !== undefined && environment.mongodb_url !== undefined;
}

/** Reads and checks the environment. An empty variable counts as unset. @throws EnvironmentError naming every fault */
export function readEnvironment(variables: Variables): Environment {
  const { environment, faults } = inspectEnvironment(variables);
  if (faults.length > 0) throw new EnvironmentError(faults);
  return environment;
}

export interface EnvironmentRules {
  /** For a command that uses only the event store: `MONGODB_URL` may be missing. */
  readonly eventStoreAlone?: boolean;
}

/** As {@link readEnvironment}, but returns the faults instead of throwing. Use only fields without a fault. */
export function inspectEnvironment(
  given: Variables,
  { eventStoreAlone = false }: EnvironmentRules = {},
): {
  readonly environment: Environment;
  readonly faults: readonly EnvironmentFault[];
} {
  const { all: faults, read } = new Faults();
  const variables = withSecretFiles(given, read);
  const environment = valuesOf(variables, read);
  if (!eventStoreAlone) read(() => assertBothStores(variables));
  return { environment, faults };
}

/** The service's configuration, read from the environment once at start (docs/decisions.md §10). */
export type Environment = Readonly<ReturnType<typeof valuesOf>>;

function valuesOf(variables: Variables, read: Faults['read']) {
  const production = readText(variables, 'NODE_ENV') === 'production';
  return {
    production,
    host: readText(variables, 'HOST') ?? '0.0.0.0',
    port: read(() => readWhole(variables, 'PORT', { fallback: 3000, min: 0, max: 65_535 })),
    data_dir: readText(variables, 'DATA_DIR') ?? './data',
    /** Set with `mongodb_url`. Unset: the embedded event store in `data_dir`. */
    eventstore_url: read(() =>
      readUrl(variables, 'EVENTSTORE_URL', ['esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:']),
    ),
    /** Allows an event store on another host without TLS. Such a server accepts any credentials. */
    eventstore_insecure_allowed: read(() => readFlag(variables, 'EVENTSTORE_ALLOW_INSECURE')) || !production,
    /** The beginning of every stream's name in the event store. */
    eventstore_stream_prefix: read(() => streamPrefix(variables)),
    /** Set with `eventstore_url`. Unset: the embedded document store in `data_dir`. */
    mongodb_url: read(() => mongodbUrl(variables, production, read)),
    /** Unset: made once and kept in `data_dir`. Always set in production. */
    key_master_secret: read(() => masterSecret(variables, production)),
    /** True: a start with a changed secret gives every lock a new key. False: such a start is refused. */
    key_master_secret_rotate: read(() => readFlag(variables, 'KEY_MASTER_SECRET_ROTATE')),
    sms: read(() => sms(variables, production, read)),
    /** Unset: the service sends no mail. */
    smtp: read(() => readSmtp(variables, { production, read })),
    /** Unset: the first start makes a first operator and prints the password once. */
    operator: read(() => operator(variables, production)),
    /** The provider of single sign-on for operators. Unset: passwords alone. */
    sign_on: readSignOn(variables, production, read),
    /** Every operator must sign in with a second factor. */
    operator_require_totp: read(() => readFlag(variables, 'OPERATOR_REQUIRE_TOTP')),
    tenant_token_days: read(() =>
      readWhole(variables, 'TENANT_TOKEN_DAYS', { fallback: 30, min: 1, max: 90 }),
    ),
    /** An unknown phone gets the same answer as a known one (decisions §5). */
    auth_uniform_answer: read(() => readFlag(variables, 'AUTH_UNIFORM_ANSWER')),
    /** Requests a company may make in 60 seconds (specification §8). */
    rate_limit_pms_writes: read(() => limit(variables, 'RATE_LIMIT_PMS_WRITES', 600)),
    rate_limit_pms_bulk: read(() => limit(variables, 'RATE_LIMIT_PMS_BULK', 60)),
    rate_limit_reads: read(() => limit(variables, 'RATE_LIMIT_READS', 1200)),
    /** Requests an operator may make in 60 seconds, in all sessions together. */
    rate_limit_operators: read(() => limit(variables, 'RATE_LIMIT_OPERATORS', 1200)),
    /** For each tenant: requests of `GET /tenant/access` in 60 seconds. */
    rate_limit_tenant_reads: read(() => limit(variables, 'RATE_LIMIT_TENANT_READS', 300)),
    /** For each client address: login requests of tenants in 60 seconds. */
    rate_limit_auth_source: read(() => limit(variables, 'RATE_LIMIT_AUTH_SOURCE', 60)),
    sms_limit_company: read(() => smsLimit(variables, 'SMS_LIMIT_COMPANY', '60/2000')),
    sms_limit_service: read(() => smsLimit(variables, 'SMS_LIMIT_SERVICE', '600/20000')),
    /** Addresses and CIDR ranges of proxies. Their `X-Forwarded-For` gives the client's address. */
    trusted_proxies: read(() => readAddressRanges(variables, 'TRUSTED_PROXIES')),
    /** The origin under which browsers reach the service: links in messages begin with it. */
    public_url: read(() => readOrigin(variables, 'PUBLIC_URL')),
    /** Origins whose pages may call the API from a browser, besides our own. */
    cors_origins: read(() => readOrigins(variables, 'CORS_ORIGINS')),
    pull_allow_private: read(() => readFlag(variables, 'PULL_ALLOW_PRIVATE')),
    webhook_allow_private: read(() => readFlag(variables, 'WEBHOOK_ALLOW_PRIVATE')),
    /** The date (YYYY-MM-DD) in the `Sunset` header of API v1. */
    v1_sunset: read(() => readDate(variables, 'V1_SUNSET')),
    /** Unset: made once and kept in `data_dir`. On servers it is always set together with a checkpoint file. */
    audit_signing_key: read(() => auditSigningKey(variables)),
    /** Unset: the service signs no checkpoints by itself. */
    audit_checkpoint_file: readText(variables, 'AUDIT_CHECKPOINT_FILE'),
    log_level: read(() => readChoice(variables, 'LOG_LEVEL', LOG_LEVELS) ?? 'info'),
    /** Logs each request at the level `info`. */
    access_log: read(() => readFlag(variables, 'ACCESS_LOG', true)),
  };
}

const STORE_VARIABLES = ['EVENTSTORE_URL', 'MONGODB_URL'] as const;

/** @throws EnvironmentFault if only one store is on a server */
function assertBothStores(variables: Variables): void {
  const [set, ...others] = STORE_VARIABLES.filter((name) => readText(variables, name) !== undefined);
  if (set === undefined || others.length > 0) return;
  const missing = STORE_VARIABLES.find((name) => name !== set)!;
  throw new EnvironmentFault(
    set,
    `is set and ${missing} is not. Set both for stores on servers, or neither for embedded stores.`,
  );
}

function limit(variables: Variables, name: string, fallback: number): number {
  return readWhole(variables, name, { fallback, min: 1, max: LARGEST_LIMIT });
}

function smsLimit(variables: Variables, name: string, fallback: string): SmsLimit {
  const [minute, day, ...more] = (readText(variables, name) ?? fallback).split('/').map(Number);
  const isLimit = (value?: number) => Number.isInteger(value) && value! >= 1 && value! <= LARGEST_LIMIT;
  if (isLimit(minute) && isLimit(day) && more.length === 0) return { minute: minute!, day: day! };
  throw new EnvironmentFault(name, `must be a minute's and a day's number of messages, such as ${fallback}.`);
}

function streamPrefix(variables: Variables): string {
  const value = readText(variables, 'EVENTSTORE_STREAM_PREFIX') ?? DEFAULT_STREAM_PREFIX;
  if (/^[A-Za-z0-9_.]{1,40}$/.test(value)) return value;
  throw new EnvironmentFault(
    'EVENTSTORE_STREAM_PREFIX',
    'must be 1 to 40 letters of the English alphabet, digits, underscores or dots.',
  );
}

const SAYS_TLS = /[?&](?:tls|ssl)=true(?:&|$)/i;
const SAYS_NO_TLS = /[?&](?:tls|ssl)=false(?:&|$)/i;
/** With any of these options the driver does not verify the server. */
const CHECKS_NOTHING =
  /[?&](?:tlsInsecure|tlsAllowInvalidCertificates|tlsAllowInvalidHostnames)=true(?:&|$)/i;

/** In production it demands TLS to another host: anybody on the network could otherwise read and write everything. */
function mongodbUrl(variables: Variables, production: boolean, read: Faults['read']): string | undefined {
  const value = readUrl(variables, 'MONGODB_URL', ['mongodb:', 'mongodb+srv:']);
  const isAllowed = read(() => readFlag(variables, 'MONGODB_ALLOW_INSECURE'));
  if (value !== undefined && production && !isAllowed) read(() => assertSafe(value));
  return value;
}

/** @throws EnvironmentFault */
function assertSafe(value: string): void {
  const isPlain = value.startsWith('mongodb+srv:') ? SAYS_NO_TLS.test(value) : !SAYS_TLS.test(value);
  const isSafe = !isPlain && !CHECKS_NOTHING.test(value);
  if (isSafe || hostsOf(value).every(isLoopback)) return;
  throw new EnvironmentFault(
    'MONGODB_URL',
    'names another host without verified TLS. Use tls=true without options that weaken it, or set MONGODB_ALLOW_INSECURE=true if the network is trusted.',
  );
}

function masterSecret(variables: Variables, production: boolean): string | undefined {
  const value = readText(variables, 'KEY_MASTER_SECRET');
  if (value === undefined && production) {
    throw new EnvironmentFault('KEY_MASTER_SECRET', 'is required with NODE_ENV=production.');
  }
  if (value !== undefined && value.length < SHORTEST_MASTER_SECRET) {
    throw new EnvironmentFault(
      'KEY_MASTER_SECRET',
      `must have at least ${SHORTEST_MASTER_SECRET} characters.`,
    );
  }
  return value;
}

/** On servers all processes need the same key: a leader refuses checkpoints that are signed with another one. */
function auditSigningKey(variables: Variables): string | undefined {
  const value = readSigningKey(variables, 'AUDIT_SIGNING_KEY');
  const isShared = readText(variables, 'EVENTSTORE_URL') !== undefined;
  if (value !== undefined || !isShared || readText(variables, 'AUDIT_CHECKPOINT_FILE') === undefined)
    return value;
  throw new EnvironmentFault(
    'AUDIT_SIGNING_KEY',
    'is required with AUDIT_CHECKPOINT_FILE and EVENTSTORE_URL. Give every process the same key.',
  );
}

function sms(variables: Variables, production: boolean, read: <T>(value: () => T) => T): SmsSettings {
  const provider = readChoice(variables, 'SMS_PROVIDER', ['outbox', 'twilio'] as const);
  if (provider === undefined && production) {
    const fault =
      'is required with NODE_ENV=production. Set twilio, or outbox: it sends nothing and writes codes to a file.';
    throw new EnvironmentFault('SMS_PROVIDER', fault);
  }
  if (provider !== 'twilio') return { provider: 'outbox' };
  const required = (name: string): string => {
    const value = readText(variables, name);
    if (value === undefined) throw new EnvironmentFault(name, 'is required with SMS_PROVIDER=twilio.');
    return value;
  };
  return {
    provider,
    account_sid: read(() => required('TWILIO_ACCOUNT_SID')),
    auth_token: read(() => required('TWILIO_AUTH_TOKEN')),
    from: read(() => required('TWILIO_FROM')),
  };
}

function operator(
  variables: Variables,
  production: boolean,
): { readonly email: string; readonly password: string } | undefined {
  const email = readText(variables, 'OPERATOR_EMAIL');
  // Not trimmed: white space may be a part of the password.
  const password = variables['OPERATOR_PASSWORD'] === '' ? undefined : variables['OPERATOR_PASSWORD'];
  if (email === undefined && password === undefined) {
    if (!production) return undefined;
    throw new EnvironmentFault(
      'OPERATOR_PASSWORD',
      'is required with NODE_ENV=production, and OPERATOR_EMAIL.',
    );
  }
  if (email === undefined)
    throw new EnvironmentFault('OPERATOR_EMAIL', 'is required with OPERATOR_PASSWORD.');
  if (password === undefined)
    throw new EnvironmentFault('OPERATOR_PASSWORD', 'is required with OPERATOR_EMAIL.');
  const { min, max } = PASSWORD_LENGTH;
  const { length } = [...password];
  if (length < min || length > max)
    throw new EnvironmentFault('OPERATOR_PASSWORD', `must have between ${min} and ${max} characters.`);
  if (!isEmailAddress(email)) throw new EnvironmentFault('OPERATOR_EMAIL', 'must be a valid email address.');
  return { email, password };
}
