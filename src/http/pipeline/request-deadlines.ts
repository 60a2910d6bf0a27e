import { Inject, Injectable, Optional } from '@nestjs/common';
import { CLOCK, LOGGER } from '../../config/injection-tokens.js';
import { LONGEST_REQUEST } from '../../config/longest-request.js';
import type { ApiError } from '../api-error.js';
import { answerLate, type LateAnswer } from './late-answer.js';
import type { Request, Response } from 'express';
import type { Clock } from '../../config/clock.js';
import type { Logger } from '../../config/logger.js';
import type { StorePresence } from '../../storage/server-presence.js';

/** Injection token of a `StorePresence`. Absent for embedded stores, which are always present. */
export const STORE_PRESENCE = Symbol('StorePresence');

/** Milliseconds. If a store has been away for `AWAY`, requests get only `LONGEST_WHILE_AWAY`. */
const LONGEST_WHILE_AWAY = 2_000;
const AWAY = 5_000;
/** Milliseconds for a repeat that waits for the first request with its key. The wait itself ends earlier. */
const LONGEST_OF_REPEAT = 31_000;
/** Milliseconds between two checks. A request that would be late at the next check is answered now. */
const CHECK_INTERVAL = 250;

export class RequestDeadline {
  /** True after the deadline: nothing more may be started for the request. */
  isOver = false;
  /** True: the request has a limit of its own and is never late. */
  isBounded = false;
  /** Makes the answer of a late request, if its route does not answer JSON. */
  late: ((error: ApiError) => LateAnswer) | undefined;
  /** True if the request has waited for the first request with its key. */
  waitedForFirst = false;
  #waitsForFirst = false;
  /** False while the body arrives. The server itself limits that time. */
  isReceived = true;

  #since: number;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    readonly expire: () => void,
  ) {
    this.#since = clock.now();
  }

  /** True while the request waits for the first request with its key. If it then executes itself, its time starts again. */
  get waitsForFirst(): boolean {
    return this.#waitsForFirst;
  }

  set waitsForFirst(waitsForFirst: boolean) {
    if (waitsForFirst) this.waitedForFirst = true;
    if (this.#waitsForFirst && !waitsForFirst) this.#since = this.clock.now();
    this.#waitsForFirst = waitsForFirst;
  }

  /** Waits for the body. The time of the request starts at its end. */
  async receive(body: Promise<void>): Promise<void> {
    this.isReceived = false;
    try {
      await body;
    } finally {
      this.isReceived = true;
      this.#since = this.clock.now();
    }
  }

  /** @param awaySince the instant since which a store is away */
  isDue(now: number, awaySince: number | undefined): boolean {
    if (!this.isReceived || this.isBounded) return false;
    if (this.#waitsForFirst) return now >= this.#since + LONGEST_OF_REPEAT;
    const away =
      awaySince === undefined ? Infinity : Math.max(this.#since, awaySince + AWAY) + LONGEST_WHILE_AWAY;
    return now + CHECK_INTERVAL > Math.min(this.#since + LONGEST_REQUEST, away);
  }
}

/**
 * Each request has a deadline and gets 503 there. Its running work ends afterwards: the answer is stored for a retry with
 * the same key, but no more events are appended.
 */
@Injectable()
export class RequestDeadlines {
  readonly #open = new Set<RequestDeadline>();
  #cancelCheck: (() => void) | undefined;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(STORE_PRESENCE) private readonly stores?: StorePresence,
  ) {}

  open(request: Request, response: Response, request_id: string): RequestDeadline {
    const deadline = new RequestDeadline(this.clock, () => {
      const route = (request.route as { path?: string } | undefined)?.path;
      this.logger.warn({ request_id, method: request.method, route }, 'A request was not served in time.');
      answerLate(response, deadline.late);
    });
    this.#open.add(deadline);
    response.once('close', () => this.#forget(deadline));
    this.#scheduleCheck();
    return deadline;
  }

  /** The requests without an answer. */
  get underWay(): ReadonlySet<RequestDeadline> {
    return this.#open;
  }

  #forget(deadline: RequestDeadline): void {
    this.#open.delete(deadline);
    if (this.#open.size > 0) return;
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
  }

  #scheduleCheck(): void {
    if (this.#cancelCheck !== undefined || this.#open.size === 0) return;
    this.#cancelCheck = this.clock.after(CHECK_INTERVAL, () => {
      this.#cancelCheck = undefined;
      this.#check();
      this.#scheduleCheck();
    });
  }

  #check(): void {
    const now = this.clock.now();
    const away = this.stores?.awaySince();
    for (const deadline of this.#open) {
      if (!deadline.isDue(now, away)) continue;
      this.#open.delete(deadline);
      deadline.isOver = true;
      deadline.expire();
    }
  }
}
