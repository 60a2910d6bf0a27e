/** The first operator, with the password that was made for the first start. */
export interface MadeOperator {
  readonly email: string;
  readonly password: string;
}

/** The line of a server that can be called. `announcedPort` reads it. */
export function listeningLine(server: string, port: number): string {
  return `${server} is listening on port ${port}.`;
}

/** The port that a line of a server's output tells, in a log's JSON as well; undefined where it tells none. */
export function announcedPort(line: string): number | undefined {
  const port = / is listening on port (\d+)\./.exec(line)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** The line that tells the first password, printed once. `announcedOperator` reads it. */
export function signInLine(port: number, { email, password }: MadeOperator): string {
  return `Sign in at http://localhost:${port}/dashboard, or with POST /api/operator/sessions, as ${email} with the password, shown only now: ${password}`;
}

/** The operator that a line of the service's output tells; undefined where it tells none. */
export function announcedOperator(line: string): MadeOperator | undefined {
  const found = /^Sign in at .* as (\S+) with the password, shown only now: (\S+)$/.exec(line);
  return found === null ? undefined : { email: found[1]!, password: found[2]! };
}
