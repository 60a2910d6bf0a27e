/** The stores that the environment names. */
export interface NamedServers {
  /** The variables for the service. Empty: embedded stores. */
  readonly environment: Readonly<Record<string, string>>;
  /** The addresses of the stores, without secrets. */
  readonly text: string;
}

const VARIABLES = [
  ['EVENTSTORE_URL', 'Events'],
  ['MONGODB_URL', 'Documents'],
] as const;

export function namedServers(variables: NodeJS.ProcessEnv): NamedServers {
  const named = VARIABLES.flatMap(([name, what]) => {
    const url = variables[name];
    return url === undefined || url === '' ? [] : [{ name, what, url }];
  });
  return {
    environment: Object.fromEntries(named.map(({ name, url }) => [name, url])),
    text: named.map(({ what, url }) => `${what} on ${hostsIn(url)}.`).join(' ') || 'Embedded stores.',
  };
}

/** The variables of one contestant, with its own database and stream prefix. */
export function placeOn(
  { environment }: NamedServers,
  run: string,
  contestant: string,
): Readonly<Record<string, string>> {
  const { EVENTSTORE_URL, MONGODB_URL } = environment;
  if (EVENTSTORE_URL === undefined || MONGODB_URL === undefined) return environment;
  return {
    EVENTSTORE_URL,
    EVENTSTORE_STREAM_PREFIX: `bench_${run}_${contestant}.`,
    MONGODB_URL: withDatabase(MONGODB_URL, `bench_${run}_${contestant}`),
  };
}

/** The user of a login belongs to the database of the given address, so `authSource` names that one. */
function withDatabase(url: string, database: string): string {
  const [, base, named, query = ''] = /^([^/]+\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(url)!;
  const parameters = new URLSearchParams(query);
  if (base!.includes('@') && named !== '' && !parameters.has('authSource'))
    parameters.set('authSource', named!);
  return `${base}/${database}${parameters.size === 0 ? '' : `?${parameters}`}`;
}

/** The scheme and the hosts of an address, without password and options. */
function hostsIn(url: string): string {
  const [scheme, rest = ''] = url.split('://');
  const [authority] = rest.split(/[/?#]/);
  return `${scheme}://${authority!.slice(authority!.lastIndexOf('@') + 1)}`;
}
