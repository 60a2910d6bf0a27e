import {
  type ApiError,
  conflict,
  type FieldErrors,
  notFound,
  unprocessable,
  validationFailed,
} from '../http/index.js';
import type { SourceType, UnitRefusal } from '../units/index.js';

/**
 * Both messages stand in the specification's §7 and in the decisions on pull sources: to those who push, every other owner is
 * a pull source, and to a pull source every other one pushes.
 */
function managedElsewhere(writer: SourceType, owner: SourceType): string {
  const mode = writer === 'pull' || (writer === 'standalone' && owner === 'push') ? 'push' : 'pull';
  return `This unit is managed by a ${mode}-mode PMS integration. Please contact support.`;
}

/** Refusals that are of a field. */
const OF_A_FIELD = {
  unit_exists: { crm_unit_id: ['The crm unit id has already been taken.'] },
  location_required: { pms_location_code: ['The pms location code field is required.'] },
  location_missing: { pms_location_code: ['The company has no location yet: an operator adds it first.'] },
  location_unknown: { pms_location_code: ['The selected pms location code is invalid.'] },
  tenant_contradicted: { tenant: ['The tenant field states another person than an entry before.'] },
  tenant_is_primary: { tenant_id: ['The tenant rents the unit and needs no share of it.'] },
  override_already_over: { expires_at: ['The expires at field must be in the future.'] },
} satisfies Partial<Record<UnitRefusal['code'], FieldErrors>>;

type RefusalOfAField = Extract<UnitRefusal, { code: keyof typeof OF_A_FIELD }>;

function isOfAField(refusal: UnitRefusal): refusal is RefusalOfAField {
  return refusal.code in OF_A_FIELD;
}

/** A refusal as the answer to a write of one unit. */
export function refusalError(refusal: UnitRefusal, writer: SourceType): ApiError {
  if (isOfAField(refusal)) return validationFailed(OF_A_FIELD[refusal.code]);
  switch (refusal.code) {
    case 'unit_not_found':
      return notFound('Unit not found.');
    case 'other_source':
      return conflict(managedElsewhere(writer, refusal.owner), 'unit_managed_elsewhere');
    case 'unit_not_occupied':
      return unprocessable('The unit is not occupied.', refusal.code);
    case 'unit_occupied':
      return conflict('The unit is occupied.', refusal.code);
    case 'unit_retired':
      // For integrators there is no such unit.
      return writer === 'standalone'
        ? conflict('The unit is retired.', refusal.code)
        : notFound('Unit not found.');
    case 'names_overtaken':
      throw new Error('A unit that was met at another location was not written anew.');
  }
}

/** A refusal as that of one entry of a bulk. @param path the entry's, `units.N`. */
export function refusalOfEntry(refusal: UnitRefusal, writer: SourceType, path: string): ApiError {
  const error = refusalError(refusal, writer);
  if (error.errors === undefined) return error;
  const named = Object.entries(error.errors).map(([field, messages]) => [`${path}.${field}`, messages]);
  return validationFailed(Object.fromEntries(named) as FieldErrors);
}
