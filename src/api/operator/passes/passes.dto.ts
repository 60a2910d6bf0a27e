import { Type } from 'class-transformer';
import { IsIn, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { PASS_REASONS, type PassReason } from '#domain/passes/index.js';
import {
  Example,
  IsName,
  IsTypedPhone,
  IsTimestamp,
  IsVisibleText,
  Says,
} from '#web/validation/decorators.js';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import { PageQuery } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';
import { IsIdList } from '../facility.dto.js';
import { WeekBody } from '../hours/access-hours.dto.js';

export const MOST_UNITS_OF_PASS = 100;
const MOST_ENTRY_POINTS_OF_PASS = 200;
const LONGEST_NOTE = 500;

const NAME =
  'The holder: a person or a company. Text of 1 to 255 characters, none of them invisible. It is a record that an erasure clears.';
const PHONE =
  'The number that the holder signs in with, as people type it: `(312) 555-0142`, or with +, 00 or 011. All passes of one number in a company belong to one account.';
const NOTE = 'For operators, at most 500 characters. It is a record that an erasure clears.';
const UNITS =
  '`unit_id` of units of the location that nobody rents, or that are in auction, at most 100. A unit that is let drops out.';

export class NewPassBody {
  @Says(NAME)
  @IsName()
  readonly name!: string;

  @Says(PHONE)
  @Example('+13125550142')
  @IsTypedPhone()
  readonly phone!: string;

  @Says('`entry_point_id` of entry points of the location. Left out: none. It needs one of these or a unit.')
  @ValidateIf(isGiven)
  @IsIdList(MOST_ENTRY_POINTS_OF_PASS)
  readonly entry_point_ids?: readonly string[];

  @Says(`${UNITS} Left out: none.`)
  @ValidateIf(isGiven)
  @IsIdList(MOST_UNITS_OF_PASS)
  readonly unit_ids?: readonly string[];

  @Says('Instant from which it opens. Left out, null or past: now.')
  @IsOptional()
  @IsTimestamp()
  readonly from?: string | null;

  @Says('Instant at which it ends by itself: after `from`, and at most 366 days ahead.')
  @IsTimestamp()
  readonly until!: string;

  @Says(
    'When it opens entry points, in the time zone of the location, in place of their own hours. Left out or null: their own hours.',
  )
  @IsOptional()
  @ValidateNested()
  @Type(() => WeekBody)
  readonly hours?: WeekBody | null;

  @Says('What it is for.')
  @IsIn(PASS_REASONS)
  readonly reason!: PassReason;

  @Says(`${NOTE} Left out or null: none.`)
  @IsOptional()
  @IsVisibleText({ max: LONGEST_NOTE })
  readonly note?: string | null;
}

/** Absent fields do not change. */
@NeedsAField()
export class PassChangeBody {
  @Says(`${NAME} Left out: it stays.`)
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;

  @Says(`${PHONE} Another number gives the pass to another account. Left out: it stays.`)
  @Example('+13125550142')
  @ValidateIf(isGiven)
  @IsTypedPhone()
  readonly phone?: string;

  @Says('`entry_point_id` of entry points of the location, all of them. Left out: they stay.')
  @ValidateIf(isGiven)
  @IsIdList(MOST_ENTRY_POINTS_OF_PASS)
  readonly entry_point_ids?: readonly string[];

  @Says(`${UNITS} All of them. Left out: they stay.`)
  @ValidateIf(isGiven)
  @IsIdList(MOST_UNITS_OF_PASS)
  readonly unit_ids?: readonly string[];

  @Says(
    'Instant from which it opens. Null or past: now, unless it has begun. Left out: it stays. A pass that has begun may be put off.',
  )
  @IsOptional()
  @IsTimestamp()
  readonly from?: string | null;

  @Says('Instant at which it ends by itself: in the future, and at most 366 days ahead. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsTimestamp()
  readonly until?: string;

  @Says('Hours of its own. Null: those of the entry points. Left out: they stay.')
  @IsOptional()
  @ValidateNested()
  @Type(() => WeekBody)
  readonly hours?: WeekBody | null;

  @Says('What it is for. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsIn(PASS_REASONS)
  readonly reason?: PassReason;

  @Says(`${NOTE} Null: it is cleared. Left out: it stays.`)
  @IsOptional()
  @IsVisibleText({ max: LONGEST_NOTE })
  readonly note?: string | null;
}

const LISTED = ['present', 'ended'] as const;

export class PassListQuery extends PageQuery {
  @Says(
    '`present`: passes in force or to come. `ended`: passes that have ended, the last first. Left out: `present`.',
  )
  @ValidateIf(isGiven)
  @IsIn(LISTED)
  standing?: (typeof LISTED)[number];
}
