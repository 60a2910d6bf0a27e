import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { encodeTime, incrementBase32 } from 'ulid';
import { derivedUlid } from './derived-ulid.js';

/** The only source of identifiers and secrets. It is injected, so a simulation can repeat a run from its seed. */
export interface Ids {
  /** A new ULID: 26 characters, sortable by creation (specification §2.3). */
  ulid(): string;
  /** A new UUID, for event ids: EventStoreDB accepts no others. */
  uuid(): string;
  /** An opaque bearer credential of 256 random bits in base64url. */
  secret(): string;
  /** A uniformly random code of `digits` decimal digits, leading zeros kept (OTP, specification §4.2). */
  code(digits: number): string;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
/** A multiple of {@link RANDOM_CHARACTERS}. */
const POOL_BYTES = 4_096;

/** Makes ULIDs in ascending order, like the library's factory but much faster. */
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

/**
 * The ids that a command gives to new things. Each attempt of the command gets the same. They begin at a random part of
 * their own, because other requests of the same millisecond have the ids after the command's.
 */
export function ulidsOf(command_id: string): () => string {
  let next = command_id.slice(0, TIME_CHARACTERS) + derivedUlid(command_id).slice(TIME_CHARACTERS);
  return () => {
    const made = next;
    next = incrementBase32(next);
    return made;
  };
}

export const systemIds: Ids = {
  ulid: ascendingUlids(),
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
  code: (digits) => String(randomInt(10 ** digits)).padStart(digits, '0'),
};
