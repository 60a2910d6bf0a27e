/** Pseudo-random numbers (sfc32) from a seed: the same seed gives the same numbers, on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(private readonly seed: string) {
    [this.a, this.b, this.c] = [hash(seed, 1), hash(seed, 2), hash(seed, 3)];
    for (let round = 0; round < 12; round += 1) this.bits();
  }

  /** An independent source that depends on nothing but this one's seed and the label. */
  fork(label: string): Random {
    return new Random(`${this.seed}/${label}`);
  }

  /** 32 bits. */
  bits(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor((this.bits() / 2 ** 32) * limit);
  }

  /** A whole number within both bounds. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.bits() / 2 ** 32 < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** A choice that is as likely as its weight says. */
  weighted<T extends { readonly weight: number }>(choices: readonly T[]): T {
    let left = this.below(choices.reduce((sum, { weight }) => sum + weight, 0));
    for (const choice of choices) {
      left -= choice.weight;
      if (left < 0) return choice;
    }
    return choices.at(-1)!;
  }

  /** Some of the choices, in a random order. */
  sample<T>(choices: readonly T[], count: number): T[] {
    const left = [...choices];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(this.below(left.length), 1));
    }
    return taken;
  }
}

/** FNV-1a with a final mix. */
function hash(text: string, salt: number): number {
  let value = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1);
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  return (value ^ (value >>> 15)) >>> 0;
}
