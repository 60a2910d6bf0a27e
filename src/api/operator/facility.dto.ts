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
  ValidateNested,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { TOKEN_SCOPES, type TokenScope } from '#kernel/principals.js';
import type { EntryPointHours, EntryPointKind, KeyFormat, LocationPolicy } from '#domain/locations/index.js';
import { ContactBody, IsCurrency } from './contact/contact.dto.js';
import { NoticesBody } from './notices/notices.dto.js';
import { AccessHoursBody } from './hours/access-hours.dto.js';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import { ProofBody } from './operator-proof.dto.js';
import { Example, fieldRule, IsName, IsTimestamp, IsVisibleText, Says } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT, moneyRule, rule } from '#web/validation/rules.js';
import type { Fault } from '#kernel/errors/field-fault.js';
import { timeZoneNamed, zonesLike } from './time-zone.js';

const MOST_ZONES = 500;

export const IsIdList = (most: number) =>
  applyDecorators(
    MaxLength(LONGEST_TEXT, { each: true }),
    IsString({ each: true }),
    ArrayMaxSize(most),
    IsArray(),
  );

const IsTimeZone = () =>
  fieldRule(
    'isTimeZone',
    rule({ type: 'string', description: 'IANA time zone' }, (value) =>
      typeof value === 'string' && timeZoneNamed(value) !== undefined
        ? undefined
        : { code: 'unknown_value', text: `must be a time zone, like America/Chicago.${meantBy(value)}` },
    ),
  );

function meantBy(value: unknown): string {
  const zones = typeof value === 'string' ? zonesLike(value) : [];
  return zones.length === 0 ? '' : ` Did you mean ${zones.join(' or ')}?`;
}

const BELOW_ZERO: Fault = { code: 'out_of_range', text: 'must be at least 0.' };

/** A negative threshold would lock out tenants who owe nothing. */
const IsThreshold = () =>
  fieldRule(
    'isThreshold',
    rule(
      { ...moneyRule.schema, minimum: 0 },
      (value) => moneyRule(value) ?? (Number(value) < 0 ? BELOW_ZERO : undefined),
    ),
  );

export class NameBody {
  @Says('Text of 1 to 255 characters, none of them invisible.')
  @IsName()
  readonly name!: string;
}

export class NewCompanyBody extends NameBody {
  @Says(
    'True: a company to try things out, with a clock of its own and keys that open nothing. Left out: false. It cannot be changed.',
  )
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly sandbox?: boolean;
}

/** 31 days: one request must not pass the ends of two months. */
const FURTHEST_ADVANCE_SECONDS = 31 * 24 * 60 * 60;

export class ClockAdvanceBody {
  @Says('Seconds to set the clock forward, at most 31 days. It never goes back.')
  @IsInt()
  @Min(1)
  @Max(FURTHEST_ADVANCE_SECONDS)
  readonly advance_seconds!: number;
}

export class ApiTokenBody extends NameBody {
  @Says('`write`, or `read` for a token that may only read. Left out: `write`.')
  @ValidateIf(isGiven)
  @IsIn(TOKEN_SCOPES)
  readonly scope?: TokenScope;

  @Says('Instant at which the token ends, in the future. Left out or null: never.')
  @IsOptional()
  @IsTimestamp()
  readonly expires_at?: string | null;
}

/** The fields of a location's policy. */
@NeedsAField()
export class PolicyFields {
  @Says('IANA time zone. Left out: it stays; of a new location `UTC`.')
  @ValidateIf(isGiven)
  @IsTimeZone()
  readonly timezone?: string;

  @Says(
    'Whole calendar days after `paid_through_date` before a debt denies. Left out: it stays; of a new location 5.',
  )
  @ValidateIf(isGiven)
  @IsInt()
  @Min(0)
  @Max(90)
  readonly grace_period_days?: number;

  @Says('A balance up to this amount denies nobody. Left out: it stays; of a new location 0.')
  @ValidateIf(isGiven)
  @IsThreshold()
  readonly balance_threshold?: number;

  @Says(
    "True: one delinquent unit denies the tenant's other units there. Left out: it stays; of a new location true.",
  )
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly blanket_delinquency?: boolean;

  @Says(
    '`automatic`, or `pms_flag_only`: debts never deny by themselves. Left out: it stays; of a new location `automatic`.',
  )
  @ValidateIf(isGiven)
  @IsIn(['automatic', 'pms_flag_only'])
  readonly delinquency_mode?: LocationPolicy['delinquency_mode'];
}

export class NewLocationBody extends PolicyFields {
  @Says('The code of the PMS, unique in the company. A taken one is refused. It cannot be changed.')
  @IsName()
  readonly pms_location_code!: string;

  @Says('Text of 1 to 255 characters, none of them invisible.')
  @IsName()
  readonly name!: string;
}

