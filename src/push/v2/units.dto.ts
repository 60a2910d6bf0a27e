import { IsIn, IsString, Length, ValidateIf } from 'class-validator';
import {
  isGiven,
  IsCursor,
  IsPageLimit,
  LARGEST_PAGE,
  LONGEST_TEXT,
  PageQuery,
  Says,
} from '../../http/index.js';
import { ACCESS_STATES, type AccessState } from '../../access/index.js';

/** Query of a list of units. */
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

/** Query of a comparison: the page of `missing_given`. */
export class ComparisonQuery {
  @IsCursor() cursor?: string;
  @IsPageLimit({ usual: LARGEST_PAGE }) limit?: number;
}
