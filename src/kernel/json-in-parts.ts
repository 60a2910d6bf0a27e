import { isUtf8 } from 'node:buffer';

export interface JsonBounds {
  /** Most levels of objects and arrays. */
  readonly depth: number;
  /** Most values in all: the document, members and elements. */
  readonly values: number;
}

/** The text is no JSON, or not UTF-8. */
export class JsonSyntaxError extends Error {}

/** The text is nested too deep, or has too many values. */
export class JsonBeyondBoundsError extends Error {}

/** Members are parsed together up to this size, in less than a millisecond. A larger one is divided in turn. */
const PART_BYTES = 65_536;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/**
 * The same value as JSON.parse gives. A document of megabytes costs JSON.parse hundreds of milliseconds at once; here others
 * go on in between. Yields 1 after each part.
 * @param text UTF-8, perhaps with a byte order mark
 * @throws JsonSyntaxError, JsonBeyondBoundsError
 */
export function* parseInParts(
  text: Uint8Array,
  bounds: JsonBounds,
  partBytes = PART_BYTES,
): Generator<number, unknown> {
  if (!isUtf8(text)) throw new JsonSyntaxError('not UTF-8');
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const isMarked = buffer.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const start = isMarked ? BYTE_ORDER_MARK.length : 0;
  if (buffer.length <= partBytes) return parseWhole(buffer, start, bounds);
  return yield* new PartParser(buffer, start, bounds, partBytes).document();
}

function parseWhole(text: Buffer, start: number, bounds: JsonBounds): unknown {
  const scan = new Scan();
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === QUOTE) at = endOfString(text, at) - 1;
    else scan.take(text[at], at);
  }
  if (scan.deepest > bounds.depth || scan.values > bounds.values) throw new JsonBeyondBoundsError();
  return parsed(text.toString('utf8', start));
}

class PartParser {
  #depth = 0;
  #values = 0;

  constructor(
    private readonly text: Buffer,
    private at: number,
    private readonly bounds: JsonBounds,
    private readonly partBytes: number,
  ) {}

  *document(): Generator<number, unknown> {
    const value = yield* this.#element();
    this.#skipSpace();
    if (this.at < this.text.length) throw new JsonSyntaxError('text after the document');
    return value;
  }

