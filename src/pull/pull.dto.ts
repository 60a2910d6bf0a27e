import { IsBoolean, IsInt, IsOptional, IsString, Length, Max, Min, ValidateIf } from 'class-validator';
import { fieldRule, IsChange, isGiven, IsName, rule } from '../http/validation/index.js';
import { MAPPED_FIELDS, type Mapping, mappingFault } from './core/mapping.js';

const LONGEST_URL = 2_048;
const LONGEST_AUTH_HEADER = 4_096;
const SHORTEST_INTERVAL = 60;
const LONGEST_INTERVAL = 86_400;
/** Runs of a page: each may list a hundred errors. */
const MOST_RUNS = 100;

const IsPullUrl = () =>
  fieldRule(
    'isPullUrl',
    rule({ type: 'string', format: 'uri', maxLength: LONGEST_URL }, (value) =>
      isPullUrl(value)
        ? undefined
        : 'must be an http or https URL of at most 2048 characters, without user name and password.',
    ),
  );

function isPullUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > LONGEST_URL || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const AUTH_HEADER = /^[!-~](?:[ -~]*[!-~])?$/;

/** A header's value may hold printable ASCII: anything else would end it, or could not be sent. */
const IsAuthHeader = () =>
  fieldRule(
    'isAuthHeader',
    rule({ type: 'string', maxLength: LONGEST_AUTH_HEADER, pattern: AUTH_HEADER.source }, (value) =>
      typeof value === 'string' && value.length <= LONGEST_AUTH_HEADER && AUTH_HEADER.test(value)
        ? undefined
        : 'must be 1 to 4096 printable ASCII characters.',
    ),
  );

const MAPPED = { type: ['string', 'null'], enum: [...MAPPED_FIELDS, null] };

const IsMapping = () =>
  fieldRule('isMapping', rule({ type: 'object', additionalProperties: MAPPED }, mappingFault));

export class PullSourceBody {
  @IsName()
  readonly name!: string;

  @IsPullUrl()
  readonly url!: string;

  @IsOptional()
  @IsAuthHeader()
  readonly auth_header?: string | null;

  @IsInt()
  @Min(SHORTEST_INTERVAL)
  @Max(LONGEST_INTERVAL)
  readonly interval_seconds!: number;

  @IsOptional()
  @IsMapping()
  readonly mapping?: Mapping | null;
}

@IsChange()
export class PullSourceChangeBody {
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;

  @ValidateIf(isGiven)
  @IsPullUrl()
  readonly url?: string;

  @IsOptional()
  @IsAuthHeader()
  readonly auth_header?: string | null;

  @ValidateIf(isGiven)
  @IsInt()
  @Min(SHORTEST_INTERVAL)
  @Max(LONGEST_INTERVAL)
  readonly interval_seconds?: number;

  @IsOptional()
  @IsMapping()
  readonly mapping?: Mapping | null;

  @ValidateIf(isGiven)
  @IsBoolean()
  readonly enabled?: boolean;
}

export class PullRunsQuery {
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, 2_000)
  readonly cursor?: string;

  @ValidateIf(isGiven)
  @IsInt()
  @Min(1)
  @Max(MOST_RUNS)
  readonly limit?: number;
}
