import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ChannelCredentialOptions, Credentials, SingleNodeOptions } from '@eventstore/db-client';
import { EnvironmentFault, Faults } from '#kernel/environment/environment-values.js';
import { addressesText } from '#stores/reaching/await-server.js';
import type { ServerAddress } from '#stores/reaching/tls-probe.js';

/** A connection string that the service refuses. The message is one line for the administrator and shows no password. */
class ConnectionRefusedError extends EnvironmentFault {
  readonly code = 'event_store_url_refused';

  constructor(fault: string) {
    super('EVENTSTORE_URL', fault);
  }
}

/** A checked connection string, as arguments of the client's constructor. */
export interface Connection {
  readonly addresses: readonly ServerAddress[];
  readonly settings: SingleNodeOptions;
  readonly channel: ChannelCredentialOptions;
  readonly credentials: Credentials | undefined;
}

const SHAPE =
  /^(?:esdb|kurrentdb)(?<discover>\+discover)?:\/\/(?:(?<credentials>[^/?]*)@)?(?<hosts>[^@/?]+)\/?(?:\?(?<options>.*))?$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;
const DEFAULT_PORT = 2113;
/** The client must never give up: it keeps the error of a failed discovery and repeats it to every later append. */
const ENDLESS = 2_147_483_647;

const PREFERENCES = ['leader', 'follower', 'read_only_replica', 'random'];

/** A kind of option: the required form in words, and the value of a text that has this form. */
interface Kind {
  readonly form: string;
  readonly isNumber?: boolean;
  readonly read: (written: string) => string | undefined;
}

const TEXT: Kind = { form: 'a text, percent-encoded', read: decoded };
const ONLY_TRUE = flagOf('true or left out', ['true']);
const NUMBER = numberFrom(1);

/** All options of the client. They are compared without case, dashes and underscores. */
const OPTIONS: Readonly<Record<string, Kind>> = {
  tls: flagOf('true or false', ['true', 'false']),
  tlsVerifyCert: ONLY_TRUE,
  throwOnAppendFailure: ONLY_TRUE,
  connectionName: TEXT,
  tlsCAFile: TEXT,
  userCertFile: TEXT,
  userKeyFile: TEXT,
  maxDiscoverAttempts: NUMBER,
  defaultDeadline: NUMBER,
  discoveryInterval: NUMBER,
  gossipTimeout: NUMBER,
  keepAliveInterval: numberFrom(-1),
  keepAliveTimeout: numberFrom(-1),
  nodePreference: {
    form: `one of ${PREFERENCES.join(', ')}`,
    read: (written) => PREFERENCES.find((preference) => flat(preference) === flat(written)),
  },
};
const NAMES = Object.keys(OPTIONS);

type Options = ReadonlyMap<string, string>;

/**
 * Reads and checks a connection string before the client does, because the client prints a wrong one with its password.
 * By default the client prefers the leader, because a follower lags behind acknowledged appends.
 * @param allowInsecure accepts a string without TLS to another machine: such a server accepts any credentials
 * @throws ConnectionRefusedError for a malformed string, an unknown option or an unusable file
 */
export function readConnection(url: string, allowInsecure = false): Connection {
  const faults = new Faults();
  const connection = faults.read(() => inspect(url, allowInsecure, faults.read));
  if (faults.all[0] !== undefined) throw faults.all[0];
  return connection;
}

/** All faults of a connection string. {@link readConnection} throws the first of them. */
export function connectionFaults(url: string, allowInsecure: boolean): readonly EnvironmentFault[] {
  const faults = new Faults();
  faults.read(() => inspect(url, allowInsecure, faults.read));
  return faults.all;
}

function inspect(url: string, allowInsecure: boolean, read: Faults['read']): Connection {
  const parts = SHAPE.exec(url.trim())?.groups;
  if (!parts?.['hosts'])
    throw new ConnectionRefusedError(
      'is not a connection string. Use esdb://USER:PASSWORD@HOST:PORT?OPTIONS, or begin with esdb+discover://, kurrentdb:// or kurrentdb+discover://. USER:PASSWORD@ may be missing.',
    );
  const options = readOptions(parts['options'] ?? '', read);
  const addresses = parts['hosts'].split(',').flatMap((host) => read(() => readAddress(host)) ?? []);
  const insecure = options.get('tls') === 'false';
  if (insecure && !allowInsecure) read(() => refuseInsecure(addresses));
  const given = parts['credentials'];
  return {
    addresses,
    settings: settingsOf(addresses, parts['discover'] !== undefined, options),
    channel: insecure ? { insecure } : read(() => secureChannel(options)),
    credentials: given === undefined ? undefined : read(() => readCredentials(given)),
  };
}

