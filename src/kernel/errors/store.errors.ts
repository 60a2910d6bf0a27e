/** The event or document store cannot be reached, is closed, or refuses, for example because the disk is full. */
export class StoreUnavailableError extends Error {
  readonly code = 'store_unavailable';

  /** @param outcomeUnknown false promises that the failed call changed nothing */
  constructor(
    message: string,
    readonly outcomeUnknown: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Waiting cannot help: the server or its address must change. The message says how, in one line. */
export class ServerRefusedError extends StoreUnavailableError {
  constructor(message: string) {
    super(message, false);
  }
}
