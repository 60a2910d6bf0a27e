/** Random numbers that a seed repeats (mulberry32 over a mixed seed). */
export class Random {
  private state: number;

  constructor(...seeds: readonly number[]) {
    this.state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) + 0x7f4a7c15, 0x2545f491);
    this.next();
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)]!;
  }

  /** So many distinct whole numbers below `end`. */
  sample(count: number, end: number): number[] {
    const numbers = Array.from({ length: end }, (_, index) => index);
    for (let place = 0; place < count; place += 1) {
      const other = this.whole(place, end - 1);
      [numbers[place], numbers[other]] = [numbers[other]!, numbers[place]!];
    }
    return numbers.slice(0, count);
  }
}
