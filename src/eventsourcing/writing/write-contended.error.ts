/** Other processes changed the stream before each attempt. Nothing was written to it, so the request may be repeated. */
export class WriteContendedError extends Error {
  readonly code = 'write_contended';

  constructor(readonly stream: string) {
    super(`Other writers changed the stream ${stream} before each attempt to write it.`);
  }
}
