import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { TOKEN_SCOPES, type TokenScope } from '../http/authentication.js';
import type { EntryPointKind, LocationPolicy } from '../locations/index.js';
import {
  fieldRule,
  FILLED_VISIBLE_TEXT,
  IsChange,
  isGiven,
  IsTimestamp,
  IsVisibleText,
  LONGEST_TEXT,
  rule,
} from '../http/validation/index.js';
import { moneyRule, nameRule } from '../http/validation/rules.js';
import { timeZoneNamed } from './time-zone.js';

const MOST_ZONES = 500;

const text = nameRule();

/** Text of at most 255 characters that is not blank: what people know a thing by. */
const IsName = () =>
  fieldRule(
    'isName',
    rule({ ...text.schema, pattern: FILLED_VISIBLE_TEXT }, (value) =>
      typeof value === 'string' && value.trim() === '' ? 'is required.' : text(value),
    ),
  );

const IsTimeZone = () =>
  fieldRule(
    'isTimeZone',
    rule({ type: 'string', description: 'IANA time zone' }, (value) =>
      typeof value === 'string' && timeZoneNamed(value) !== undefined
        ? undefined
        : 'must be a valid IANA time zone.',
    ),
  );

/** An amount that a balance must exceed; below zero it would lock out tenants who owe nothing. */
const IsThreshold = () =>
  fieldRule(
    'isThreshold',
    rule(
      { ...moneyRule.schema, minimum: 0 },
      (value) => moneyRule(value) ?? (Number(value) < 0 ? 'must be at least 0.' : undefined),
    ),
  );

export class NameBody {
  @IsName()
  readonly name!: string;
}

export class NewCompanyBody extends NameBody {
  /** A company to try things out in: it has a clock of its own, and keys that open nothing. */
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly sandbox?: boolean;
}

/** 31 days: no two ends of a month may be passed at once. */
const FURTHEST_ADVANCE = 31 * 24 * 60 * 60;

export class ClockAdvanceBody {
  @IsInt()
  @Min(1)
  @Max(FURTHEST_ADVANCE)
  readonly advance_seconds!: number;
}

export class ApiTokenBody extends NameBody {
  @ValidateIf(isGiven)
  @IsIn(TOKEN_SCOPES)
  readonly scope?: TokenScope;

  @IsOptional()
  @IsTimestamp()
  readonly expires_at?: string | null;
}

/** The fields of a location's policy. */
@IsChange()
export class PolicyFields {
  @ValidateIf(isGiven)
  @IsTimeZone()
  readonly timezone?: string;

  @ValidateIf(isGiven)
  @IsInt()
  @Min(0)
  @Max(90)
  readonly grace_period_days?: number;

  /** A decimal amount. */
  @ValidateIf(isGiven)
  @IsThreshold()
  readonly balance_threshold?: number;

  @ValidateIf(isGiven)
  @IsBoolean()
  readonly blanket_delinquency?: boolean;

  @ValidateIf(isGiven)
  @IsIn(['automatic', 'pms_flag_only'])
  readonly delinquency_mode?: LocationPolicy['delinquency_mode'];
}

export class NewLocationBody extends PolicyFields {
  @IsName()
  readonly pms_location_code!: string;

  @IsName()
  readonly name!: string;
}

@IsChange()
export class LocationChangeBody extends PolicyFields {
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;
}

export class NewEntryPointBody {
  @IsName()
  readonly name!: string;

  @IsIn(['gate', 'door', 'elevator'])
  readonly kind!: EntryPointKind;

  @IsArray()
  @ArrayMaxSize(MOST_ZONES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TEXT, { each: true })
  readonly zone_ids!: readonly string[];
}

@IsChange()
export class EntryPointChangeBody {
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;

  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(MOST_ZONES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TEXT, { each: true })
  readonly zone_ids?: readonly string[];

  @ValidateIf(isGiven)
  @IsBoolean()
  readonly in_service?: boolean;
}

export class NewLockBody {
  @IsName()
  readonly name!: string;

  @IsOptional()
  @IsVisibleText()
  readonly serial?: string | null;
}
