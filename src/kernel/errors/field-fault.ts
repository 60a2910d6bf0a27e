/** Every code of a field's fault, with its meaning. Clients match codes, so never rename one. */
export const FAULT_CODES = {
  required: 'The field is missing, null or blank, and must be there.',
  type: 'The value has another JSON type than the field.',
  format: 'The value has the right type, but a wrong form.',
  too_short: 'The text or list is shorter than the field demands.',
  too_long: 'The text or list is longer than the field allows.',
  out_of_range: 'The number, date or instant is outside its bounds.',
  not_allowed: 'The field or value is not allowed here: take it out.',
  unknown_value: 'The value is not known for the field, or names something that does not exist.',
  ambiguous: 'The value fits several things. Name one exactly.',
  unit_at_other_location: 'The company’s unit of this identifier is at another location. See the hint.',
  position_unknown: 'The log does not hold this position. See the hint.',
  taken: 'Another thing has this value already.',
  duplicate: 'The request states this more than once.',
  conflict: 'The value contradicts another field or entry of the request.',
  incorrect: 'The secret is not the right one.',
  too_weak: 'The password is common or easily guessed.',
} as const satisfies Readonly<Record<string, string>>;

export type FaultCode = keyof typeof FAULT_CODES;

export interface Fault {
  readonly code: FaultCode;
  /** The end of a sentence that starts with "The … field". */
  readonly text: string;
}

export interface FieldFault {
  /** Dotted path: `units.3.move_in_date`. */
  readonly field: string;
  readonly code: FaultCode;
  /** The whole sentence. */
  readonly message: string;
  /** What the client can do, such as the field that an unknown name may mean. */
  readonly hint?: string;
}

/** Messages of a validation failure, by the dotted path of the field (specification §7). */
export type FieldErrors = Record<string, string[]>;

/** The messages by field. Without a prototype, because clients choose the keys, and one may be `__proto__`. */
export function errorsOf(faults: readonly FieldFault[]): FieldErrors {
  const errors = Object.create(null) as FieldErrors;
  for (const { field, message } of faults) (errors[field] ??= []).push(message);
  return errors;
}
