import { IsOneOf, IsText, IsWhole, Optional } from '../../http/index.js';
import { ACCESS_STATES, type AccessState } from '../../access/index.js';

const LARGEST_PAGE = 500;

/** Query of a list of units. */
export class UnitListQuery {
  @Optional() @IsText({ min: 1, max: 4096 }) cursor?: string;
  @Optional() @IsWhole({ min: 1, max: LARGEST_PAGE }) limit?: number;
  @Optional() @IsOneOf(ACCESS_STATES) state?: AccessState;
  @Optional() @IsText({ min: 1 }) pms_location_code?: string;
}
