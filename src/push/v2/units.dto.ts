import { IsIn, IsString, Length, ValidateIf } from 'class-validator';
import { isGiven, LONGEST_TEXT, PageQuery } from '../../http/index.js';
import { ACCESS_STATES, type AccessState } from '../../access/index.js';

/** Query of a list of units. */
export class UnitListQuery extends PageQuery {
  @ValidateIf(isGiven) @IsIn(ACCESS_STATES) state?: AccessState;
  @ValidateIf(isGiven) @IsString() @Length(1, LONGEST_TEXT) pms_location_code?: string;
}
