import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, Max, Min, ValidateNested } from 'class-validator';
import { FORECAST_SCHEMA, LocationForecast } from '../access/index.js';
import { BACKTEST_SCHEMA, PolicyBacktest } from '../history/index.js';
import { Answers } from '../http/openapi/answers.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../http/request-context.js';
import { Costly } from '../http/route-options.js';
import { Says } from '../http/validation/decorators.js';
import { IsCursor, IsPageLimit, USUAL_PAGE } from '../http/validation/page-query.js';
import { ValidBody, ValidQuery } from '../http/validation/valid.js';
import { LocationDirectory } from '../locations/index.js';
import { ForecastQuery, forecastRange } from '../push/index.js';
import { policyOf } from './facility.answers.js';
import { PolicyFields } from './facility.dto.js';
import { found } from './facility.refusals.js';

/** The most changes in one page. */
const LARGEST_BACKTEST_PAGE = 5_000;

class BacktestBody {
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

class BacktestQuery {
  @IsCursor() cursor?: string;
  @IsPageLimit({ most: LARGEST_BACKTEST_PAGE }) limit?: number;
}

/** Shows what the calendar will change at a location, and what another policy would have changed (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/locations/:location_id')
export class LocationOutlookController {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly forecast: LocationForecast,
    private readonly backtest: PolicyBacktest,
  ) {}

  @Costly()
  @Get('forecast')
  @Answers({
    id: 'getLocationForecast',
    description:
      'The changes that the calendar alone makes. Totals cover the location, `changes` come in pages.',
    summary: 'Read which units change state on which date, if nothing is written',
    data: FORECAST_SCHEMA,
    errors: ['location_not_found'],
  })
  async foresee(
    @Param('location_id') location_id: string,
    @ValidQuery(ForecastQuery) query: ForecastQuery,
    @Context() { deadline }: Pick<OperatorContext, 'deadline'>,
  ) {
    const location = found(await this.locations.location(location_id), 'location_not_found');
    return envelope(await this.forecast.of(location, forecastRange(query), deadline));
  }

  @Costly()
  @HttpCode(200)
  @Post('policy-backtest')
  @Answers({
    id: 'backtestPolicy',
    description:
      'Answers who would have been denied or spared, by changes of access: totals first, then pages of changes by unit. Writes nothing. Send the same body with `next_cursor` for the next page.',
    summary: 'Try out another policy on what happened',
    data: BACKTEST_SCHEMA,
    errors: ['location_not_found'],
  })
  async tryOut(
    @Param('location_id') location_id: string,
    @ValidBody(BacktestBody) { policy, days }: BacktestBody,
    @ValidQuery(BacktestQuery) { cursor, limit = USUAL_PAGE }: BacktestQuery,
    @Context() { deadline }: Pick<OperatorContext, 'deadline'>,
  ) {
    const location = found(await this.locations.location(location_id), 'location_not_found');
    const proposed = { ...location.policy, ...policyOf(policy) };
    return envelope(await this.backtest.of(location, proposed, { days, limit, cursor }, deadline));
  }
}
