import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { FORECAST_SCHEMA } from '#api/shapes/index.js';
import { BACKTEST_SCHEMA } from '#api/history/index.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly, WithoutKey } from '#web/route-options.js';
import { ValidBody, ValidQuery } from '#web/validation/parameters.js';
import { ForecastQuery } from '#api/push/index.js';
import { LocationOutlook } from './location-outlook.js';
import { BacktestBody, BacktestQuery } from './location-outlook.dto.js';

/** Shows what the calendar will change at a location, and what another policy would have changed (decisions §6). */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator/locations/:location_id')
export class LocationOutlookController {
  constructor(private readonly outlook: LocationOutlook) {}

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
    @Context() { deadline }: OperatorContext,
  ) {
    return envelope(await this.outlook.forecastAccess(location_id, query, deadline));
  }

  @Costly()
  @HttpCode(200)
  @WithoutKey()
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
    @ValidBody(BacktestBody) body: BacktestBody,
    @ValidQuery(BacktestQuery) query: BacktestQuery,
    @Context() { deadline }: OperatorContext,
  ) {
    return envelope(await this.outlook.testPolicy(location_id, body, query, deadline));
  }
}
