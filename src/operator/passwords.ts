import { hash, verify } from '@node-rs/argon2';

/** The least that OWASP asks of argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** An argon2id hash in PHC format, with a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Takes the same time for every password. */
export function isPassword(password: string, hashed: string): Promise<boolean> {
  return verify(hashed, password);
}
