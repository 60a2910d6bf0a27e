/** One append is larger than the store allows. Nothing of it was stored. */
export class EventTooLargeError extends Error {
  readonly code = 'event_too_large';

  constructor(readonly stream: string) {
    super(`The events for stream ${stream} are larger than the store takes.`);
  }
}

/** A stored entry is not an event, because the file was damaged or edited. */
export class UnreadableEventError extends Error {
  readonly code = 'unreadable_event';

  /** @param described the stream and revision, as far as they are known */
  constructor(
    readonly position: bigint,
    described: string,
    options?: ErrorOptions,
  ) {
    super(`The event at position ${position} (${described}) cannot be read.`, options);
  }
}

/** The log ends before a position that was read earlier. So another log, such as an older backup, has replaced it. */
export class PositionLostError extends Error {
  readonly code = 'position_lost';

  constructor(position: bigint) {
    super(
      `The log does not hold position ${position}, up to which it was read before. Another log has replaced it.`,
    );
  }
}

/** Somebody deleted the stream for ever (a tombstone). It cannot be read or written again. */
export class StreamDeletedError extends Error {
  readonly code = 'stream_deleted';

  constructor() {
    super('The stream was deleted for ever.');
  }
}
