import { IsIn, ValidateIf } from 'class-validator';
import { IsTimestamp, Says } from '#web/validation/decorators.js';
import { PageQuery } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';

export class ActivityQuery extends PageQuery {
  @Says('Only entries at or after this instant. Left out: from the beginning.')
  @ValidateIf(isGiven)
  @IsTimestamp()
  from?: string;
  @Says('Only entries before this instant. Left out: up to now.')
  @ValidateIf(isGiven)
  @IsTimestamp()
  to?: string;
}

export class HistoryQuery extends ActivityQuery {
  @Says('`asc` for oldest first, `desc` for newest first. Left out: `asc`.')
  @ValidateIf(isGiven)
  @IsIn(['asc', 'desc'])
  order?: 'asc' | 'desc';
}

export class AsOfQuery {
  @Says(
    'The instant to read. Before the unit existed the answer is 404. For a future instant it is what the calendar makes of the present facts and policy, if nothing is written until then.',
  )
  @IsTimestamp()
  at!: string;
}
