import { IsIn, IsString, Length, ValidateIf } from 'class-validator';
import { Says } from '../../http/validation/decorators.js';
import { IsCursor, IsPageLimit, LARGEST_PAGE, PageQuery } from '../../http/validation/page-query.js';
import { isGiven } from '../../http/validation/presence.js';
import { LONGEST_TEXT } from '../../http/validation/rules.js';
import { ACCESS_STATES, type AccessState } from '../../access/index.js';

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

/** The page of `missing_given`. */
export class ComparisonQuery {
  @IsCursor() cursor?: string;
  @IsPageLimit({ usual: LARGEST_PAGE }) limit?: number;
}
