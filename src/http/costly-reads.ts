import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import type { Principal } from './authentication.js';
import { Slots } from './slots.js';

/** Of one company, or one operator: what reads much is done a few at a time, so that it does not hold up all others. */
const LIMITS = { atOnce: 4, waiting: 16, waitSeconds: 5 } as const;

/** Bounds how many reads of lists and histories go on at once for each who asks. */
@Injectable()
export class CostlyReads {
  readonly #slots = new Map<string, Slots>();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** Holds a slot until the response has ended. @throws ApiError 429 where too many are under way */
  async begin(principal: Principal, response: Response): Promise<void> {
    const key = principal.kind === 'api_token' ? principal.company_id : principal.id;
    let slots = this.#slots.get(key);
    if (slots === undefined) this.#slots.set(key, (slots = new Slots(LIMITS, this.clock)));
    const release = await slots.take();
    const end = () => {
      release();
      if (slots.isIdle) this.#slots.delete(key);
    };
    // Whoever went away while waiting is not told of any more.
    if (response.closed) return end();
    response.once('finish', end);
    response.once('close', end);
  }
}
