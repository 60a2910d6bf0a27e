/*
 * The characters that texts may have, as regular expressions of ECMA-262 for JSON Schema. The patterns leave out halves of
 * surrogate pairs and U+E0000 to U+E0FFF, because dialects differ above U+FFFF. Classes are negated, because test tools that
 * generate texts from a pattern list all characters of a class.
 */

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
/**
 * Characters without width, blank characters (soft hyphen, Hangul fillers, Braille blank, annotation marks), and those that
 * change the direction or end the line. With the selectors: all default ignorable characters of Unicode.
 */
const HIDDEN =
  '\\u17b4-\\u17b5\\u034f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb';
const MORE_HIDDEN = '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}';
/** Selectors change the character before them, for example emoji. After a character they are allowed. */
const SELECTORS = '\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f';
const MORE_SELECTORS = '\\u{e0100}-\\u{e01ef}';

/** Finds an invisible character, or a selector without a character before it. */
export const INVISIBLE = new RegExp(`[${HIDDEN}${MORE_HIDDEN}]|(^|\\s)[${SELECTORS}${MORE_SELECTORS}]`, 'u');
/** Finds a selector without a character before it. */
export const LOST_SELECTOR = `(^|\\s)[${SELECTORS}]`;

/** Text without control characters. */
export const TEXT = allBut(CONTROL);
/** As {@link TEXT}, with at least one visible character. */
export const FILLED_TEXT = filled(CONTROL, HIDDEN + SELECTORS);
/** Text without hidden characters. {@link LOST_SELECTOR} must be checked separately. */
export const VISIBLE_TEXT = allBut(CONTROL + HIDDEN);
/** As {@link VISIBLE_TEXT}, with at least one character that is not white space. */
export const FILLED_VISIBLE_TEXT = filled(CONTROL + HIDDEN);

function allBut(refused: string): string {
  return `^[^${refused}]*$`;
}

/** With at least one character that is neither white space nor of the class `unseen`. */
function filled(refused: string, unseen = ''): string {
  return `^[^${refused}]*[^\\s${refused}${unseen}][^${refused}]*$`;
}

const SHOWN = new RegExp(`[^${SELECTORS}${MORE_SELECTORS}\\s${HIDDEN}${MORE_HIDDEN}]`, 'u');

/** Whether a text has at least one visible character. */
export function showsSomething(text: string): boolean {
  return SHOWN.test(text);
}
