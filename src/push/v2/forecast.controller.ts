import { Controller, Get, Param } from '@nestjs/common';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { FORECAST_SCHEMA, LocationForecast } from '../../access/index.js';
import { errorOf } from '../../http/api-error.js';
import { type ApiTokenPrincipal, Authenticated } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { envelope } from '../../http/pipeline/answer.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { Says } from '../../http/validation/decorators.js';
import { PageQuery, USUAL_PAGE } from '../../http/validation/page-query.js';
import { isGiven } from '../../http/validation/presence.js';
import { ValidQuery } from '../../http/validation/valid.js';
import { LocationDirectory } from '../../locations/index.js';

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

/** The changes that the calendar will make at a location if nothing is written (decisions §3). */
@Authenticated('api_token')
@Controller('api/v2/locations/:pms_location_code/forecast')
export class ForecastController {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly forecast: LocationForecast,
  ) {}

  @Costly()
  @Get()
  @Answers({
    id: 'getForecast',
    description: 'What the calendar alone changes. Totals cover the location, `changes` come in pages.',
    summary: 'Read which units change state on which date, if nothing is written',
    data: FORECAST_SCHEMA,
    errors: ['location_not_found'],
  })
  async read(
    @Param('pms_location_code') code: string,
    @ValidQuery(ForecastQuery) query: ForecastQuery,
    @Context() { principal, deadline }: RequestContext<ApiTokenPrincipal>,
  ) {
    const location = await this.locations.locationByCode(principal.company_id, code);
    if (location === undefined) throw errorOf('location_not_found');
    return envelope(await this.forecast.of(location, forecastRange(query), deadline));
  }
}
