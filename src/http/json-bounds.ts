const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** What a JSON text may hold at most. */
export interface JsonBounds {
  /** Objects and arrays inside each other. */
  readonly depth: number;
  /** Members and elements in all. */
  readonly values: number;
}

/**
 * Whether a JSON text (UTF-8) holds more than it may. Looked at before it is parsed, byte by byte and no further than
 * there: what is nested without end, or made of a million empty arrays, costs a parser and whoever reads its result seconds.
 */
export function isBeyond(text: Uint8Array, bounds: JsonBounds): boolean {
  let depth = 0;
  let values = 1;
  for (let place = 0; place < text.length; place += 1) {
    const byte = text[place]!;
    if (byte === QUOTE) place = endOfString(text, place);
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (byte === COMMA || OPENING.has(byte)) values += 1;
    if (depth > bounds.depth || values > bounds.values) return true;
  }
  return false;
}

/** The place of the quote that ends the string begun at `start`, or the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let place = start + 1;
  while (place < text.length && text[place] !== QUOTE) place += text[place] === BACKSLASH ? 2 : 1;
  return place;
}
