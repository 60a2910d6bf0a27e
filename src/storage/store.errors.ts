/** The event or document store cannot be reached, is closed, or refused for a reason of its own (a full disk). */
export class StoreUnavailableError extends Error {
  readonly code = 'store_unavailable';

  /**
   * @param outcomeUnknown false promises that the failed call changed nothing.
   */
  constructor(
    message: string,
    readonly outcomeUnknown: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}

/** A server that waiting does not make usable: its address, or the server, has to change. The message says what, in one line. */
export class ServerRefusedError extends StoreUnavailableError {
  constructor(message: string) {
    super(message, false);
    this.name = 'ServerRefusedError';
  }
}
