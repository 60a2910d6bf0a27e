import { Inject, Injectable } from '@nestjs/common';
import type { Deadline } from '#kernel/yielder.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import type { Principal } from '#kernel/principals.js';
import type { OpenRequestContext } from './request-context.js';
import { type SlotLimits, Slots } from '#kernel/slots.js';

/** Few large reads run at once, so that they do not delay other requests. */
const COSTLY_READS = { atOnce: 4, waiting: 16, waitSeconds: 5 } as const;
/** Limits memory: a body is read whole before other limits can check it. */
const LARGE_BODIES = { atOnce: 8, waiting: 64, waitSeconds: 5 } as const;

/** Separate slots for each caller. */
class SlotsByCaller {
  readonly #slots = new Map<string, Slots>();

  constructor(
    private readonly limits: SlotLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * @param afterWait runs after a wait for the slot; if it throws, the slot is released
   * @returns a function that releases the slot
   * @throws ApiError 429. @throws GivenUpError
   */
  async take(
    key: string,
    deadline: Deadline | undefined,
    afterWait?: () => Promise<void>,
  ): Promise<() => void> {
    let slots = this.#slots.get(key);
    if (slots === undefined) this.#slots.set(key, (slots = new Slots(this.limits, this.clock)));
    const waits = slots.isFull;
    const release = await slots.take(false, deadline);
    const leave = () => {
      release();
      if (slots.isIdle && this.#slots.get(key) === slots) this.#slots.delete(key);
    };
    try {
      if (waits) await afterWait?.();
      return leave;
    } catch (refusal) {
      leave();
      throw refusal;
    }
  }
}

/** Limits how many large reads and bodies of one caller run at once. Every method throws ApiError 429. */
@Injectable()
export class CallerBounds {
  readonly #reads: SlotsByCaller;
  readonly #bodies: SlotsByCaller;

  constructor(@Inject(CLOCK) clock: Clock) {
    this.#reads = new SlotsByCaller(COSTLY_READS, clock);
    this.#bodies = new SlotsByCaller(LARGE_BODIES, clock);
  }

  /** Starts a large read. Checks the caller's rights again after a wait. @returns a function to call at its end */
  beginRead({ principal, deadline, assertRights: demandRights }: OpenRequestContext): Promise<() => void> {
    const key = principal!.kind === 'api_token' ? principal!.company_id : principal!.id;
    return this.#reads.take(key, deadline, demandRights);
  }

  /** Reads a large body while few others are read. Counts per token, so that a read token cannot delay writes. */
  async whileReading<T>(
    principal: Principal,
    read: () => Promise<T> | undefined,
    deadline: Deadline,
  ): Promise<T | undefined> {
    const release = await this.#bodies.take(principal.id, deadline);
    try {
      return await read();
    } finally {
      release();
    }
  }
}
