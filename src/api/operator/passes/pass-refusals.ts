import type { PassRefusal } from '#domain/passes/index.js';
import { type ApiError, errorOf, invalidField, validationFailed } from '#kernel/errors/api-error.js';
import type { FaultCode } from '#kernel/errors/field-fault.js';

/** The faults of fields. */
const FIELDS = {
  pass_opens_nothing: [
    'entry_point_ids',
    'required',
    'The entry point ids field is required when the pass names no unit.',
  ],
  pass_already_over: ['until', 'out_of_range', 'The until field must be in the future.'],
  pass_ends_before_it_begins: ['until', 'out_of_range', 'The until field must be after the from field.'],
  pass_too_long: ['until', 'out_of_range', 'The until field must be at most 366 days ahead.'],
} as const satisfies Partial<
  Record<PassRefusal['code'], readonly [field: string, code: FaultCode, message: string]>
>;

export function passError(refusal: PassRefusal): ApiError {
  switch (refusal.code) {
    case 'pass_not_found':
    case 'pass_ended':
      return errorOf(refusal.code);
    case 'units_let':
      return faultsAt('unit_ids', refusal.indexes, 'not_allowed', IS_LET);
    default: {
      const [field, code, message] = FIELDS[refusal.code];
      return invalidField(field, code, message);
    }
  }
}

const IS_LET = 'must be a unit that nobody rents, or one in auction.';

/** One fault for each position in a list of ids. @param text the end of a sentence that starts with "The … field" */
export function faultsAt(
  field: 'entry_point_ids' | 'unit_ids',
  indexes: readonly number[],
  code: FaultCode,
  text: string,
): ApiError {
  return validationFailed(
    indexes.map((index) => ({
      field: `${field}.${index}`,
      code,
      message: `The ${field.replaceAll('_', ' ')}.${index} field ${text}`,
    })),
  );
}
