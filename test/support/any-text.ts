import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any character of Unicode, for `fc.string`, whose own `binary` makes a map of the million of them before it draws one. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count));
