import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';

/** The least that OWASP asks of argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How long a password may be, in characters (decisions §6). */
export const PASSWORD_LENGTH = { min: 12, max: 256 } as const;

/** Hashes passwords and compares them with hashes. */
@Injectable()
export class Passwords {
  /** An argon2id hash in PHC format, with a salt of its own. */
  hash(password: string): Promise<string> {
    return hash(password, COST);
  }

  /** Takes the same time for every password. */
  matches(password: string, hashed: string): Promise<boolean> {
    return verify(hashed, password);
  }
}
