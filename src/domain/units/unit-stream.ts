import { hash } from 'node:crypto';
import { UNIT_CATEGORY } from './core/unit.events.js';

/** Characters of an encoded key. A longer key is cut and gets a hash, because stores limit the length of names. */
const LONGEST_READABLE = 200;

/**
 * Name of a unit's stream: `unit-{company_id}.{crm_unit_id}`. With this name, the store refuses to create a unit twice.
 * All characters but letters, digits, `-` and `_` are percent-encoded.
 */
export function unitStream(company_id: string, crm_unit_id: string): string {
  const encoded = encode(crm_unit_id);
  const readable =
    encoded.length <= LONGEST_READABLE
      ? encoded
      : `${encoded.slice(0, LONGEST_READABLE)}~${hash('sha256', crm_unit_id)}`;
  return `${UNIT_CATEGORY}-${company_id}.${readable}`;
}

function encode(text: string): string {
  if (/^[A-Za-z0-9_-]*$/.test(text)) return text;
  return encodeURIComponent(text).replace(/[.!~*'()]/g, (character) => `%${hex(character)}`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase();
}
