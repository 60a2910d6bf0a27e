import { IsIn, IsString, Length, ValidateIf } from 'class-validator';
import { Says } from '#web/validation/decorators.js';
import { IsCursor, IsPageLimit, LARGEST_PAGE, PageQuery } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';
import { ACCESS_STATES, type AccessState } from '#domain/access/index.js';

export class UnitListQuery extends PageQuery {
  @Says('Only units in this state now. Left out: all.')
  @ValidateIf(isGiven)
  @IsIn(ACCESS_STATES)
  state?: AccessState;
  @Says('The code of the location. Left out: all locations.')
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, LONGEST_TEXT)
  pms_location_code?: string;
}

/** Which page of the units that the PMS did not name (`missing_given` of a comparison). */
export class ComparisonQuery {
  @IsCursor() cursor?: string;
  @IsPageLimit({ usual: LARGEST_PAGE }) limit?: number;
}
