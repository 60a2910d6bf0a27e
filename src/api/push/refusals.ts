import {
  ApiError,
  errorOf,
  historyDamaged,
  invalidField,
  validationFailed,
} from '#kernel/errors/api-error.js';
import { type CodeOf, ERRORS, FIXES } from '#kernel/errors/error-codes.js';
import type { FaultCode, FieldFault } from '#kernel/errors/field-fault.js';
import type { Confusable, SourceType, UnitRefusal } from '#domain/units/index.js';

/**
 * The two messages of the specification (§7). A standalone unit has no message of its own: it is named as the other mode.
 */
function managedElsewhere(writer: SourceType, owner: SourceType): string {
  const mode = writer === 'pull' || (writer === 'standalone' && owner === 'push') ? 'push' : 'pull';
  return `This unit is managed by a ${mode}-mode PMS integration. Please contact support.`;
}

export const UNKNOWN_LOCATION =
  'The selected pms location code is invalid. GET /api/v2/company lists the codes.';

/** A tenant moves between units of one location. It tells nothing of units elsewhere. */
export const OTHER_LOCATION = 'The to unit id field must be a unit of the same location.';

/** Identifiers of guests and of holders of passes (decisions §13). */
export const RESERVED_TENANT =
  'The pms tenant id field must not be guest- or pass- with a ULID: the service gives these to people who rent nothing.';

/** Refusals that name a field of the request. */
const FIELD_REFUSALS = {
  unit_exists: ['crm_unit_id', 'taken', 'The crm unit id has already been taken.'],
  location_required: ['pms_location_code', 'required', 'The pms location code field is required.'],
  location_missing: [
    'pms_location_code',
    'unknown_value',
    'The company has no location yet. An operator must add one first.',
  ],
  location_unknown: ['pms_location_code', 'unknown_value', UNKNOWN_LOCATION],
  tenant_contradicted: ['tenant', 'conflict', 'The tenant field gives another person than an earlier entry.'],
  tenant_is_full: [
    'pms_tenant_id',
    'out_of_range',
    'The tenant of this pms tenant id rents 2000 units, the most that one may. Move it out of others first, or give the unit another pms tenant id.',
  ],
  tenant_is_reserved: ['pms_tenant_id', 'not_allowed', RESERVED_TENANT],
  tenant_is_primary: ['tenant_id', 'not_allowed', 'The tenant rents the unit and needs no share.'],
  transfer_to_same_unit: ['to_unit_id', 'not_allowed', 'The to unit id field must be another unit.'],
  transfer_to_other_location: ['to_unit_id', 'unknown_value', OTHER_LOCATION],
  override_already_over: ['expires_at', 'out_of_range', 'The expires at field must be in the future.'],
  share_already_over: ['until', 'out_of_range', 'The until field must be in the future.'],
  share_too_long: ['until', 'out_of_range', 'The until field must be at most 366 days ahead.'],
  unit_of_another_tenant: ['unit_id', 'unknown_value', 'The selected unit id is invalid.'],
  offer_to_oneself: ['phone_number', 'not_allowed', 'The phone number field is your own number.'],
  offer_too_long: ['until', 'out_of_range', 'The until field must be at most 90 days ahead.'],
  people_full: [
    'unit_id',
    'out_of_range',
    'You have invited, or let in, 5 people to this unit, the most that one may. End one of them first.',
  ],
  offer_locked: [
    'code',
    'not_allowed',
    'A wrong code was entered 5 times. Ask the tenant for a new invitation.',
  ],
} as const satisfies Partial<
  Record<UnitRefusal['code'], readonly [field: string, code: FaultCode, message: string]>
>;

type FieldRefusal = Extract<UnitRefusal, { code: keyof typeof FIELD_REFUSALS }>;

function isFieldRefusal(refusal: UnitRefusal): refusal is FieldRefusal {
  return refusal.code in FIELD_REFUSALS;
}

export function refusalError(refusal: UnitRefusal, writer: SourceType): ApiError {
  if (isFieldRefusal(refusal)) {
    const [field, code, message] = FIELD_REFUSALS[refusal.code];
    return invalidField(field, code, message);
  }
  if (refusal.code === 'identifier_confusable') {
    const fault = confusableFault('crm_unit_id', refusal.confusable);
    return errorOf('validation_failed', { hint: fault.hint, details: [fault] });
  }
  if (isBareRefusal(refusal)) return errorOf(refusal.code);
  return refusal.code === 'history_damaged' ? historyDamaged() : refusalOfUnit(refusal, writer);
}

