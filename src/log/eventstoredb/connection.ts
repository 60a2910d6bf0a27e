/** A connection string that the service refuses to use. Its message is for the operator and shows no password. */
export class ConnectionRefusedError extends Error {
  readonly code = 'event_store_url_refused';

  constructor(message: string) {
    super(message);
    this.name = 'ConnectionRefusedError';
  }
}

/** What of the environment bears on the connection. */
export interface ConnectionEnvironment {
  readonly NODE_ENV?: string;
  readonly EVENTSTORE_ALLOW_INSECURE?: string;
}

const SHAPE =
  /^(?:esdb|kurrentdb)(?<discover>\+discover)?:\/\/(?:(?<credentials>[^@/?]*)@)?(?<hosts>[^/?]+)\/?(?:\?(?<options>.*))?$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)(:\d+)?$/i;
/** In effect for ever: the client keeps a discovery that failed once and repeats its error to every later append. */
const ENDLESS = '2147483647';

/**
 * The connection string to give to the client: reads go to the leader (a follower lags behind acknowledged appends),
 * and discovery never gives up, because the adapter's own deadlines bound the calls that wait for it.
 * @throws ConnectionRefusedError for a malformed string, and in production for one without TLS to another machine
 *   (the server accepts any credentials then), unless EVENTSTORE_ALLOW_INSECURE is `true`.
 */
export function connectionStringFor(url: string, environment: ConnectionEnvironment): string {
  const parts = SHAPE.exec(url.trim())?.groups;
  if (!parts?.hosts)
    throw new ConnectionRefusedError(
      'EVENTSTORE_URL is no connection string: esdb://, esdb+discover://, kurrentdb:// or kurrentdb+discover://.',
    );
  const options = readOptions(parts.options ?? '');
  const hosts = parts.hosts.split(',');
  refuseInsecure(hosts, options, environment);
  if (!options.has('nodepreference')) options.set('nodepreference', 'nodePreference=leader');
  const discover = parts.discover ?? '';
  if (discover !== '' || hosts.length > 1) {
    options.set('maxdiscoverattempts', `maxDiscoverAttempts=${ENDLESS}`);
  }
  const credentials = parts.credentials === undefined ? '' : `${parts.credentials}@`;
  // The client knows the name that the product had when it was written.
  return `esdb${discover}://${credentials}${parts.hosts}?${[...options.values()].join('&')}`;
}

/** The hosts of a connection string, for messages: without the credentials. */
export function hostsOf(url: string): string {
  return SHAPE.exec(url.trim())?.groups?.hosts ?? 'the event store';
}

/** The client takes option names in any case, with dashes or underscores: so must the checks. */
function readOptions(text: string): Map<string, string> {
  const options = new Map<string, string>();
  for (const option of text.split('&').filter((part) => part !== '')) {
    const name = (option.split('=', 1)[0] ?? '').trim().toLowerCase().replace(/[_-]/g, '');
    options.set(name, option);
  }
  return options;
}

function refuseInsecure(
  hosts: string[],
  options: Map<string, string>,
  environment: ConnectionEnvironment,
): void {
  const insecure = /=\s*false\s*$/i.test(options.get('tls') ?? '');
  if (!insecure || environment.NODE_ENV !== 'production' || environment.EVENTSTORE_ALLOW_INSECURE === 'true')
    return;
  const foreign = hosts.find((host) => !LOOPBACK.test(host));
  if (foreign === undefined) return;
  throw new ConnectionRefusedError(
    `EVENTSTORE_URL says tls=false for ${foreign}: without TLS the event store accepts any credentials. ` +
      'Use TLS, or set EVENTSTORE_ALLOW_INSECURE=true if the network between is trusted.',
  );
}
