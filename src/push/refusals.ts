import {
  type ApiError,
  conflict,
  type FieldErrors,
  notFound,
  unprocessable,
  validationFailed,
} from '../http/index.js';
import type { SourceType, UnitRefusal } from '../units/index.js';

/** Both messages stand in the specification's §7 and in the decisions on pull sources. */
function managedElsewhere(writer: SourceType, owner: SourceType): string {
  const mode = writer === 'push' || owner !== 'push' ? 'pull' : 'push';
  return `This unit is managed by a ${mode}-mode PMS integration. Please contact support.`;
}

const LOCATION_REQUIRED = 'The pms location code field is required.';
const LOCATION_UNKNOWN = 'The selected pms location code is invalid.';

/** A refusal as the answer to a write of one unit. */
export function refusalError(refusal: UnitRefusal, writer: SourceType): ApiError {
  switch (refusal.code) {
    case 'unit_not_found':
      return notFound('Unit not found.');
    case 'unit_exists':
      return validationFailed({ crm_unit_id: ['The crm unit id has already been taken.'] });
    case 'other_source':
      return conflict(managedElsewhere(writer, refusal.owner), 'unit_managed_elsewhere');
    case 'location_required':
      return validationFailed({ pms_location_code: [LOCATION_REQUIRED] });
    case 'location_unknown':
      return validationFailed({ pms_location_code: [LOCATION_UNKNOWN] });
    case 'unit_not_occupied':
      return unprocessable('The unit is not occupied.', refusal.code);
    case 'tenant_is_primary':
      return validationFailed({ tenant_id: ['The tenant rents the unit and needs no share of it.'] });
    case 'names_overtaken':
      throw new Error('A unit that was met at another location was not written anew.');
    case 'override_already_over':
      return validationFailed({ expires_at: ['The expires at field must be in the future.'] });
  }
}

/** A refusal as that of one entry of a bulk. @param path the entry's, `units.N`. */
export function refusalOfEntry(refusal: UnitRefusal, writer: SourceType, path: string): ApiError {
  const error = refusalError(refusal, writer);
  if (error.errors === undefined) return error;
  const named = Object.entries(error.errors).map(([field, messages]) => [`${path}.${field}`, messages]);
  return validationFailed(Object.fromEntries(named) as FieldErrors);
}