/** With a single node the client does not look for the leader. */
function settingsOf(
  addresses: readonly ServerAddress[],
  discover: boolean,
  options: Options,
): SingleNodeOptions {
  const own: Record<string, unknown> = {};
  for (const [name, value] of options) {
    if (OPTIONS[name]!.isNumber) own[name] = Number(value);
    if (name === 'connectionName') own[name] = value;
  }
  const endpoints = addresses.map(({ host, port }) => ({ address: host, port }));
  if (!discover && endpoints.length === 1) return { ...own, endpoint: endpoints[0]! };
  const nodes = {
    ...own,
    ...(discover ? { discover: endpoints[0] } : { endpoints }),
    nodePreference: options.get('nodePreference') ?? 'leader',
    maxDiscoverAttempts: ENDLESS,
  };
  return nodes as unknown as SingleNodeOptions;
}

function secureChannel(options: Options): ChannelCredentialOptions {
  const certificate = options.get('userCertFile');
  const key = options.get('userKeyFile');
  if ((certificate === undefined) !== (key === undefined)) {
    throw new ConnectionRefusedError('names one of userCertFile and userKeyFile: each needs the other.');
  }
  const authority = options.get('tlsCAFile');
  return {
    insecure: false,
    ...(authority === undefined ? {} : { rootCertificate: readCertificate('tlsCAFile', authority) }),
    ...(certificate === undefined ? {} : { userCertFile: readCertificate('userCertFile', certificate) }),
    ...(key === undefined ? {} : { userKeyFile: readFile('userKeyFile', key) }),
  };
}

function readCertificate(option: string, path: string): Buffer {
  const content = readFile(option, path);
  try {
    new X509Certificate(content);
    return content;
  } catch {
    throw new ConnectionRefusedError(`names with ${option} a file that holds no certificate: ${path}`);
  }
}

function readFile(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConnectionRefusedError(`names with ${option} a file that cannot be read (${code}): ${path}`);
  }
}

function readAddress(text: string): ServerAddress {
  const match = /^(?<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?<port>\d{1,5}))?$/i.exec(text.trim())?.groups;
  const port = Number(match?.['port'] ?? DEFAULT_PORT);
  if (!match?.['host'] || port < 1 || port > 65_535) {
    throw new ConnectionRefusedError(
      'names no host or a wrong port. Use HOST:PORT, or several separated by commas.',
    );
  }
  return { host: match['host'], port };
}

function readCredentials(text: string): Credentials {
  const [username, ...rest] = text.split(':');
  const password = rest.join(':');
  try {
    if (username && password)
      return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    // The error below is for malformed encoding too.
  }
  throw new ConnectionRefusedError(
    'needs a user and a password before the host: USER:PASSWORD@, both percent-encoded.',
  );
}

/** Options under the client's names. */
function readOptions(text: string, read: Faults['read']): Options {
  const options = new Map<string, string>();
  for (const option of text.split('&').filter((part) => part !== '')) {
    const [name, value] = read(() => readOption(option)) ?? [];
    if (name !== undefined && value !== undefined) options.set(name, value);
  }
  return options;
}

function readOption(option: string): readonly [name: string, value: string] {
  const [written = '', ...rest] = option.split('=');
  const name = NAMES.find((known) => flat(known) === flat(written));
  if (name === undefined) throw unknownOption(written);
  const { form, read } = OPTIONS[name]!;
  const value = read(rest.join('=').trim());
  if (value !== undefined) return [name, value];
  throw new ConnectionRefusedError(`has the option ${name}, which must be ${form}.`);
}

/** The message leaves out a text that cannot be an option's name: it may be a part of the password. */
function unknownOption(written: string): ConnectionRefusedError {
  const name = /^[A-Za-z_-]{1,40}$/.test(written)
    ? `the option ${written}, which is unknown`
    : 'an unknown option';
  return new ConnectionRefusedError(`has ${name}. Known are ${NAMES.toSorted().join(', ')}.`);
}

function flagOf(form: string, values: readonly string[]): Kind {
  return { form, read: (written) => values.find((value) => value === written.toLowerCase()) };
}

function numberFrom(least: number): Kind {
  const isOne = (written: string) => /^-?\d{1,9}$/.test(written) && Number(written) >= least;
  return {
    form: `a whole number from ${least}`,
    isNumber: true,
    read: (written) => (isOne(written) ? written : undefined),
  };
}

function decoded(written: string): string | undefined {
  try {
    return written === '' ? undefined : decodeURIComponent(written);
  } catch {
    return undefined;
  }
}

function flat(name: string): string {
  return name.trim().toLowerCase().replace(/[_-]/g, '');
}

function refuseInsecure(addresses: readonly ServerAddress[]): void {
  const foreign = addresses.find(({ host }) => !LOOPBACK.test(host));
  if (foreign === undefined) return;
  throw new ConnectionRefusedError(
    `has tls=false for ${addressesText([foreign])}: without TLS the event store accepts any credentials. ` +
      'Use TLS, or set EVENTSTORE_ALLOW_INSECURE=true if the network between is trusted.',
  );
}
