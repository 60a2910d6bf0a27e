import { Inject, Injectable, Optional } from '@nestjs/common';
import { CLOCK, LOGGER } from '../../config/injection-tokens.js';
import { LONGEST_REQUEST } from '../../config/longest-request.js';
import type { ApiError } from '../api-error.js';
import { answerLate, type LateAnswer } from './late-answer.js';
import type { Request, Response } from 'express';
import type { Clock } from '../../config/clock.js';
import type { Logger } from '../../config/logger.js';
import type { StorePresence } from '../../storage/server-presence.js';

/** Injection token of a `StorePresence`; stores that cannot go away are assumed where it is not bound. */
export const STORE_PRESENCE = Symbol('StorePresence');

/** The time of a request once a store has been away for so long, in milliseconds. */
const LONGEST_WHILE_AWAY = 2_000;
const AWAY = 5_000;
/** The time of a twin, which waits for the first request with its key. That wait ends by itself, with its own answer. */
const LONGEST_OF_TWIN = 31_000;
/** How often the requests are looked through; what would be late at the next look is answered at this one. */
const LOOK = 250;

/** One request's time. */
export class RequestDeadline {
  /** It has been answered: nothing new may be begun in its name. */
  isOver = false;
  /** It waits for nothing beyond a bound of its own, and answers more than that it is late. */
  isBounded = false;
  /** The answer of a late request, if its route has its own. */
  late: ((error: ApiError) => LateAnswer) | undefined;
  /** It has waited for another request with its key. */
  wasTwin = false;
  #isTwin = false;
  /** Its body is being sent: the client's time, which the server bounds by itself. */
  isReceived = true;

  /** The instant at which it had come. */
  #since: number;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    readonly expire: () => void,
  ) {
    this.#since = clock.now();
  }

  /** It waits for the request that runs under its key. Where it takes that one's place, its time begins anew. */
  get isTwin(): boolean {
    return this.#isTwin;
  }

  set isTwin(isTwin: boolean) {
    if (isTwin) this.wasTwin = true;
    if (this.#isTwin && !isTwin) this.#since = this.clock.now();
    this.#isTwin = isTwin;
  }

  /** Waits for the body: a request has come when all of it has. */
  async receive(body: Promise<void>): Promise<void> {
    this.isReceived = false;
    try {
      await body;
    } finally {
      this.isReceived = true;
      this.#since = this.clock.now();
    }
  }

  /** @param awaySince that of the stores */
  isDue(now: number, awaySince: number | undefined): boolean {
    if (!this.isReceived || this.isBounded) return false;
    if (this.#isTwin) return now >= this.#since + LONGEST_OF_TWIN;
    const away =
      awaySince === undefined ? Infinity : Math.max(this.#since, awaySince + AWAY) + LONGEST_WHILE_AWAY;
    return now + LOOK > Math.min(this.#since + LONGEST_REQUEST, away);
  }
}

/**
 * One deadline for each request, made where it comes in. Who has to be told by then is told 503; what is under way is
 * settled behind it, its answer kept for a retry with the same key, and nothing is appended any more in its name.
 */
@Injectable()
export class RequestDeadlines {
  readonly #open = new Set<RequestDeadline>();
  #cancelLook: (() => void) | undefined;

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
    this.#lookLater();
    return deadline;
  }

  /** The requests without an answer. */
  get underWay(): ReadonlySet<RequestDeadline> {
    return this.#open;
  }

  #forget(deadline: RequestDeadline): void {
    this.#open.delete(deadline);
    if (this.#open.size > 0) return;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  #lookLater(): void {
    if (this.#cancelLook !== undefined || this.#open.size === 0) return;
    this.#cancelLook = this.clock.after(LOOK, () => {
      this.#cancelLook = undefined;
      this.#look();
      this.#lookLater();
    });
  }

  #look(): void {
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
