import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsString, Length, Max, Min, ValidateIf, ValidateNested } from 'class-validator';
import { FORECAST_SCHEMA, LocationForecast } from '../access/index.js';
import { BACKTEST_SCHEMA, PolicyBacktest } from '../history/index.js';
import {
  Answers,
  Context,
  Costly,
  envelope,
  ForOperators,
  isGiven,
  type OperatorContext,
  ValidBody,
  ValidQuery,
} from '../http/index.js';
import { LocationDirectory } from '../locations/index.js';
import { ForecastQuery, forecastRange } from '../push/index.js';
import { policyOf } from './facility.answers.js';
import { PolicyFields } from './facility.dto.js';
import { found } from './facility.refusals.js';

/** Units that one answer looks at, where its bounds let it. */
export const LARGEST_TRIAL = 5_000;

/** A policy to be tried out: what it does not name is as it is. */
class BacktestBody {
  @ValidateNested() @Type(() => PolicyFields) policy!: PolicyFields;
  @IsInt() @Min(1) @Max(365) days!: number;
}

class BacktestQuery {
  @ValidateIf(isGiven) @IsString() @Length(1, 4096) cursor?: string;
  @ValidateIf(isGiven) @IsInt() @Min(1) @Max(LARGEST_TRIAL) limit?: number;
}

const USUAL_PAGE = 100;

/** What the calendar will bring a location, and what another policy would have brought it (decisions §6). */
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

  /** Writes nothing. */
  @Costly()
  @HttpCode(200)
  @Post('policy-backtest')
  @Answers({
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