  *#value(): Generator<number, unknown> {
    this.#skipSpace();
    switch (this.text[this.at]) {
      case ARRAY:
        return yield* this.#array();
      case OBJECT:
        return yield* this.#object();
      case QUOTE:
        return this.#parsedUpTo(endOfString(this.text, this.at));
      default:
        return this.#parsedUpTo(endOfWord(this.text, this.at));
    }
  }

  *#array(): Generator<number, unknown[]> {
    const elements: unknown[] = [];
    this.#enter();
    for (let hasMore = !this.#takes(ARRAY_END); hasMore; hasMore = this.#hasMore(ARRAY_END)) {
      const end = this.#endOfPart();
      if (end === undefined) elements.push(yield* this.#element());
      else for (const element of this.#partUpTo(end, '[', ']')) elements.push(element);
      yield 1;
    }
    this.#depth -= 1;
    return elements;
  }

  *#object(): Generator<number, object> {
    const members = {};
    this.#enter();
    for (let hasMore = !this.#takes(OBJECT_END); hasMore; hasMore = this.#hasMore(OBJECT_END)) {
      const end = this.#endOfPart();
      const part = end === undefined ? [yield* this.#member()] : this.#partUpTo(end, '{', '}');
      for (const [name, value] of part as [string, unknown][]) {
        // An assignment would not make a member of `__proto__`.
        Object.defineProperty(members, name, { value, enumerable: true, writable: true, configurable: true });
      }
      yield 1;
    }
    this.#depth -= 1;
    return members;
  }

  /** Larger than a part. */
  *#element(): Generator<number, unknown> {
    this.#count(0, 1);
    return yield* this.#value();
  }

  /** As {@link #element}. */
  *#member(): Generator<number, [string, unknown]> {
    this.#skipSpace();
    if (this.text[this.at] !== QUOTE) throw new JsonSyntaxError('a member without a name');
    const name = this.#parsedUpTo(endOfString(this.text, this.at)) as string;
    this.#expect(COLON);
    return [name, yield* this.#element()];
  }

  #enter(): void {
    this.at += 1;
    this.#depth += 1;
    this.#count(0, 0);
  }

  /** True behind a comma, false behind the end of the object or array. */
  #hasMore(end: number): boolean {
    if (this.#takes(end)) return false;
    this.#expect(COMMA);
    return true;
  }

  /** The end of the members that fit into a part: a comma or the container's end. Undefined: not even one fits. */
  #endOfPart(): number | undefined {
    const { text } = this;
    const limit = Math.min(text.length, this.at + this.partBytes);
    const scan = new Scan();
    for (let at = this.at; at < limit && !scan.isOver; at += 1) {
      if (text[at] === QUOTE) at = endOfString(text, at, limit) - 1;
      else scan.take(text[at], at);
    }
    if (scan.ended !== undefined) this.#count(scan.ended.depth, scan.ended.values);
    return scan.ended?.at;
  }

  /** Elements, or pairs of names and values. */
  #partUpTo(end: number, open: '[' | '{', close: ']' | '}'): readonly unknown[] {
    const part = parsed(open + this.text.toString('utf8', this.at, end) + close) as object;
    const members = Array.isArray(part) ? (part as unknown[]) : Object.entries(part);
    if (members.length === 0) throw new JsonSyntaxError('a comma without a member');
    this.at = end;
    return members;
  }

  #parsedUpTo(end: number): unknown {
    const value = parsed(this.text.toString('utf8', this.at, end));
    this.at = end;
    return value;
  }

  #count(depth: number, values: number): void {
    this.#values += values;
    if (this.#depth + depth > this.bounds.depth || this.#values > this.bounds.values)
      throw new JsonBeyondBoundsError();
  }

  #expect(byte: number): void {
    if (!this.#takes(byte)) throw new JsonSyntaxError('another character was expected');
  }

  #takes(byte: number): boolean {
    this.#skipSpace();
    if (this.text[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  #skipSpace(): void {
    while (isSpace(this.text[this.at])) this.at += 1;
  }
}

/** Looks at the bytes of a document, or of members, that are not in strings. JSON.parse checks them afterwards. */
class Scan {
  #depth = 0;
  deepest = 0;
  values = 1;
  /** Where the last whole member ended, and the depth and the number of values up to there. */
  ended: { readonly at: number; readonly depth: number; readonly values: number } | undefined;

  /** True behind the end of the container. */
  get isOver(): boolean {
    return this.#depth < 0;
  }

  take(byte: number | undefined, at: number): void {
    switch (byte) {
      case ARRAY:
      case OBJECT:
        this.#depth += 1;
        this.deepest = Math.max(this.deepest, this.#depth);
        this.values += 1;
        break;
      case ARRAY_END:
      case OBJECT_END:
        if (this.#depth === 0) this.#end(at);
        this.#depth -= 1;
        break;
      case COMMA:
        if (this.#depth === 0) this.#end(at);
        this.values += 1;
        break;
      default:
    }
  }

  #end(at: number): void {
    this.ended = { at, depth: this.deepest, values: this.values };
  }
}

/** @throws JsonSyntaxError without the text: the parser's own message quotes it */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new JsonSyntaxError('a faulty part');
  }
}

/** The index behind the quote that ends the string at `start`. At most `limit`. */
function endOfString(text: Buffer, start: number, limit = text.length): number {
  let at = start + 1;
  while (at < limit && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, limit);
}

/** The index behind a number, `true`, `false` or `null`. */
function endOfWord(text: Buffer, start: number): number {
  let at = start;
  while (isPartOfWord(text[at])) at += 1;
  return at;
}

/** JSON.parse checks which word or number it is. */
function isPartOfWord(byte: number | undefined): boolean {
  if (byte === undefined || isSpace(byte)) return false;
  return byte !== COMMA && byte !== ARRAY_END && byte !== OBJECT_END;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
