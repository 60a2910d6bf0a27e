import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** The only source of identifiers and secrets. Injected, so that a simulation can repeat a run from its seed. */
export interface Ids {
  /** A new ULID: 26 characters, sortable by creation (specification §2.3). */
  ulid(): string;
  /** A new UUID, as event ids are (EventStoreDB accepts nothing else). */
  uuid(): string;
  /** An opaque bearer credential of 256 random bits in base64url. */
  secret(): string;
  /** A uniformly random code of `digits` decimal digits, leading zeros kept (OTP, specification §4.2). */
  code(digits: number): string;
}

const POOL_BYTES = 4_096;

/** Random fractions from a pool of random bytes: the library's own source asks the system for each character. */
function pooledRandom(): () => number {
  let pool = Buffer.alloc(0);
  let next = 0;
  return () => {
    if (next === pool.length) {
      pool = randomBytes(POOL_BYTES);
      next = 0;
    }
    return pool.readUInt8(next++) / 256;
  };
}

const nextUlid = monotonicFactory(pooledRandom());

/** Identifiers and secrets from the machine's cryptographic generator. */
export const systemIds: Ids = {
  ulid: () => nextUlid(),
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
  code: (digits) => String(randomInt(10 ** digits)).padStart(digits, '0'),
};
