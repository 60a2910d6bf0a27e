import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Response } from 'express';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { LONGEST_REQUEST_MS } from '#kernel/longest-request.js';
import type { StorePresence } from '#kernel/server-presence.js';

/** Injection token of a `StorePresence`. Absent for embedded stores, which are always present. */
export const STORE_PRESENCE = Symbol('StorePresence');

/** If a store has been away for `AWAY_AFTER_MS`, requests get only `LONGEST_WHILE_AWAY_MS`. */
const LONGEST_WHILE_AWAY_MS = 2_000;
const AWAY_AFTER_MS = 5_000;
/** Milliseconds for a repeat that waits for the first request with its key. The wait itself ends earlier. */
const LONGEST_OF_REPEAT_MS = 31_000;
/** Milliseconds between two checks. A request that would be late at the next check is answered now. */
const CHECK_EVERY_MS = 250;

/** The deadline has passed before there was an answer. The error filter answers 503. */
export class RequestLateError extends Error {}

type Phase =
  /** The body arrives. The server itself limits that time. */
  | 'receiving'
  /** The request waits for the first one with its key. */
  | 'waiting'
  | 'working'
  /** The handler bounds its own time, and is never late. */
  | 'unbounded'
  | 'answered'
  | 'late';

/** The time of one request. The guard and the interceptor race their work against it. */
export class RequestDeadline {
  #phase: Phase = 'working';
  #since: number;
  #isGivenUp = false;
  #hasWaited = false;
  #makeLate!: (error: RequestLateError) => void;
  readonly #late: Promise<never>;

  constructor(private readonly clock: Pick<Clock, 'now'>) {
    this.#since = clock.now();
    this.#late = new Promise((_, reject) => (this.#makeLate = reject));
    // Nobody may be racing when the time is over.
    this.#late.catch(() => undefined);
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** True: nothing more may be started for the request. */
  get isOver(): boolean {
    return this.#isGivenUp || this.#phase === 'late';
  }

  /** True if the request has waited for the first request with its key. */
  get hasWaited(): boolean {
    return this.#hasWaited;
  }

  /**
   * The result of the work, unless the deadline comes first: the work then goes on unseen.
   * @throws RequestLateError, and the errors of the work
   */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#late]);
  }

  /** Waits for the body. The time of the request starts at its end. */
  async receive<T>(body: Promise<T>): Promise<T> {
    this.#become('receiving');
    try {
      return await body;
    } finally {
      this.#restart();
    }
  }

  waitForFirst(): void {
    this.#hasWaited = true;
    this.#become('waiting');
  }

  /** The request executes itself, so its time starts again if it has waited. */
  stopWaiting(): void {
    if (this.#phase === 'waiting') this.#restart();
  }

  unbind(): void {
    this.#become('unbounded');
  }

  /** Nothing more may be started, although the time is not over: the right to execute is lost. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** There is an answer, so the request cannot be late any more. */
  answer(): void {
    this.#become('answered');
  }

  expire(): void {
    this.#become('late');
    this.#makeLate(new RequestLateError());
  }

  /** @param awaySince the instant since which a store is away */
  isDue(now: number, awaySince: number | undefined): boolean {
    if (this.#phase === 'waiting') return now >= this.#since + LONGEST_OF_REPEAT_MS;
    if (this.#phase !== 'working') return false;
    const away =
      awaySince === undefined
        ? Infinity
        : Math.max(this.#since, awaySince + AWAY_AFTER_MS) + LONGEST_WHILE_AWAY_MS;
    return now + CHECK_EVERY_MS > Math.min(this.#since + LONGEST_REQUEST_MS, away);
  }

  #restart(): void {
    this.#since = this.clock.now();
    this.#become('working');
  }

  /** The end of a request is final. */
  #become(phase: Phase): void {
    if (this.#phase !== 'answered' && this.#phase !== 'late') this.#phase = phase;
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
    @Optional() @Inject(STORE_PRESENCE) private readonly stores?: StorePresence,
  ) {}

  open(response: Response): RequestDeadline {
    const deadline = new RequestDeadline(this.clock);
    this.#open.add(deadline);
    response.once('close', () => this.#forget(deadline));
    this.#scheduleCheck();
    return deadline;
  }

  /** The requests whose answers are not sent yet. */
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
    this.#cancelCheck = this.clock.after(CHECK_EVERY_MS, () => {
      this.#cancelCheck = undefined;
      this.#check();
      this.#scheduleCheck();
    });
  }

  #check(): void {
    const now = this.clock.now();
    const away = this.stores?.awaySince();
    for (const deadline of this.#open) if (deadline.isDue(now, away)) deadline.expire();
  }
}
