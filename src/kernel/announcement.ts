/** The first operator, with the password that the first start made. */
export interface MadeOperator {
  readonly email: string;
  readonly password: string;
}

/** The line that a server prints when it accepts requests. `announcedPort` reads it. */
export function listeningLine(server: string, port: number): string {
  return `${server} is listening on port ${port}.`;
}

/** The port in such a line, which may be JSON; undefined in other lines. */
export function announcedPort(line: string): number | undefined {
  const port = / is listening on port (\d+)\./.exec(line)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** The line with the first password, printed once. `announcedOperator` reads it. */
export function signInLine(port: number, { email, password }: MadeOperator): string {
  return `Sign in at http://localhost:${port}/dashboard, or with POST /api/operator/sessions, as ${email} with the password, shown only now: ${password}`;
}

/** The operator in such a line; undefined in other lines. */
export function announcedOperator(line: string): MadeOperator | undefined {
  const found = /^Sign in at .* as (\S+) with the password, shown only now: (\S+)$/.exec(line);
  return found === null ? undefined : { email: found[1]!, password: found[2]! };
}
