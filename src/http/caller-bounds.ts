import { Inject, Injectable } from '@nestjs/common';
import type { Deadline } from '../config/yielder.js';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import type { Principal } from './authentication.js';
import type { OpenRequestContext } from './request-context.js';
import { type SlotLimits, Slots } from './slots.js';

/** Lets few large reads run at once, so that they do not hold up all others. */
const COSTLY_READS = { atOnce: 4, waiting: 16, waitSeconds: 5 } as const;
/** Bodies lie in memory whole before they are counted by any limit. */
const LARGE_BODIES = { atOnce: 8, waiting: 64, waitSeconds: 5 } as const;

/** Slots of their own for each company, or each operator or tenant, that asks. */
class SlotsByCaller {
  readonly #slots = new Map<string, Slots>();

  constructor(
    private readonly limits: SlotLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * @param afterWait runs where the slot was waited for; what it throws gives the slot back
   * @returns gives the slot back
   * @throws ApiError 429. @throws GivenUpError
   */
  async take(
    principal: Principal,
    deadline: Deadline | undefined,
    afterWait?: () => Promise<void>,
  ): Promise<() => void> {
    const key = principal.kind === 'api_token' ? principal.company_id : principal.id;
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

/** Bounds how much one caller has under way at once. @throws ApiError 429 from every method where it is too much */
@Injectable()
export class CallerBounds {
  readonly #reads: SlotsByCaller;
  readonly #bodies: SlotsByCaller;

  constructor(@Inject(CLOCK) clock: Clock) {
    this.#reads = new SlotsByCaller(COSTLY_READS, clock);
    this.#bodies = new SlotsByCaller(LARGE_BODIES, clock);
  }

  /** A list or a history begins. Rights are judged again after a wait. @returns to be called when it has ended */
  beginRead({ principal, deadline, demandRights }: OpenRequestContext): Promise<() => void> {
    return this.#reads.take(principal!, deadline, demandRights);
  }

  /** Reads a large body when few others of this caller are being read. */
  async whileReading(
    principal: Principal,
    read: () => Promise<void> | undefined,
    deadline: Deadline,
  ): Promise<void> {
    const release = await this.#bodies.take(principal, deadline);
    try {
      await read();
    } finally {
      release();
    }
  }
}
