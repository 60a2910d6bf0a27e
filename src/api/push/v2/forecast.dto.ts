import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { Says } from '#web/validation/decorators.js';
import { PageQuery, USUAL_PAGE } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';

const USUAL_DAYS = 30;

export class ForecastQuery extends PageQuery {
  @Says('Days to look ahead, from today. 1 to 60. Left out: 30.')
  @ValidateIf(isGiven)
  @IsInt()
  @Min(1)
  @Max(60)
  days?: number;
}

export function forecastRange({ days = USUAL_DAYS, limit = USUAL_PAGE, cursor }: ForecastQuery) {
  return { days, limit, cursor };
}
