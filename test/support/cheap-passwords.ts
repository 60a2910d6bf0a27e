import type { PasswordCost } from '../../src/operator/index.js';

/** The least that argon2id takes: tests sign in thousands of times. */
export const CHEAP_PASSWORDS: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
