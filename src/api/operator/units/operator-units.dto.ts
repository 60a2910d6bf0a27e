import { IsBoolean, IsIn, IsOptional, IsString, Length, MaxLength, ValidateIf } from 'class-validator';
import { ACCESS_REASONS, ACCESS_STATES, type AccessReason, type AccessState } from '#domain/access/index.js';
import { OVERRIDE_VALUES, type OverrideValue } from '#domain/units/index.js';
import {
  Example,
  fieldRule,
  IsIdentifier,
  IsName,
  IsTypedPhone,
  IsTimestamp,
  Says,
} from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT, rule } from '#web/validation/rules.js';
import { FILLED_TEXT, showsSomething } from '#web/validation/text-patterns.js';
import { ScopeQuery } from '../search-scope.js';

export class UnitSearchQuery extends ScopeQuery {
  @Says('Only units in this state now. Left out: all.')
  @ValidateIf(isGiven)
  @IsIn(ACCESS_STATES)
  state?: AccessState;
  @Says('Only units with this reason now. Left out: all.')
  @ValidateIf(isGiven)
  @IsIn(ACCESS_REASONS)
  reason?: AccessReason;
  @Says('`true`: only retired units. Left out: only others.')
  @ValidateIf(isGiven)
  @IsBoolean()
  retired?: boolean;
  @Says(
    "The beginning of a word or number of the unit's name, of its key, or of a word of its tenant's name, letters of any case; several words in any order. Left out: all units.",
  )
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, LONGEST_TEXT)
  q?: string;
}

export class NewUnitBody {
  @Says('Key of the unit: 1 to 128 characters, unique in the company. A taken one is refused.')
  @IsIdentifier()
  crm_unit_id!: string;
  @Says('The name that people read, 1 to 255 characters. Left out: the `crm_unit_id`.')
  @ValidateIf(isGiven)
  @IsName()
  unit_name?: string;
}

export class TransferBody {
  @Says('`unit_id` of a vacant standalone unit of the same location.')
  @IsString()
  @Length(1, LONGEST_TEXT)
  to_unit_id!: string;
}

export class UnitNameBody {
  @Says('The new name. Text of 1 to 255 characters, none of them invisible.')
  @IsName()
  unit_name!: string;
}

/** Text that is not blank: an auditor needs the reason of an override. */
const IsReason = () =>
  fieldRule(
    'isReason',
    rule({ type: 'string', minLength: 1, pattern: FILLED_TEXT }, (value) => {
      if (typeof value !== 'string') return { code: 'type', text: 'must be a string.' };
      return showsSomething(value) ? undefined : { code: 'required', text: 'is required.' };
    }),
  );

export class ShareBody {
  @Says(
    'Instant at which the share ends by itself, in the future and at most 366 days ahead. It replaces the end of a share that there is. Left out or null: it ends when it is ended, or with the tenancy.',
  )
  @IsOptional()
  @IsTimestamp()
  until?: string | null;
}

export class NewPersonShareBody extends ShareBody {
  @Says('Full name. Text of 1 to 255 characters, none of them invisible.')
  @IsName()
  name!: string;
  @Says(
    'The number that the person signs in with, as people type it: `(312) 555-0188`, or with +, 00 or 011. The number of an account at the location is refused: share with that account.',
  )
  @Example('+13125550188')
  @IsTypedPhone()
  phone!: string;
}

export class OverrideBody {
  @Says('`lockout` denies, `exempt` permits, whatever the PMS says. It replaces the present override.')
  @IsIn(OVERRIDE_VALUES)
  override!: OverrideValue;
  @Says('Why, for auditors: 1 to 500 characters, not blank, nothing personal.')
  @IsString()
  @MaxLength(500)
  @IsReason()
  reason!: string;
  @Says('Instant in the future at which the override ends. Left out or null: it ends when it is cleared.')
  @IsOptional()
  @IsTimestamp()
  expires_at?: string | null;
}
