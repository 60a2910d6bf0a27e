import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import type { Random } from './random.js';

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Identifiers and secrets from a seed and the virtual clock, shared by all processes of a run. */
export class SeededIds implements Ids {
  private made = 0;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly random: Random,
  ) {}

  /** Time first, then a counter: sortable by creation. */
  ulid(): string {
    this.made += 1;
    return crockford(this.clock.now(), 10) + crockford(this.made, 16);
  }

  uuid(): string {
    const hex = Array.from({ length: 4 }, () => this.random.bits().toString(16).padStart(8, '0')).join('');
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `8${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join('-');
  }

  secret(): string {
    const bytes = Buffer.alloc(32);
    for (let offset = 0; offset < 32; offset += 4) bytes.writeUInt32LE(this.random.bits(), offset);
    return bytes.toString('base64url');
  }

  code(digits: number): string {
    return String(this.random.below(10 ** digits)).padStart(digits, '0');
  }
}

function crockford(number: number, length: number): string {
  let text = '';
  for (let left = number; text.length < length; left = Math.floor(left / 32))
    text = LETTERS[left % 32] + text;
  return text;
}
