/*
 * What characters a text may have, as regular expressions of ECMA-262, which JSON Schema speaks. Left out of the patterns, as
 * dialects do not agree on what lies beyond the first plane: halves of surrogate pairs, which are no text, tags (U+E0000 to
 * U+E007F), and selectors (U+E0100 to U+E01EF). Classes are negated, for those that make texts from a pattern list what a class has.
 */

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
/** Of no width or blank (soft hyphen, the fillers of Hangul and the blank of Braille among them), turning the direction in which a text is shown, or ending its line. */
const HIDDEN =
  '\\u034f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0';
const TAGS = '\\u{e0000}-\\u{e007f}';
/** Only change how the character before them is shown. They may stand in any text, as emoji have them. */
const SELECTORS = '\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f';
const MORE_SELECTORS = '\\u{e0100}-\\u{e01ef}';

/** Finds a character that cannot be seen. */
export const INVISIBLE = new RegExp(`[${HIDDEN}${TAGS}]`, 'u');

/** Text without control characters. */
export const TEXT = allBut(CONTROL);
/** As {@link TEXT}, of more than white space and characters that cannot be seen. */
export const FILLED_TEXT = filled(CONTROL, HIDDEN + SELECTORS);
/** Text in which nothing is hidden. */
export const VISIBLE_TEXT = allBut(CONTROL + HIDDEN);
/** As {@link VISIBLE_TEXT}, of more than white space. */
export const FILLED_VISIBLE_TEXT = filled(CONTROL + HIDDEN);

function allBut(refused: string): string {
  return `^[^${refused}]*$`;
}

/** With at least one character that is neither white space nor of the class `unseen`. */
function filled(refused: string, unseen = ''): string {
  return `^[^${refused}]*[^\\s${refused}${unseen}][^${refused}]*$`;
}

const SHOWN = new RegExp(`[^${SELECTORS}${MORE_SELECTORS}\\s${HIDDEN}${TAGS}]`, 'u');

/** Whether a reader sees anything of a text: it has more than white space and characters that cannot be seen. */
export function showsSomething(text: string): boolean {
  return SHOWN.test(text);
}
