const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds from the end of each try to the next one (decisions §11). The first try has no wait. */
const WAITS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
export const MOST_TRIES = WAITS_MS.length + 1;

/** A wait is longer by up to this part, so that messages that failed together are not sent again together. */
const MOST_JITTER = 0.1;

const KEPT_MS = 30 * DAY;
/** Longer than all waits together: a message that waits must not expire. */
const LONGEST_PENDING_MS = 60 * DAY;
/** Each time that an operator sends a message again adds up to ten attempts. */
const MOST_KEPT_ATTEMPTS = 30;

const GONE = 410;

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What a receiver made of one try. */
export interface Attempt {
  /** Start of the try, in milliseconds. */
  readonly at: number;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** The beginning of the answer, or why there was none. */
  readonly answer: string;
}

/** The progress of one message to one webhook. Instants are in milliseconds. */
export interface DeliveryProgress {
  readonly state: DeliveryState;
  readonly attempts: readonly Attempt[];
  /** When the message was made, or was sent again by an operator. */
  readonly waits_since: number;
  /** Tries since the message was made, or was sent again by an operator. */
  readonly tries: number;
  /** Null if no try will follow. */
  readonly next_try_at: number | null;
  readonly expires_at: number;
}

export function startDelivery(now: number): DeliveryProgress {
  return {
    state: 'pending',
    attempts: [],
    waits_since: now,
    tries: 0,
    next_try_at: now,
    expires_at: now + LONGEST_PENDING_MS,
  };
}

/** The message is sent again at once, with all its tries. */
export function restartDelivery({ attempts }: DeliveryProgress, now: number): DeliveryProgress {
  return { ...startDelivery(now), attempts };
}

/** No try follows. */
export function giveUpDelivery(before: DeliveryProgress, now: number): DeliveryProgress {
  return { ...before, state: 'failed', next_try_at: null, expires_at: now + KEPT_MS };
}

export function isReceived({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** True if the receiver says that it wants no more messages. */
export function isGone({ status }: Attempt): boolean {
  return status === GONE;
}

/**
 * @param jitter a random number from 0 to 1
 * @param now end of the try, in milliseconds
 */
export function recordAttempt(
  before: DeliveryProgress,
  attempt: Attempt,
  { now, jitter }: { readonly now: number; readonly jitter: number },
): DeliveryProgress {
  const attempts = [...before.attempts, attempt].slice(-MOST_KEPT_ATTEMPTS);
  const tries = before.tries + 1;
  const wait = WAITS_MS[tries - 1];
  const failed = giveUpDelivery({ ...before, attempts, tries }, now);
  if (isReceived(attempt)) return { ...failed, state: 'delivered' };
  if (wait === undefined || isGone(attempt)) return failed;
  const next_try_at = now + Math.round(wait * (1 + MOST_JITTER * jitter));
  return { ...before, state: 'pending', attempts, tries, next_try_at };
}
