import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import type { Principal } from './authentication.js';
import { type SlotLimits, Slots } from './slots.js';

/** What reads much is done a few at a time, so that it does not hold up all others. */
const COSTLY_READS = { atOnce: 4, waiting: 16, waitSeconds: 5 } as const;
/** Bodies lie in memory whole before they are counted by any limit. */
const LARGE_BODIES = { atOnce: 8, waiting: 64, waitSeconds: 5 } as const;
const LARGE = 64 * 1024;

/** Slots of their own for each company, or each operator or tenant, that asks. */
class SlotsByCaller {
  readonly #slots = new Map<string, Slots>();

  constructor(
    private readonly limits: SlotLimits,
    private readonly clock: Clock,
  ) {}

  /** @returns gives the slot back @throws ApiError 429 */
  async take(principal: Principal): Promise<() => void> {
    const key = principal.kind === 'api_token' ? principal.company_id : principal.id;
    let slots = this.#slots.get(key);
    if (slots === undefined) this.#slots.set(key, (slots = new Slots(this.limits, this.clock)));
    const release = await slots.take();
    return () => {
      release();
      if (slots.isIdle && this.#slots.get(key) === slots) this.#slots.delete(key);
    };
  }
}

/** Bounds how much one caller has under way at once. @throws ApiError 429 from every method where it is too much */
@Injectable()
export class CallerBounds {
  readonly #reads: SlotsByCaller;
  readonly #bodies: SlotsByCaller;

  constructor(@Inject(CLOCK) clock: Clock) {
    this.#reads = new SlotsByCaller(COSTLY_READS, clock);
    this.#bodies = new SlotsByCaller(LARGE_BODIES, clock);
  }

  /** A list or a history begins. @returns to be called when it has ended */
  beginRead(principal: Principal): Promise<() => void> {
    return this.#reads.take(principal);
  }

  /** Waits, where the body is large, until few others are being read. */
  whileReading(
    principal: Principal | undefined,
    { headers }: Request,
    read: () => Promise<void> | undefined,
  ): Promise<void> | undefined {
    const length = headers['content-length'];
    // What is compressed, or of no known length, may be of any.
    const isOfAnyLength =
      headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined;
    const isLarge = isOfAnyLength || Number(length ?? 0) > LARGE;
    // Without a credential no body is that large.
    return isLarge && principal !== undefined ? this.#readInTurn(principal, read) : read();
  }

  async #readInTurn(principal: Principal, read: () => Promise<void> | undefined): Promise<void> {
    const release = await this.#bodies.take(principal);
    try {
      await read();
    } finally {
      release();
    }
  }
}
