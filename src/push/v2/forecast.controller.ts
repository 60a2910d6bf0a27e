import { Controller, Get, Param } from '@nestjs/common';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { FORECAST_SCHEMA, LocationForecast } from '../../access/index.js';
import {
  Answers,
  type ApiTokenPrincipal,
  Authenticated,
  Context,
  Costly,
  envelope,
  isGiven,
  notFound,
  PageQuery,
  type RequestContext,
  Says,
  USUAL_PAGE,
  ValidQuery,
} from '../../http/index.js';
import { LocationDirectory } from '../../locations/index.js';

const USUAL_DAYS = 30;

/** Query of a forecast. */
export class ForecastQuery extends PageQuery {
  @Says('Days to look ahead, from today. 1 to 60. Left out: 30.')
  @ValidateIf(isGiven)
  @IsInt()
  @Min(1)
  @Max(60)
  days?: number;
}

/** The range that a query asks for. */
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
    if (location === undefined) throw notFound('Location not found.');
    return envelope(await this.forecast.of(location, forecastRange(query), deadline));
  }
}
