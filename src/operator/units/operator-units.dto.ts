import { IsBoolean, IsIn, IsOptional, IsString, Length, MaxLength, ValidateIf } from 'class-validator';
import { ACCESS_REASONS, ACCESS_STATES, type AccessReason, type AccessState } from '../../access/index.js';
import {
  fieldRule,
  FILLED_TEXT,
  isGiven,
  IsIdentifier,
  IsName,
  IsTimestamp,
  IsUlid,
  LONGEST_TEXT,
  PageQuery,
  rule,
  showsSomething,
} from '../../http/index.js';

export class UnitSearchQuery extends PageQuery {
  @ValidateIf(isGiven) @IsUlid() company_id?: string;
  @ValidateIf(isGiven) @IsUlid() location_id?: string;
  @ValidateIf(isGiven) @IsIn(ACCESS_STATES) state?: AccessState;
  @ValidateIf(isGiven) @IsIn(ACCESS_REASONS) reason?: AccessReason;
  @ValidateIf(isGiven) @IsBoolean() retired?: boolean;
  /** A part of the unit's name or of its identifier, or the beginning of any word of its tenant's name, whatever the case of its letters. */
  @ValidateIf(isGiven) @IsString() @Length(1, LONGEST_TEXT) q?: string;
}

export class NewUnitBody {
  @IsIdentifier() crm_unit_id!: string;
  @ValidateIf(isGiven) @IsName() unit_name?: string;
}

export class UnitNameBody {
  @IsName() unit_name!: string;
}

/** Text that says something: an override without a reason explains nothing to an auditor. */
const IsReason = () =>
  fieldRule(
    'isReason',
    rule({ type: 'string', minLength: 1, pattern: FILLED_TEXT }, (value) => {
      if (typeof value !== 'string') return 'must be a string.';
      return showsSomething(value) ? undefined : 'is required.';
    }),
  );

export class OverrideBody {
  @IsIn(['lockout', 'exempt']) override!: 'lockout' | 'exempt';
  @IsString() @MaxLength(500) @IsReason() reason!: string;
  @IsOptional() @IsTimestamp() expires_at?: string | null;
}