@NeedsAField()
export class LocationPolicyBody extends PolicyFields {
  @Says('Text of 1 to 255 characters, none of them invisible. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;
}

@NeedsAField()
export class LocationChangeBody extends LocationPolicyBody {
  @Says('When its gates are open, in its time zone: replaces all hours. Null: always. Left out: they stay.')
  @IsOptional()
  @ValidateNested()
  @Type(() => AccessHoursBody)
  readonly access_hours?: AccessHoursBody | null;

  @Says('How tenants reach the location. Fields left out stay.')
  @ValidateIf(isGiven)
  @ValidateNested()
  @Type(() => ContactBody)
  readonly contact?: ContactBody;

  @Says('ISO 4217, with two decimals. Amounts stay as they are. Left out: it stays.')
  @ValidateIf(isGiven)
  @Example('EUR')
  @IsCurrency()
  readonly currency?: string;

  @Says('Which texts its tenants get. Fields left out stay.')
  @ValidateIf(isGiven)
  @ValidateNested()
  @Type(() => NoticesBody)
  readonly notices?: NoticesBody;

  @Says(
    'True: tenants share their units by themselves. False: no new invitation, and none is accepted; shares that were accepted stay. Left out: it stays.',
  )
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly tenant_sharing?: boolean;

  @Says('Proves again who asks. Needed for `contact.payment_url`, otherwise not used.')
  @ValidateIf(isGiven)
  @ValidateNested()
  @Type(() => ProofBody)
  readonly proof?: ProofBody;
}

const KEY_FORMATS: readonly KeyFormat[] = [1, 3];

const IsKeyFormat = () =>
  fieldRule(
    'isKeyFormat',
    rule({ type: 'integer', enum: KEY_FORMATS }, (value) =>
      KEY_FORMATS.includes(value as KeyFormat)
        ? undefined
        : { code: 'unknown_value', text: `must be one of ${KEY_FORMATS.join(', ')}.` },
    ),
  );

const ENTRY_POINT_HOURS: readonly EntryPointHours[] = ['location', 'always'];

export class DryRunQuery {
  @Says('`true`: answers what would happen, and writes nothing. Left out: `false`.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly dry_run?: boolean;
}

export class NewEntryPointBody extends NameBody {
  @Says('It cannot be changed.')
  @IsIn(['gate', 'door', 'elevator'])
  readonly kind!: EntryPointKind;

  @Says('The zones that it opens to, at most 500. A tenant with a permitted unit in one of them may pass.')
  @IsIdList(MOST_ZONES)
  readonly zone_ids!: readonly string[];

  @Says('`location`: it keeps the hours of its location. `always`: it has none. Left out: `location`.')
  @ValidateIf(isGiven)
  @IsIn(ENTRY_POINT_HOURS)
  readonly hours?: EntryPointHours;

  @Says('The format of keys that its reader knows, see docs/locks.md. Left out: 1.')
  @ValidateIf(isGiven)
  @IsKeyFormat()
  readonly key_format?: KeyFormat;
}

@NeedsAField()
export class EntryPointChangeBody {
  @Says('Text of 1 to 255 characters, none of them invisible. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;

  @Says('All its zones, at most 500. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsIdList(MOST_ZONES)
  readonly zone_ids?: readonly string[];

  @Says('False: it opens to nobody. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly in_service?: boolean;

  @Says('`location`: it keeps the hours of its location. `always`: it has none. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsIn(ENTRY_POINT_HOURS)
  readonly hours?: EntryPointHours;

  @Says('The format of keys that its reader knows, see docs/locks.md. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsKeyFormat()
  readonly key_format?: KeyFormat;
}

export class NewLockBody extends NameBody {
  @Says("The maker's serial number. No other lock of the location may have it. Left out or null: not known.")
  @IsOptional()
  @IsVisibleText()
  readonly serial?: string | null;

  @Says('The format of keys that it knows, see docs/locks.md. Left out: 1.')
  @ValidateIf(isGiven)
  @IsKeyFormat()
  readonly key_format?: KeyFormat;
}

@NeedsAField()
export class LockChangeBody {
  @Says('Text of 1 to 255 characters, none of them invisible. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;

  @Says('The format of keys that it knows, see docs/locks.md. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsKeyFormat()
  readonly key_format?: KeyFormat;
}

export class LockReplacementBody {
  @Says(
    'A lock of the location that is on no unit. Left out: a new lock is added, which `name` or `serial` must name.',
  )
  @ValidateIf(isGiven)
  @IsString()
  @MaxLength(LONGEST_TEXT)
  readonly lock_id?: string;

  @Says('The name of the new lock. Left out: that of the lock that it replaces. Not with `lock_id`.')
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;

  @Says(
    "The maker's serial number of the new lock. No other lock of the location may have it. Left out or null: not known. Not with `lock_id`.",
  )
  @IsOptional()
  @IsVisibleText()
  readonly serial?: string | null;

  @Says('The format of keys that the new lock knows, see docs/locks.md. Left out: 1. Not with `lock_id`.')
  @ValidateIf(isGiven)
  @IsKeyFormat()
  readonly key_format?: KeyFormat;
}
