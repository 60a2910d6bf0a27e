import { conflict, notFound, invalidField, validationFailed } from '../http/api-error.js';
import type { ApiError } from '../http/api-error.js';
import type { CompanyRefusal } from '../companies/index.js';
import type { BareRefusal, LocationRefusal } from '../locations/index.js';
import type { Outcome as RunOutcome } from '../writing/command-run.js';

type Refusal = CompanyRefusal | LocationRefusal;
type Outcome<Result> = RunOutcome<unknown, Result, Refusal>;

/** The outcome of a command that was carried out. @throws ApiError if it was refused */
export function doneOf<Result>(outcome: Outcome<Result>): Extract<Outcome<Result>, { kind: 'done' }> {
  if (outcome.kind === 'rejected') throw answerTo(outcome.refusal);
  return outcome;
}

/** The answer to each refusal that has no other member than its code. */
const ANSWERS: {
  readonly [Code in CompanyRefusal['code'] | BareRefusal]: () => ApiError;
} = {
  company_not_found: () => notFound('Company not found.'),
  api_token_not_found: () => notFound('API token not found.'),
  api_token_issued_before: () =>
    invalidField(
      'name',
      'taken',
      'The form was sent before, and this token exists. Its value was shown once. If it is lost, delete the token and create another.',
    ),
  not_a_sandbox: () => conflict('The company is not a sandbox. Its clock cannot be set.', 'not_a_sandbox'),
  sandbox_clock_too_far: () =>
    invalidField(
      'advance_seconds',
      'out_of_range',
      'The advance seconds field must not set the clock more than 10 years ahead.',
    ),
  location_not_found: () => notFound('Location not found.'),
  zone_not_found: () => notFound('Zone not found.'),
  entry_point_not_found: () => notFound('Entry point not found.'),
  lock_not_found: () => notFound('Lock not found.'),
  unit_not_found: () => notFound('Unit not found.'),
  pms_location_code_taken: () =>
    invalidField('pms_location_code', 'taken', 'The pms location code has already been taken.'),
  unit_not_of_location: () =>
    invalidField('unit_id', 'unknown_value', 'The unit id field must be a unit of the same location.'),
  lock_on_another_unit: () => conflict('The lock is attached to another unit.', 'lock_on_another_unit'),
};

export function answerTo(refusal: Refusal): ApiError {
  if (refusal.code === 'serial_taken')
    return invalidField(
      'serial',
      'taken',
      `The serial has already been taken by the lock ${refusal.lock} of this location. Use that lock, or correct the serial.`,
    );
  if (refusal.code !== 'zones_not_of_location') return ANSWERS[refusal.code]();
  return validationFailed(
    refusal.indexes.map((index) => ({
      field: `zone_ids.${index}`,
      code: 'unknown_value',
      message: `The zone ids.${index} field must be a zone of the same location.`,
    })),
  );
}

/** @throws ApiError 404 if the thing is undefined */
export function found<Thing>(thing: Thing | undefined, code: keyof typeof ANSWERS): Thing {
  if (thing === undefined) throw ANSWERS[code]();
  return thing;
}
