import { invalidField } from '#kernel/errors/api-error.js';
import { parseTimestamp } from '#kernel/timestamp.js';
import { labelOf } from '#web/validation/decorators.js';
import { parseLocalInstant } from './words.js';

/** A typed local date and time, or a timestamp, as an instant. @throws ApiError 422 if it is neither */
export function typedInstant(field: string, text: string, zone: string): string {
  const at = parseLocalInstant(text, zone) ?? text;
  if (parseTimestamp(at) === undefined)
    throw invalidField(field, 'format', `The ${labelOf(field)} field must be a date and a time.`);
  return at;
}
