/** Other processes kept changing the stream; nothing of the named stream was written. Safe to try again. */
export class WriteContendedError extends Error {
  readonly code = 'write_contended';

  constructor(readonly stream: string) {
    super(`The stream ${stream} kept changing while a write to it was decided.`);
    this.name = 'WriteContendedError';
  }
}