/** Refusals that are errors of the same name. */
const BARE_REFUSALS = [
  'unit_not_found',
  'unit_not_occupied',
  'unit_occupied',
  'share_not_found',
  'sharing_off',
  'already_shared',
] as const satisfies readonly UnitRefusal['code'][];

type BareRefusal = Extract<UnitRefusal, { code: (typeof BARE_REFUSALS)[number] }>;

function isBareRefusal(refusal: UnitRefusal): refusal is BareRefusal {
  return (BARE_REFUSALS as readonly string[]).includes(refusal.code);
}

type UnitStateRefusal = Exclude<
  UnitRefusal,
  FieldRefusal | BareRefusal | { code: 'history_damaged' | 'identifier_confusable' }
>;

function refusalOfUnit(refusal: UnitStateRefusal, writer: SourceType): ApiError {
  switch (refusal.code) {
    case 'unit_at_other_location':
      return atOtherLocation(refusal.pms_location_code);
    case 'other_source':
      return new ApiError(409, managedElsewhere(writer, refusal.owner), { code: 'unit_managed_elsewhere' });
    case 'written_since':
      // Only a bulk has `snapshot_at`, and it lists the entry as skipped.
      throw new Error('Only an entry of a bulk is skipped.');
    case 'unit_retired':
      // Integrators do not see retired units.
      return writer === 'standalone'
        ? errorOf('unit_retired', { hint: FIXES.unit_retired })
        : errorOf('unit_not_found');
    default:
      return refusalOfTransfer(refusal);
  }
}

type TransferRefusal = Extract<
  UnitRefusal,
  {
    code:
      | 'transfer_to_occupied_unit'
      | 'transfer_unfinished'
      | 'unit_vacant'
      | 'unit_in_auction'
      | 'unit_unrentable'
      | 'unit_overridden';
  }
>;

function refusalOfTransfer(refusal: TransferRefusal): ApiError {
  switch (refusal.code) {
    case 'transfer_to_occupied_unit':
      return conflict('unit_occupied', ERRORS.unit_occupied.message);
    case 'unit_in_auction':
      return conflict(refusal.code, `The unit ${refusal.unit_name} is in auction.`);
    case 'transfer_unfinished':
      return conflict(
        refusal.code,
        `A transfer of this tenancy to the unit ${refusal.unit_name} was interrupted.`,
      );
    default:
      return conflict(refusal.code, ERRORS[refusal.code].message);
  }
}

/** The fault of an identifier that would create a unit and looks like another one. */
export function confusableFault(
  field: string,
  confusable: Confusable,
): FieldFault & { readonly hint: string } {
  const name = field.replaceAll('_', ' ');
  if (confusable.kind === 'white_space') {
    const message = `The ${name} field must not begin or end with white space.`;
    const hint = 'White space would be a part of the identifier, and make another unit. Send it without.';
    return { field, code: 'format', message, hint };
  }
  const message = `The ${name} field looks like the identifier of another unit, and differs only in its Unicode form.`;
  const form = confusable.known.normalize('NFC') === confusable.known ? 'NFC' : 'NFD';
  const hint = `If you mean that unit, send the identifier in the normalisation form ${form}, as the unit has it: ${encodeURIComponent(confusable.known)} (percent-encoded).`;
  return { field, code: 'taken', message, hint };
}

function conflict(code: CodeOf<409>, message: string): ApiError {
  return new ApiError(409, message, { code, hint: FIXES[code] });
}

function atOtherLocation(code: string | undefined): ApiError {
  const hint = `The company has one unit of this identifier, at ${code ?? 'another location'}. If you mean another unit, put the site before the identifier.`;
  return errorOf('validation_failed', {
    hint,
    details: [
      {
        field: 'pms_location_code',
        code: 'unit_at_other_location',
        message: 'The pms location code field must name the location of the unit.',
        hint,
      },
    ],
  });
}

/** As {@link refusalError}, for one entry of a bulk. @param path `units.N` */
export function refusalOfEntry(refusal: UnitRefusal, writer: SourceType, path: string): ApiError {
  const error = refusalError(refusal, writer);
  if (error.details === undefined) return error;
  return validationFailed(error.details.map((fault) => ({ ...fault, field: `${path}.${fault.field}` })));
}
