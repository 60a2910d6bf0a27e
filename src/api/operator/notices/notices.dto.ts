import { IsBoolean, IsInt, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { MOST_CLOSES_IN_DAYS } from '#domain/locations/index.js';
import { Says } from '#web/validation/decorators.js';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import { isGiven } from '#web/validation/presence.js';

@NeedsAField()
export class NoticesBody {
  @Says('True: a text to a tenant who has moved in. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly welcome?: boolean;

  @Says('A text so many local days before a unit closes. Null: none. Left out: it stays.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_CLOSES_IN_DAYS)
  readonly closes_in_days?: number | null;

  @Says('True: a text when a unit has closed. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly closed?: boolean;

  @Says('True: a text when a unit that had closed is open again. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly opened?: boolean;
}
