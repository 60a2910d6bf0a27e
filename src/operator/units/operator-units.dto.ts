import { ACCESS_STATES, type AccessState } from '../../access/index.js';
import {
  fieldRule,
  IsIdentifier,
  IsOneOf,
  IsName,
  IsText,
  IsTimestamp,
  IsUlid,
  IsWhole,
  Nullable,
  Optional,
  Required,
} from '../../http/index.js';

export class UnitSearchQuery {
  @Optional() @IsUlid() company_id?: string;
  @Optional() @IsUlid() location_id?: string;
  @Optional() @IsOneOf(ACCESS_STATES) state?: AccessState;
  /** A part of the unit's name or of its identifier, whatever the case of its letters. */
  @Optional() @IsText({ min: 1 }) q?: string;
  @Optional() @IsText({ min: 1, max: 4096 }) cursor?: string;
  @Optional() @IsWhole({ min: 1, max: 500 }) limit?: number;
}

export class NewUnitBody {
  @Required() @IsIdentifier() crm_unit_id!: string;
  @Optional() @IsName() unit_name?: string;
}

export class UnitNameBody {
  @Required() @IsName() unit_name!: string;
}

/** Text that says something: an override without a reason explains nothing to an auditor. */
const IsReason = () =>
  fieldRule('isReason', (value) => {
    if (typeof value !== 'string') return 'must be a string.';
    return value.trim() === '' ? 'is required.' : undefined;
  });

export class OverrideBody {
  @Required() @IsOneOf(['lockout', 'exempt']) override!: 'lockout' | 'exempt';
  @Required() @IsText({ max: 500 }) @IsReason() reason!: string;
  @Nullable() @IsTimestamp() expires_at?: string | null;
}
