/*
 * What characters a text may have, as regular expressions of ECMA-262, which JSON Schema speaks. Left out of the patterns, as
 * dialects do not agree on what lies beyond the first plane: halves of surrogate pairs, which are no text, and what is never seen
 * there, tags and selectors (U+E0000 to U+E0FFF) among it. Classes are negated, for those that make texts from a pattern list what a class has.
 */

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
/**
 * Of no width or blank (soft hyphen, the fillers of Hangul, the blank of Braille and marks of annotations among them), turning the
 * direction in which a text is shown, or ending its line: with the selectors, all that Unicode calls ignorable by default.
 */
const HIDDEN =
  '\\u17b4-\\u17b5\\u034f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb';
const MORE_HIDDEN = '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}';
/** Only change how the character before them is shown. They may stand behind one in any text, as emoji have them. */
const SELECTORS = '\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f';
const MORE_SELECTORS = '\\u{e0100}-\\u{e01ef}';

/** Finds a character that cannot be seen, a selector with nothing before it among them. */
export const INVISIBLE = new RegExp(`[${HIDDEN}${MORE_HIDDEN}]|(^|\\s)[${SELECTORS}${MORE_SELECTORS}]`, 'u');
/** Finds a selector with nothing before it. */
export const LOST_SELECTOR = `(^|\\s)[${SELECTORS}]`;

/** Text without control characters. */
export const TEXT = allBut(CONTROL);
/** As {@link TEXT}, of more than white space and characters that cannot be seen. */
export const FILLED_TEXT = filled(CONTROL, HIDDEN + SELECTORS);
/** Text in which nothing is hidden, unless it has a {@link LOST_SELECTOR}. */
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

const SHOWN = new RegExp(`[^${SELECTORS}${MORE_SELECTORS}\\s${HIDDEN}${MORE_HIDDEN}]`, 'u');

/** Whether a reader sees anything of a text: it has more than white space and characters that cannot be seen. */
export function showsSomething(text: string): boolean {
  return SHOWN.test(text);
}
