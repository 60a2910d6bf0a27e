import { TOKEN_SCOPES, type TokenScope } from '../http/authentication.js';
import type { EntryPointKind, LocationPolicy } from '../locations/index.js';
import {
  fieldRule,
  IsFlag,
  IsListOfText,
  IsOneOf,
  IsText,
  IsTimestamp,
  IsWhole,
  Nullable,
  Optional,
  Required,
} from '../http/validation/index.js';
import { moneyRule, nameRule } from '../http/validation/rules.js';
import { timeZoneNamed } from './time-zone.js';

const MOST_ZONES = 500;

const text = nameRule();

/** Text of at most 255 characters that is not blank: what people know a thing by. */
const IsName = () =>
  fieldRule('isName', (value) =>
    typeof value === 'string' && value.trim() === '' ? 'is required.' : text(value),
  );

const IsTimeZone = () =>
  fieldRule('isTimeZone', (value) =>
    typeof value === 'string' && timeZoneNamed(value) !== undefined
      ? undefined
      : 'must be a valid IANA time zone.',
  );

/** An amount that a balance must exceed; below zero it would lock out tenants who owe nothing. */
const IsThreshold = () =>
  fieldRule(
    'isThreshold',
    (value) => moneyRule(value) ?? (Number(value) < 0 ? 'must be at least 0.' : undefined),
  );

export class NameBody {
  @Required()
  @IsName()
  readonly name!: string;
}

export class ApiTokenBody extends NameBody {
  @Optional()
  @IsOneOf(TOKEN_SCOPES)
  readonly scope?: TokenScope;

  @Nullable()
  @IsTimestamp()
  readonly expires_at?: string | null;
}

export class PageQuery {
  @Optional()
  @IsText({ min: 1, max: 2_000 })
  readonly cursor?: string;

  @Optional()
  @IsWhole({ min: 1, max: 500 })
  readonly limit?: number;
}

class PolicyFields {
  @Optional()
  @IsTimeZone()
  readonly timezone?: string;

  @Optional()
  @IsWhole({ min: 0, max: 90 })
  readonly grace_period_days?: number;

  /** A decimal amount. */
  @Optional()
  @IsThreshold()
  readonly balance_threshold?: number;

  @Optional()
  @IsFlag()
  readonly blanket_delinquency?: boolean;

  @Optional()
  @IsOneOf(['automatic', 'pms_flag_only'])
  readonly delinquency_mode?: LocationPolicy['delinquency_mode'];
}

export class NewLocationBody extends PolicyFields {
  @Required()
  @IsName()
  readonly pms_location_code!: string;

  @Required()
  @IsName()
  readonly name!: string;
}

export class LocationChangeBody extends PolicyFields {
  @Optional()
  @IsName()
  readonly name?: string;
}

export class NewEntryPointBody {
  @Required()
  @IsName()
  readonly name!: string;

  @Required()
  @IsOneOf(['gate', 'door', 'elevator'])
  readonly kind!: EntryPointKind;

  @Required()
  @IsListOfText({ max: MOST_ZONES })
  readonly zone_ids!: readonly string[];
}

export class EntryPointChangeBody {
  @Optional()
  @IsName()
  readonly name?: string;

  @Optional()
  @IsListOfText({ max: MOST_ZONES })
  readonly zone_ids?: readonly string[];

  @Optional()
  @IsFlag()
  readonly in_service?: boolean;
}

export class NewLockBody {
  @Required()
  @IsName()
  readonly name!: string;

  @Nullable()
  @IsText({ min: 1 })
  readonly serial?: string | null;
}
