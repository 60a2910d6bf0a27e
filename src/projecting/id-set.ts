const SMALLEST = 1 << 10;
/** A hash has 53 bits, because a number holds so many exactly. */
const HIGH = 2 ** 32;
const HIGH_BITS = 0x1fffff;

/**
 * A set of millions of texts in about 16 bytes each. It keeps only a hash of 53 bits. So `has` may be true for a text that was
 * not added: with ten million texts in it, for one text in a thousand million.
 */
export class IdSet {
  #slots = new Float64Array(SMALLEST);
  #size = 0;

  add(text: string): void {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    this.#put(hashOf(text));
  }

  has(text: string): boolean {
    const hash = hashOf(text);
    return this.#slots[this.#slotOf(hash)] === hash;
  }

  #put(hash: number): void {
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] === hash) return;
    this.#slots[slot] = hash;
    this.#size += 1;
  }

  /** The slot of the hash, or a free slot for it. A free slot holds 0. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash % this.#slots.length;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const former = this.#slots;
    this.#slots = new Float64Array(former.length * 2);
    this.#size = 0;
    for (const hash of former) if (hash !== 0) this.#put(hash);
  }
}

function hashOf(text: string): number {
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + index), 0xc2b2ae35);
    high ^= high >>> 15;
  }
  low = mixed(low);
  high = mixed(high ^ low);
  return (high & HIGH_BITS) * HIGH + (low >>> 0) || 1;
}

function mixed(bits: number): number {
  let result = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  result = Math.imul(result ^ (result >>> 15), 0x846ca68b);
  return result ^ (result >>> 16);
}
