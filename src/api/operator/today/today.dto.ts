import { IsIn, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { ACCESS_REASONS, type AccessReason } from '#domain/access/index.js';
import { FED_TYPES } from '#domain/history/index.js';
import { IsUlid, Says } from '#web/validation/decorators.js';
import { PageQuery } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';

export class ChangesQuery extends PageQuery {
  @Says('Only events of this type. Left out: all.')
  @ValidateIf(isGiven)
  @IsIn(FED_TYPES)
  type?: string;
}

export class TodayQuery {
  @Says('`locked_out.first` and `in_auction.first` list only units of this location. Left out: of all.')
  @ValidateIf(isGiven)
  @IsUlid()
  location_id?: string;
  @Says('The same lists name only units with this reason. Units in auction have none. Left out: with any.')
  @ValidateIf(isGiven)
  @IsIn(ACCESS_REASONS)
  reason?: AccessReason;
  @Says('`locked_out.next_skip` of the page before. Left out: 0.')
  @ValidateIf(isGiven)
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  skip?: number;
}
