/** Stores on servers, named in the environment as for the service. */
export interface NamedServers {
  /** The variables to hand on; empty where the stores are embedded. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the stores are, without anything secret. */
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

/** The scheme and the hosts of an address, which may hold a password before and options behind them. */
function hostsIn(url: string): string {
  const [scheme, rest = ''] = url.split('://');
  const [authority] = rest.split(/[/?#]/);
  return `${scheme}://${authority!.slice(authority!.lastIndexOf('@') + 1)}`;
}
