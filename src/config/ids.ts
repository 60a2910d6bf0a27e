import { randomBytes, randomInt, randomUUID, hash } from 'node:crypto';
import { encodeTime, incrementBase32 } from 'ulid';

/**
 * The SHA-256 (hex) of a token that is kept, or of an address or number that is counted. The value itself is stored
 * nowhere.
 */
export function hashOf(credential: string): string {
  return hash('sha256', credential);
}

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

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_CHARACTERS = 16;
/** A multiple of what one ULID takes. */
const POOL_BYTES = 4_096;

/** Makes ULIDs in ascending order, as the library's factory does, and without a call for each character. */
export function ascendingUlids(now: () => number = Date.now): () => string {
  let pool = randomBytes(POOL_BYTES);
  let next = 0;
  let lastAt = 0;
  let lastRandom = '';
  return () => {
    const at = now();
    if (at > lastAt) {
      lastAt = at;
      lastRandom = '';
      if (next === POOL_BYTES) {
        pool = randomBytes(POOL_BYTES);
        next = 0;
      }
      for (const end = next + RANDOM_CHARACTERS; next < end; next += 1)
        lastRandom += ALPHABET[pool[next]! % 32]!;
    } else lastRandom = incrementBase32(lastRandom);
    return encodeTime(lastAt) + lastRandom;
  };
}

/** ULIDs that a command with this id makes at every attempt: its own, and those after it. */
export function ulidsOf(command_id: string): () => string {
  let next = command_id;
  return () => {
    const made = next;
    next = incrementBase32(next);
    return made;
  };
}

/** Identifiers and secrets from the machine's cryptographic generator. */
export const systemIds: Ids = {
  ulid: ascendingUlids(),
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
  code: (digits) => String(randomInt(10 ** digits)).padStart(digits, '0'),
};
