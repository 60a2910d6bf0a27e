import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsInt, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import { fieldRule, IsName, Says } from '#web/validation/decorators.js';
import { IsCursor, IsPageLimit } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';
import { notOfForm, rule } from '#web/validation/rules.js';
import { MAPPED_FIELDS, type Mapping, mappingFault } from './core/mapping.js';

const LONGEST_URL = 2_048;
const LONGEST_AUTH_HEADER = 4_096;
const SHORTEST_INTERVAL_SECONDS = 60;
const LONGEST_INTERVAL_SECONDS = 86_400;
/** The most runs in a page: each run may list a hundred errors. */
const MOST_RUNS = 100;
export const USUAL_RUNS = 20;

const IsPullUrl = () =>
  fieldRule(
    'isPullUrl',
    rule({ type: 'string', format: 'uri', maxLength: LONGEST_URL }, (value) =>
      isPullUrl(value)
        ? undefined
        : notOfForm(
            value,
            'must begin with https:// or http://, have no user name or password, and at most 2048 characters.',
          ),
    ),
  );

function isPullUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > LONGEST_URL || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const AUTH_HEADER = /^[!-~](?:[ -~]*[!-~])?$/;

/** The value of a header may contain only printable ASCII. */
const IsAuthHeader = () =>
  fieldRule(
    'isAuthHeader',
    rule({ type: 'string', maxLength: LONGEST_AUTH_HEADER, pattern: AUTH_HEADER.source }, (value) =>
      typeof value === 'string' && value.length <= LONGEST_AUTH_HEADER && AUTH_HEADER.test(value)
        ? undefined
        : notOfForm(value, 'must be 1 to 4096 printable ASCII characters.'),
    ),
  );

const MAPPED = { type: ['string', 'null'], enum: [...MAPPED_FIELDS, null] };

const IsMapping = () =>
  fieldRule('isMapping', rule({ type: 'object', additionalProperties: MAPPED }, mappingFault));

const IsInterval = () =>
  applyDecorators(Max(LONGEST_INTERVAL_SECONDS), Min(SHORTEST_INTERVAL_SECONDS), IsInt());

export class PullSourceBody {
  @Says('Text of 1 to 255 characters, none of them invisible.')
  @IsName()
  readonly name!: string;

  @Says(
    'http or https, at most 2,048 characters, without user name and password. Loopback and private addresses are refused unless the service allows them.',
  )
  @IsPullUrl()
  readonly url!: string;

  @Says(
    'Value of the `Authorization` header, printable ASCII. It is never shown again. Null: none. Left out: none.',
  )
  @IsOptional()
  @IsAuthHeader()
  readonly auth_header?: string | null;

  @Says('Seconds between two runs, 60 to 86,400.')
  @IsInterval()
  readonly interval_seconds!: number;

  @Says(
    'For each name in the source, the field of a bulk entry that it fills. Null leaves it out. A name that begins with `=` is the value itself, for every row: `{"=MAIN": "pms_location_code"}`. Without a mapping the names are the same.',
  )
  @IsOptional()
  @IsMapping()
  readonly mapping?: Mapping | null;
}

@NeedsAField()
export class PullSourceChangeBody {
  @Says('Text of 1 to 255 characters, none of them invisible. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;

  @Says(
    'http or https, at most 2,048 characters, without user name and password. Loopback and private addresses are refused unless the service allows them. Left out: it stays.',
  )
  @ValidateIf(isGiven)
  @IsPullUrl()
  readonly url?: string;

  @Says(
    'Value of the `Authorization` header, printable ASCII. It is never shown again. Null: none. Left out: it stays.',
  )
  @IsOptional()
  @IsAuthHeader()
  readonly auth_header?: string | null;

  @Says('Seconds between two runs, 60 to 86,400. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsInterval()
  readonly interval_seconds?: number;

  @Says(
    'For each name in the source, the field of a bulk entry that it fills. Null: the names are the same. Left out: it stays.',
  )
  @IsOptional()
  @IsMapping()
  readonly mapping?: Mapping | null;

  @Says('False: it runs only when somebody starts it. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly enabled?: boolean;
}

export class PullRunsQuery {
  @IsCursor() readonly cursor?: string;
  @IsPageLimit({ most: MOST_RUNS, usual: USUAL_RUNS }) readonly limit?: number;
}
