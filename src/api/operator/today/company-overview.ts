import { Injectable } from '@nestjs/common';
import { type OperatorScope, placesOf } from '#kernel/principals.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { OperatorContext } from '#web/request-context.js';
import { USUAL_PAGE } from '#web/validation/page-query.js';
import { CompanyClocks, CompanyDirectory } from '#domain/companies/index.js';
import { CompanyChanges } from '#domain/history/index.js';
import { found } from '../facility.refusals.js';
import { CHANGES_SPAN, CompanyToday, STAFF_SPAN } from './company-today.js';
import type { ChangesQuery, TodayQuery } from './today.dto.js';

/** What an operator reads of a company in the morning (decisions §6). */
@Injectable()
export class CompanyOverview {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly digest: CompanyToday,
    private readonly recent: CompanyChanges,
    private readonly clocks: CompanyClocks,
  ) {}

  /** @param most units to call that are listed; absent: as many as of each list @throws ApiError 404 */
  async readToday(
    company_id: string,
    wanted: TodayQuery,
    { principal, deadline }: Pick<OperatorContext, 'principal' | 'deadline'>,
    most?: number,
  ) {
    const company = found(await this.companies.company(company_id), 'company_not_found');
    return this.digest.readToday(company_id, this.clocks.clockOf(company), {
      scope: principal,
      deadline,
      wanted,
      most,
    });
  }

  /** The events of the last 24 hours, or what staff did in the last 31 days, the newest first. @throws ApiError 404 */
  async listChanges(
    company_id: string,
    { limit = USUAL_PAGE, from, to, ...query }: ChangesQuery,
    scope: OperatorScope,
  ) {
    const company = found(await this.companies.company(company_id), 'company_not_found');
    const clock = this.clocks.clockOf(company);
    const span = isOfStaff(query) ? STAFF_SPAN : CHANGES_SPAN;
    const range = {
      ...query,
      from: from === undefined ? undefined : Date.parse(from),
      to: to === undefined ? undefined : Date.parse(to),
      since: clock.now() - span,
      ahead: clock.ahead,
      limit,
      locations: placesOf(scope).locations,
    };
    const { since, ...page } = await this.recent.page(company_id, range);
    return { ...page, since: toTimestamp(since) };
  }
}

function isOfStaff({ actor, operator_id }: Pick<ChangesQuery, 'actor' | 'operator_id'>): boolean {
  return actor === 'operator' || operator_id !== undefined;
}
