import { Injectable } from '@nestjs/common';
import { LocationForecast } from '#domain/access/index.js';
import { PolicyBacktest } from '#domain/history/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { type ForecastQuery, forecastRange } from '#api/push/index.js';
import type { OperatorContext } from '#web/request-context.js';
import { USUAL_PAGE } from '#web/validation/page-query.js';
import { policyOf } from './facility.answers.js';
import { found } from './facility.refusals.js';
import type { BacktestBody, BacktestQuery } from './location-outlook.dto.js';

type Deadline = OperatorContext['deadline'];

/** What the calendar will change at a location, and what another policy would have changed (decisions §6). */
@Injectable()
export class LocationOutlook {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly forecast: LocationForecast,
    private readonly backtest: PolicyBacktest,
  ) {}

  /** @throws ApiError 404 */
  async forecastAccess(location_id: string, query: ForecastQuery, deadline: Deadline) {
    const location = found(await this.locations.location(location_id), 'location_not_found');
    return this.forecast.forecast(location, forecastRange(query), deadline);
  }

  /** Fields of the policy that are left out are as they are now. Writes nothing. @throws ApiError 404 */
  async testPolicy(
    location_id: string,
    { policy, days }: BacktestBody,
    { cursor, limit = USUAL_PAGE }: BacktestQuery,
    deadline: Deadline,
  ) {
    const location = found(await this.locations.location(location_id), 'location_not_found');
    const proposed = { ...location.policy, ...policyOf(policy) };
    return this.backtest.testPolicy(location, proposed, { days, limit, cursor }, deadline);
  }
}
