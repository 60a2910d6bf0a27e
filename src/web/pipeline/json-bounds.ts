import type { JsonBounds } from '#kernel/json-in-parts.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/**
 * Whether a JSON text (UTF-8) exceeds its bounds. Checked byte by byte before parsing, because deep nesting or a million
 * empty arrays would cost the parser seconds.
 */
export function isBeyond(text: Uint8Array, bounds: JsonBounds): boolean {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    switch (text[index]!) {
      case QUOTE:
        index = endOfString(text, index);
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

/** The index of the quote that ends the string at `start`, or the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== QUOTE) index += text[index] === BACKSLASH ? 2 : 1;
  return index;
}
