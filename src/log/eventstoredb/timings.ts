import type { BackOff } from '../../base/core/back-off.js';

/** How long the adapter waits for what, in milliseconds. Tests shorten them; production has no reason to. */
export interface EventStoreDbTimings {
  /** One try of an append. Above the server's own limit of 2 s, so that a healthy server always answers first. */
  readonly appendAttempt: number;
  /** An append with all its tries: after it, the outcome is reported as unknown. */
  readonly appendDeadline: number;
  /** A read that brings no event for this long is given up and tried again. */
  readonly readSilence: number;
  /** A read with all its tries. */
  readonly readDeadline: number;
  readonly pingDeadline: number;
  /** A subscription that the server does not confirm within this time is given up and made again. */
  readonly subscribeConfirmation: number;
  /** Pauses between tries. */
  readonly backOff: BackOff;
  /** Longest wait for the client to let go of its calls when the store is closed. */
  readonly disposeDeadline: number;
}

/** The values of production. */
export const DEFAULT_TIMINGS: EventStoreDbTimings = {
  appendAttempt: 3_000,
  appendDeadline: 12_000,
  readSilence: 5_000,
  readDeadline: 12_000,
  pingDeadline: 2_000,
  subscribeConfirmation: 5_000,
  backOff: { first: 50, longest: 1_000 },
  disposeDeadline: 2_000,
};
