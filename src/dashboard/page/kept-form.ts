import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isObject } from '#kernel/core/is-object.js';
import type { FormValues } from './page.js';

/** A form that was sent after the session had ended. It acted on nothing. */
export interface KeptForm {
  readonly action: string;
  /** The page that had the form; undefined if the browser does not say. */
  readonly page: string | undefined;
  /** As they were typed, without secrets. */
  readonly values: FormValues;
}

/** So many characters, sealed, leave room for the name in the 4,096 bytes that browsers take for a cookie. */
export const LONGEST_KEPT = 3_900;
/** Sealing adds a header, and a third of the bytes twice: once for the compressed text, once for the sealed one. */
const MOST_COMPRESSED_BYTES = 2_000;
/** As large as the body that is read without a credential. */
const MOST_BYTES = 16 * 1024;

/** Passwords, codes and whatever proves something are typed again. A `form_id` is of one copy of the form. */
const DROPPED = /password|secret|token|auth_header|^(current|next|code|setup|ticket|form_id)$/;

/** The form as a text to be sealed; undefined if it is too large. */
export function packForm({ action, page, values }: KeptForm): string | undefined {
  const told = Object.entries(values).filter(([name]) => !DROPPED.test(name));
  const text = JSON.stringify({ action, page, values: Object.fromEntries(told) });
  if (Buffer.byteLength(text) > MOST_BYTES) return undefined;
  const bytes = deflateRawSync(text);
  return bytes.length > MOST_COMPRESSED_BYTES ? undefined : bytes.toString('base64url');
}

/** Only of texts that were opened: nobody else has made them. */
export function unpackForm(packed: string): KeptForm | undefined {
  const bytes = inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: MOST_BYTES });
  const form: unknown = JSON.parse(bytes.toString('utf8'));
  return isObject(form) ? (form as unknown as KeptForm) : undefined;
}
