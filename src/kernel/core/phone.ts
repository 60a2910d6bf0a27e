const WHOLE = /^\s*(?:\+|00|011)/;
/** Area code and exchange begin with 2 to 9. */
const NORTH_AMERICAN = /^1?([2-9]\d{2}[2-9]\d{6})$/;
const NUMBER = /^[\s\d+().\-–/]+$/;

/**
 * A phone number as people type it, in international format: with +, 00 or 011, or as in North America: `(312) 555-0100`,
 * `312.555.0100`, `1-312-555-0100`. Other texts are returned as they are, for the rule of the field to refuse them.
 */
export function internationalPhone(typed: string): string {
  if (!NUMBER.test(typed)) return typed;
  const digits = typed.replaceAll(/\D/g, '');
  const begin = WHOLE.exec(typed)?.[0].trim();
  if (begin === '+') return `+${digits}`;
  if (begin !== undefined) return `+${digits.slice(begin.length)}`;
  const [, number] = NORTH_AMERICAN.exec(digits) ?? [];
  return number === undefined ? typed : `+1${number}`;
}

/** Numbers of North America do not begin with these. */
const ABROAD = /^(?:00|011)/;
const PLUS_FIRST = /^\D*\+/;
/** With the 1 that people dial before it: no number of North America begins with 1. */
const DIALLED_WITH_ONE = /^1(\d{10})$/;

/**
 * A number as people type it beside the calling code of its country, in international format. A number with +, and one with 00
 * or 011 in North America, names its own country. Elsewhere a number may begin with 00.
 */
export function phoneOfCountry(country_code: string, typed: string): string {
  const number = typed.replaceAll(/\D/g, '');
  if (PLUS_FIRST.test(typed)) return `+${number}`;
  if (country_code !== '1') return `+${country_code}${number}`;
  if (ABROAD.test(number)) return `+${number.replace(ABROAD, '')}`;
  return `+1${number.replace(DIALLED_WITH_ONE, '$1')}`;
}
