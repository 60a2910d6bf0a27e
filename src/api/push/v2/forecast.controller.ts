import { Controller, Get, Param } from '@nestjs/common';
import { FORECAST_SCHEMA } from '#api/shapes/index.js';
import { LocationForecast } from '#domain/access/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { Authenticated } from '#web/authentication.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { ForecastQuery, forecastRange } from './forecast.dto.js';

const NO_SUCH_CODE =
  'Correct the path: it takes a pms_location_code, not a location_id. GET /api/v2/company lists the codes.';

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
    if (location === undefined) throw errorOf('location_not_found', { hint: NO_SUCH_CODE });
    return envelope(await this.forecast.forecast(location, forecastRange(query), deadline));
  }
}
