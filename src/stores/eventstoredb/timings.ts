import type { BackOff } from '#kernel/core/back-off.js';

/** The adapter's timeouts in milliseconds. Only tests change them. */
export interface EventStoreDbTimings {
  /** One attempt of an append. More than the server's own limit of 2 s, so that a healthy server answers first. */
  readonly appendAttempt: number;
  /** All attempts of an append. */
  readonly appendDeadline: number;
  /** A read without a new event for this long is tried again. */
  readonly readSilence: number;
  /** All attempts of a read. */
  readonly readDeadline: number;
  readonly pingDeadline: number;
  /** A subscription that the server does not confirm within this time is opened again. */
  readonly subscribeConfirmation: number;
  /** Pauses between attempts. */
  readonly backOff: BackOff;
  /** Longest wait of `close` for calls that still run. Time in which the server did not answer counts. */
  readonly closeDeadline: number;
  /** Longest wait for the client to close. */
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
  closeDeadline: 1_000,
  disposeDeadline: 2_000,
};
