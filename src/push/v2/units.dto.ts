import { IsIn, IsInt, IsString, Length, Max, Min, ValidateIf } from 'class-validator';
import { isGiven, LARGEST_PAGE, LONGEST_TEXT } from '../../http/index.js';
import { ACCESS_STATES, type AccessState } from '../../access/index.js';

/** Query of a list of units. */
export class UnitListQuery {
  @ValidateIf(isGiven) @IsString() @Length(1, 4096) cursor?: string;
  @ValidateIf(isGiven) @IsInt() @Min(1) @Max(LARGEST_PAGE) limit?: number;
  @ValidateIf(isGiven) @IsIn(ACCESS_STATES) state?: AccessState;
  @ValidateIf(isGiven) @IsString() @Length(1, LONGEST_TEXT) pms_location_code?: string;
}
