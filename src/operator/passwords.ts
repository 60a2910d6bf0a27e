import { Inject, Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { tooManyAttempts } from '../http/api-error.js';

/** The least that OWASP asks of argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How long a password may be, in characters (decisions §6). */
export const PASSWORD_LENGTH = { min: 12, max: 256 } as const;

const MOST_AT_ONCE = 2;
/** Of strangers, and of those who are known. */
const MOST_WAITING = 8;
const LONGEST_WAIT_SECONDS = 2;

interface Waiting {
  readonly begin: () => void;
}

/**
 * Hashes passwords and compares them with hashes: two at once, as each takes a core and 19 MiB for a while and the
 * requests of everybody else must go on. Few wait, and briefly; those who have been here before go first, so that a
 * crowd of strangers does not keep them out.
 * @throws ApiError 429 from every method where too many wait, or one has waited too long
 */
@Injectable()
export class Passwords {
  #running = 0;
  #decoy: Promise<string> | undefined;
  readonly #known: Waiting[] = [];
  readonly #strangers: Waiting[] = [];

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** An argon2id hash in PHC format, with a salt of its own. */
  hash(password: string): Promise<string> {
    return this.#run(true, () => hash(password, COST));
  }

  /**
   * Takes the same time for every password, also where there is none to compare with: that is never right.
   * @param isKnown whoever asks has signed in before
   */
  matches(password: string, hashed: string | undefined, isKnown = true): Promise<boolean> {
    return this.#run(isKnown, async () => {
      this.#decoy ??= hash('nobody', COST);
      const matches = await verify(hashed ?? (await this.#decoy), password);
      return matches && hashed !== undefined;
    });
  }

  async #run<T>(isKnown: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#running >= MOST_AT_ONCE) await this.#wait(isKnown ? this.#known : this.#strangers);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#known.shift() ?? this.#strangers.shift();
      if (next === undefined) this.#running -= 1;
      else next.begin();
    }
  }

  /** Resolves when somebody else has ended and left their place. */
  #wait(queue: Waiting[]): Promise<void> {
    if (queue.length >= MOST_WAITING) throw busy();
    return new Promise((resolve, reject) => {
      const giveUp = this.clock.after(LONGEST_WAIT_SECONDS * 1_000, () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(busy());
      });
      const waiting = {
        begin: () => {
          giveUp();
          resolve();
        },
      };
      queue.push(waiting);
    });
  }
}

function busy(): Error {
  return tooManyAttempts({ windowSeconds: LONGEST_WAIT_SECONDS, retryAfterSeconds: LONGEST_WAIT_SECONDS });
}
