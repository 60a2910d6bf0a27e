/** One append is larger than the store takes. Nothing of it was stored. */
export class EventTooLargeError extends Error {
  readonly code = 'event_too_large';

  constructor(readonly stream: string) {
    super(`The events for stream ${stream} are larger than the store takes.`);
    this.name = 'EventTooLargeError';
  }
}

/** The store holds something that is not an event: its file was damaged or edited. */
export class UnreadableEventError extends Error {
  readonly code = 'unreadable_event';

  /** @param described whatever of the event can still be told */
  constructor(
    readonly position: bigint,
    described: string,
    options?: ErrorOptions,
  ) {
    super(`The event at position ${position} (${described}) cannot be read.`, options);
    this.name = 'UnreadableEventError';
  }
}

/** A subscription cannot go on from where it had come: the log does not hold that place, so it is another log. */
export class PositionLostError extends Error {
  readonly code = 'position_lost';

  constructor(position: bigint) {
    super(
      `The log does not hold position ${position}, up to which it was read before. Another log is in its place.`,
    );
    this.name = 'PositionLostError';
  }
}
