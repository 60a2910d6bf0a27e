import type { ApiError } from '#kernel/errors/api-error.js';
import type { FieldErrors } from '#kernel/errors/field-fault.js';

/** Phone numbers as forms take them. */
const EXAMPLES = '(312) 555-0100, or +44 20 7946 0000.';
export const PHONE_LIKE = `Like ${EXAMPLES}`;
const UNREADABLE_PHONE = `The phone field must be a valid phone number, like ${EXAMPLES}`;

/** The messages of a refusal. A phone number in a form may be written otherwise than in the API. */
export function errorsOfForm({ details = [], errors = {} }: ApiError): FieldErrors {
  const phones = details.filter(({ field, code }) => /(^|\.)phone$/.test(field) && code === 'format');
  return {
    ...errors,
    ...Object.fromEntries(phones.map(({ field }) => [field, [UNREADABLE_PHONE]])),
  };
}
