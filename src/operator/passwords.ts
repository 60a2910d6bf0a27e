import { Inject, Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { Slots } from '../http/slots.js';

/** What one hash by argon2id costs: KiB of memory, passes and lanes. */
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

/**
 * Hashes passwords and compares them with hashes: two at once, as each takes a core and 19 MiB for a while and the
 * requests of everybody else must go on. Few wait, and briefly; those who have been here before go first, so that a
 * crowd of strangers does not keep them out.
 * @throws ApiError 429 from every method where too many wait, or one has waited too long
 */
@Injectable()
export class Passwords {
  #decoy: Promise<string> | undefined;
  readonly #slots: Slots;

  constructor(
    @Inject(CLOCK) clock: Clock,
    @Inject(PASSWORD_COST) private readonly cost: PasswordCost = USUAL_PASSWORD_COST,
  ) {
    this.#slots = new Slots(LIMITS, clock);
  }

  /** An argon2id hash in PHC format, with a salt of its own. */
  hash(password: string): Promise<string> {
    return this.#run(true, () => hash(password, this.cost));
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

  async #run<T>(isKnown: boolean, work: () => Promise<T>): Promise<T> {
    const release = await this.#slots.take(isKnown);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
