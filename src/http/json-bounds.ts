const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

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
    switch (text[place]!) {
      case QUOTE:
        place = endOfString(text, place);
        break;
      case ARRAY:
      case OBJECT:
        depth += 1;
        values += 1;
        break;
      case ARRAY_END:
      case OBJECT_END:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
    }
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
