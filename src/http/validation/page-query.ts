import { IsInt, IsString, Length, Max, Min, ValidateIf } from 'class-validator';
import { isGiven } from './presence.js';

/** Most that a page of a list holds. */
export const LARGEST_PAGE = 500;

/** Query of a list: which page, and how long it may be. A list that can be narrowed extends it. */
export class PageQuery {
  @ValidateIf(isGiven) @IsString() @Length(1, 4096) cursor?: string;
  @ValidateIf(isGiven) @IsInt() @Min(1) @Max(LARGEST_PAGE) limit?: number;
}
