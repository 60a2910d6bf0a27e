import type { PasswordCost } from '#domain/operators/index.js';

/** The least that argon2id takes: tests sign in thousands of times. */
export const CHEAP_PASSWORDS: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
