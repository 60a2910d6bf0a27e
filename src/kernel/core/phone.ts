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
