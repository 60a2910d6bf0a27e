import { IsIn, IsInt, IsString, Length, Max, Min, ValidateIf } from 'class-validator';
import { isGiven, IsTimestamp, LARGEST_PAGE, PageQuery } from '../http/index.js';

export const USUAL_PAGE = 100;

/** Query of a unit's history. */
export class HistoryQuery {
  @ValidateIf(isGiven) @IsString() @Length(1, 4096) cursor?: string;
  @ValidateIf(isGiven) @IsInt() @Min(1) @Max(LARGEST_PAGE) limit?: number;
  @ValidateIf(isGiven) @IsTimestamp() from?: string;
  @ValidateIf(isGiven) @IsTimestamp() to?: string;
  @ValidateIf(isGiven) @IsIn(['asc', 'desc']) order?: 'asc' | 'desc';
}

/** Query of what was reported. */
export class ActivityQuery extends PageQuery {
  @ValidateIf(isGiven) @IsTimestamp() from?: string;
  @ValidateIf(isGiven) @IsTimestamp() to?: string;
}

/** Query of a unit at an instant. */
export class AsOfQuery {
  @IsTimestamp() at!: string;
}
