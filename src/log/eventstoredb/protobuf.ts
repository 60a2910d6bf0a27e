/** Kinds of fields. */
const VARINT = 0;
const FIXED_64 = 1;
const DELIMITED = 2;
const FIXED_32 = 5;

/**
 * A message in the making, field by field: what generated code makes an object of for each message, and of that an array for
 * each field, goes straight to the wire.
 */
export class MessageWriter {
  readonly #parts: Buffer[] = [];
  #length = 0;

  /** @param value whole, from 0 to 2^53 - 1 */
  number(field: number, value: number): this {
    return this.#add(varints(field * 8 + VARINT, value));
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, 'utf8'));
  }

  bytes(field: number, value: Buffer): this {
    return this.#add(varints(field * 8 + DELIMITED, value.length)).#add(value);
  }

  message(field: number, message: MessageWriter): this {
    this.#add(varints(field * 8 + DELIMITED, message.#length));
    for (const part of message.#parts) this.#add(part);
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts, this.#length);
  }

  #add(part: Buffer): this {
    this.#parts.push(part);
    this.#length += part.length;
    return this;
  }
}

/** Of a whole number of 64 bits. */
const MOST_BYTES_READ = 10;
/** Of two numbers: nothing on the wire needs more before its bytes. */
const MOST_VARINT_BYTES = 8;

function varints(first: number, second: number): Buffer {
  const bytes = Buffer.allocUnsafe(2 * MOST_VARINT_BYTES);
  return bytes.subarray(0, writeVarint(bytes, second, writeVarint(bytes, first, 0)));
}

function writeVarint(bytes: Buffer, value: number, at: number): number {
  let rest = value;
  let place = at;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[place++] = (rest % 0x80) + 0x80;
  bytes[place++] = rest;
  return place;
}

/**
 * The fields of a message, one after another. Every method throws RangeError where the message ends within a field, where
 * the field is of another kind than what is read, and where a number is longer than any of 64 bits.
 */
export class MessageReader {
  #at: number;
  #kind = VARINT;

  constructor(
    private readonly message: Buffer,
    from = 0,
    private readonly end = message.length,
  ) {
    this.#at = from;
  }

  /** The number of the next field, whose value is to be read or skipped before the one after it; 0 where there is none. */
  next(): number {
    if (this.#at >= this.end) return 0;
    const key = this.#varint();
    this.#kind = key % 8;
    return Math.floor(key / 8);
  }

  /** @throws RangeError beyond 2^53 - 1 as well */
  number(): number {
    this.#demand(VARINT);
    const value = this.#varint();
    if (!Number.isSafeInteger(value)) throw new RangeError('A number is beyond 2^53.');
    return value;
  }

  bigint(): bigint {
    this.#demand(VARINT);
    const from = this.#at;
    const value = this.#varint();
    if (Number.isSafeInteger(value)) return BigInt(value);
    let exact = 0n;
    for (let at = this.#at - 1; at >= from; at -= 1) exact = exact * 0x80n + BigInt(this.message[at]! % 0x80);
    return exact;
  }

  text(): string {
    const [from, to] = this.#span();
    return this.message.toString('utf8', from, to);
  }

  /** Not copied. */
  bytes(): Buffer {
    const [from, to] = this.#span();
    return this.message.subarray(from, to);
  }

  inner(): MessageReader {
    const [from, to] = this.#span();
    return new MessageReader(this.message, from, to);
  }

  skip(): void {
    if (this.#kind === VARINT) this.#varint();
    else if (this.#kind === DELIMITED) this.#span();
    else if (this.#kind === FIXED_64) this.#pass(8);
    else if (this.#kind === FIXED_32) this.#pass(4);
    else throw new RangeError(`A field has the unknown kind ${this.#kind}.`);
  }

  #demand(kind: number): void {
    if (this.#kind !== kind) throw new RangeError(`A field has the kind ${this.#kind} instead of ${kind}.`);
  }

  /** Rounded beyond 2^53. */
  #varint(): number {
    const last = this.#at + MOST_BYTES_READ;
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      if (this.#at >= this.end) throw endsEarly();
      if (this.#at === last) throw new RangeError(`A number has more than ${MOST_BYTES_READ} bytes.`);
      const byte = this.message[this.#at++]!;
      value += (byte % 0x80) * factor;
      if (byte < 0x80) return value;
    }
  }

  #span(): readonly [from: number, to: number] {
    this.#demand(DELIMITED);
    const length = this.#varint();
    const from = this.#at;
    this.#pass(length);
    return [from, this.#at];
  }

  #pass(length: number): void {
    this.#at += length;
    if (this.#at > this.end) throw endsEarly();
  }
}

function endsEarly(): RangeError {
  return new RangeError('A message ends within a field.');
}
