import type { CodeOf } from '#kernel/errors/error-codes.js';
import type { FaultCode } from '#kernel/errors/field-fault.js';
import { type ApiError, errorOf, invalidField, validationFailed } from '#kernel/errors/api-error.js';
import type { CompanyRefusal } from '#domain/companies/index.js';
import type { BareRefusal, LocationRefusal } from '#domain/locations/index.js';
import type { DomainEvent } from '#eventsourcing/log/domain-event.js';
import type { Kind } from '#eventsourcing/writing/aggregate.js';
import type { Outcome as RunOutcome } from '#eventsourcing/writing/command-run.js';

type Refusal = CompanyRefusal | LocationRefusal;
type Outcome<Result> = RunOutcome<Kind<unknown, DomainEvent, unknown, Result, Refusal>>;

/** The outcome of a command that was carried out. @throws ApiError if it was refused */
export function doneOf<Result>(outcome: Outcome<Result>): Extract<Outcome<Result>, { kind: 'done' }> {
  if (outcome.kind === 'rejected') throw answerTo(outcome.refusal);
  return outcome;
}

export const ZONES_FULL =
  'The location has 500 zones, the most it may have. Put units into zones that exist.';

/** The answers to refusals whose code is not one of the API. */
const ANSWERS = {
  api_token_issued_before: [
    'name',
    'taken',
    'The form was sent before, and this token exists. Its value was shown once. If it is lost, delete the token and create another.',
  ],
  sandbox_clock_too_far: [
    'advance_seconds',
    'out_of_range',
    'The advance seconds field must not set the clock more than 10 years ahead.',
  ],
  too_many_webhooks: [
    'url',
    'out_of_range',
    'The url field would be that of an eleventh webhook. A company has at most 10. Delete one first.',
  ],
  pms_location_code_taken: ['pms_location_code', 'taken', 'The pms location code has already been taken.'],
  zones_full: ['name', 'not_allowed', ZONES_FULL],
  entry_points_full: [
    'name',
    'not_allowed',
    'The location has 200 entry points, the most it may have. Change one that is no longer used.',
  ],
  unit_not_of_location: [
    'unit_id',
    'unknown_value',
    'The unit id field must be a unit of the same location.',
  ],
} as const satisfies Partial<
  Record<Refusal['code'], readonly [field: string, code: FaultCode, message: string]>
>;

export function answerTo(refusal: Refusal): ApiError {
  if (refusal.code === 'serial_taken')
    return invalidField(
      'serial',
      'taken',
      `The serial has already been taken by the lock ${refusal.lock} of this location. Use that lock, or correct the serial.`,
    );
  if (refusal.code !== 'zones_not_of_location') return bareAnswer(refusal.code);
  return validationFailed(
    refusal.indexes.map((index) => ({
      field: `zone_ids.${index}`,
      code: 'unknown_value',
      message: `The zone ids.${index} field must be a zone of the same location.`,
    })),
  );
}

function bareAnswer(code: CompanyRefusal['code'] | BareRefusal): ApiError {
  if (!isOfField(code)) return errorOf(code);
  const [field, fault, message] = ANSWERS[code];
  return invalidField(field, fault, message);
}

function isOfField(code: string): code is keyof typeof ANSWERS {
  return code in ANSWERS;
}

/** @throws ApiError 404 if the thing is undefined */
export function found<Thing>(thing: Thing | undefined, code: CodeOf<404>): Thing {
  if (thing === undefined) throw errorOf(code);
  return thing;
}
