const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Whether a JSON text (UTF-8) opens more than `limit` objects and arrays inside each other. Looked at before it is
 * parsed, byte by byte and no further than there: what is nested without end costs a parser seconds.
 */
export function isDeeperThan(text: Uint8Array, limit: number): boolean {
  let depth = 0;
  for (let place = 0; place < text.length; place += 1) {
    const byte = text[place]!;
    if (byte === QUOTE) place = endOfString(text, place);
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/** The place of the quote that ends the string begun at `start`, or the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let place = start + 1;
  while (place < text.length && text[place] !== QUOTE) place += text[place] === BACKSLASH ? 2 : 1;
  return place;
}
