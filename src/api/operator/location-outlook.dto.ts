import { Type } from 'class-transformer';
import { IsInt, Max, Min, ValidateNested } from 'class-validator';
import { Says } from '#web/validation/decorators.js';
import { IsCursor, IsPageLimit } from '#web/validation/page-query.js';
import { PolicyFields } from './facility.dto.js';

/** The most changes in one page. */
const LARGEST_BACKTEST_PAGE = 5_000;

export class BacktestBody {
  @Says('Fields left out are as they are now.')
  @ValidateNested()
  @Type(() => PolicyFields)
  policy!: PolicyFields;
  @Says('Days back from now, 1 to 365.')
  @IsInt()
  @Min(1)
  @Max(365)
  days!: number;
}

export class BacktestQuery {
  @IsCursor() cursor?: string;
  @IsPageLimit({ most: LARGEST_BACKTEST_PAGE }) limit?: number;
}
