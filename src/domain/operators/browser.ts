import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { AnswerHeaders } from '#kernel/rate-limiter.js';

/** The browser, or another client, that signs an operator in. Who answers its request implements this. */
export interface Browser {
  /** The key of limits per client address. */
  readonly network: string;
  readonly context: WriteContext;
  /** Take what is left of the limits. */
  readonly headers: AnswerHeaders;
  /** The value that `keepDevice` gave it at an earlier sign-in. */
  readonly device: string | undefined;
  keepDevice(token: string, seconds: number): void;
}
