import { createHash } from 'node:crypto';

export const UNIT_CATEGORY = 'unit';

/** Longer keys are cut and made unique by a hash, so that any store takes the name. */
const LONGEST_READABLE = 200;

/**
 * Name of a unit's stream: `unit-{company_id}.{crm_unit_id}`. One name for one unit, so that "no stream yet" is the
 * store's own check that a unit is new. Everything but letters, digits, `-` and `_` is percent-encoded.
 */
export function unitStream(company_id: string, crm_unit_id: string): string {
  const compared = comparedIdentifier(crm_unit_id);
  const encoded = encode(compared);
  const readable =
    encoded.length <= LONGEST_READABLE
      ? encoded
      : `${encoded.slice(0, LONGEST_READABLE)}~${createHash('sha256').update(compared).digest('hex')}`;
  return `${UNIT_CATEGORY}-${company_id}.${readable}`;
}

/** The form in which identifiers are compared: two spellings that look the same name one unit. */
export function comparedIdentifier(crm_unit_id: string): string {
  return crm_unit_id.normalize('NFC');
}

function encode(text: string): string {
  if (/^[A-Za-z0-9_-]*$/.test(text)) return text;
  return encodeURIComponent(text).replace(/[.!~*'()]/g, (character) => `%${hex(character)}`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase();
}
