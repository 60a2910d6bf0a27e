/*
 * What characters a text may have, as regular expressions of ECMA-262, which JSON Schema speaks. Left out of the patterns, as
 * dialects do not agree on what lies beyond the first plane: halves of surrogate pairs, which are no text, and tags (U+E0000 to
 * U+E007F). Classes are negated, for those that make texts from a pattern list what a class has.
 */

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
/** Of no width or blank (soft hyphen, the fillers of Hangul and the blank of Braille among them), turning the direction in which a text is shown, or ending its line. */
const HIDDEN =
  '\\u034f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0';
const TAGS = '\\u{e0000}-\\u{e007f}';

/** Finds a character that cannot be seen. */
export const INVISIBLE = new RegExp(`[${HIDDEN}${TAGS}]`, 'u');

/** Text without control characters. */
export const TEXT = allBut(CONTROL);
/** As {@link TEXT}, of more than white space. */
export const FILLED_TEXT = filled(CONTROL);
/** Text in which nothing is hidden. */
export const VISIBLE_TEXT = allBut(CONTROL + HIDDEN);
/** As {@link VISIBLE_TEXT}, of more than white space. */
export const FILLED_VISIBLE_TEXT = filled(CONTROL + HIDDEN);

function allBut(refused: string): string {
  return `^[^${refused}]*$`;
}

function filled(refused: string): string {
  return `^[^${refused}]*[^\\s${refused}][^${refused}]*$`;
}
