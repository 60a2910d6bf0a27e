import { Inject, Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import type { Deadline } from '#kernel/yielder.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { isGuessable } from '#kernel/password-strength.js';
import { Slots } from '#kernel/slots.js';

/** The cost of one hash by argon2id: KiB of memory, passes and lanes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** The minimum of OWASP for argon2id, which is the library's default algorithm. */
export const USUAL_PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Injection token of the {@link PasswordCost}. */
export const PASSWORD_COST = Symbol('PasswordCost');

const HASH_SLOTS = { atOnce: 2, waiting: 8, waitSeconds: 2 } as const;
const CHECK_SLOTS = { atOnce: 1, waiting: 64, waitSeconds: 5 } as const;
/** Milliseconds from a refused password to the next check. So a flood of weak passwords cannot fill the processor. */
const PAUSE_AFTER_REFUSAL_MS = 250;

/**
 * Hashes passwords and compares them with hashes. Each hash takes a core and 19 MiB, so only two run at once. Known devices
 * are served before strangers, so that a flood of strangers does not keep them out.
 * Every method throws ApiError 429 if too many calls wait or one waits too long. It throws GivenUpError after its deadline.
 */
@Injectable()
export class Passwords {
  #decoy: Promise<string> | undefined;
  readonly #slots: Slots;
  readonly #checks: Slots;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PASSWORD_COST) private readonly cost: PasswordCost = USUAL_PASSWORD_COST,
  ) {
    this.#slots = new Slots(HASH_SLOTS, clock);
    this.#checks = new Slots(CHECK_SLOTS, clock);
  }

  /** An argon2id hash in PHC format, with a salt of its own. */
  hash(password: string, deadline?: Deadline): Promise<string> {
    return this.#run(true, () => hash(password, this.cost), deadline);
  }

  /**
   * True if a new password is common or easily guessed. A check blocks the process for up to 40 ms, so checks run one by one.
   * @param email of the operator
   * @param hasPriority serves this call before calls without priority
   */
  async isGuessable(
    password: string,
    email: string,
    hasPriority: boolean,
    deadline?: Deadline,
  ): Promise<boolean> {
    const release = await this.#checks.take(hasPriority, deadline);
    let refused = false;
    try {
      refused = await isGuessable(password, [email]);
      return refused;
    } finally {
      if (refused) this.clock.after(PAUSE_AFTER_REFUSAL_MS, release);
      else release();
    }
  }

  /**
   * Takes the same time for every password. Without a hash the answer is false.
   * @param isKnown true if the device has signed in before
   */
  matches(password: string, hashed: string | undefined, isKnown = true): Promise<boolean> {
    return this.#run(isKnown, async () => {
      this.#decoy ??= hash('nobody', this.cost);
      const matches = await verify(hashed ?? (await this.#decoy), password);
      return matches && hashed !== undefined;
    });
  }

  async #run<T>(isKnown: boolean, work: () => Promise<T>, deadline?: Deadline): Promise<T> {
    const release = await this.#slots.take(isKnown, deadline);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
