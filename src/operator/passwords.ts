import { Inject, Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import type { Deadline } from '../config/yielder.js';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { isGuessable } from '../config/password-strength.js';
import { Slots } from '../http/slots.js';

/** The cost of one hash by argon2id: KiB of memory, passes and lanes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** The least that OWASP asks of argon2id, which is the library's default algorithm. */
export const USUAL_PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Injection token of the {@link PasswordCost}. */
export const PASSWORD_COST = Symbol('PasswordCost');

const LIMITS = { atOnce: 2, waiting: 8, waitSeconds: 2 } as const;
const CHECKS = { atOnce: 1, waiting: 64, waitSeconds: 5 } as const;
/** From a refused password to the next check, in milliseconds: a flood of them takes a small share of the processor. */
const PAUSE_AFTER_REFUSAL = 250;

/**
 * Hashes passwords and compares them with hashes: two at once, as each takes a core and 19 MiB for a while and the
 * requests of everybody else must go on. Few wait, and briefly; those who have been here before go first, so that a
 * crowd of strangers does not keep them out.
 * @throws ApiError 429 from every method if too many wait, or one has waited too long
 * @throws GivenUpError from every method with a deadline, if it is over
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
    this.#slots = new Slots(LIMITS, clock);
    this.#checks = new Slots(CHECKS, clock);
  }

  /** An argon2id hash in PHC format, with a salt of its own. */
  hash(password: string, deadline?: Deadline): Promise<string> {
    return this.#run(true, () => hash(password, this.cost), deadline);
  }

  /**
   * Whether a new password is common or easily guessed. A check holds up the process for up to 40 ms, so one is made at a
   * time.
   * @param email of its owner
   * @param goesFirst before all who do not
   */
  async isGuessable(
    password: string,
    email: string,
    { goesFirst, deadline }: { readonly goesFirst: boolean; readonly deadline?: Deadline | undefined },
  ): Promise<boolean> {
    const release = await this.#checks.take(goesFirst, deadline);
    let refused = false;
    try {
      refused = await isGuessable(password, [email]);
      return refused;
    } finally {
      if (refused) this.clock.after(PAUSE_AFTER_REFUSAL, release);
      else release();
    }
  }

  /**
   * Takes the same time for every password, also where there is none to compare with: that is never right.
   * @param isKnown whoever asks has signed in before
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
