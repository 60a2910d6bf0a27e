import { applyDecorators } from '@nestjs/common';
import { IsInt, IsString, Length, Max, Min, ValidateIf } from 'class-validator';
import { Says } from './decorators.js';
import { isGiven } from './presence.js';

/** Most items of a page. */
export const LARGEST_PAGE = 500;
export const USUAL_PAGE = 100;

export const IsCursor = () =>
  applyDecorators(
    Says(
      'The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it.',
    ),
    ValidateIf(isGiven),
    IsString(),
    Length(1, 4096),
  );

export const IsPageLimit = ({ most = LARGEST_PAGE, usual = USUAL_PAGE } = {}) =>
  applyDecorators(
    Says(`Most entries of the page, 1 to ${most.toLocaleString('en')}. Left out: ${usual}.`),
    ValidateIf(isGiven),
    IsInt(),
    Min(1),
    Max(most),
  );

/** The query of a list. Lists with filters extend it. */
export class PageQuery {
  @IsCursor() cursor?: string;
  @IsPageLimit() limit?: number;
}
