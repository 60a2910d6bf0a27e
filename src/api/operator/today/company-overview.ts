import { Injectable } from '@nestjs/common';
import { type OperatorScope, placesOf } from '#kernel/principals.js';
import type { OperatorContext } from '#web/request-context.js';
import { USUAL_PAGE } from '#web/validation/page-query.js';
import { CompanyClocks, CompanyDirectory } from '#domain/companies/index.js';
import { CompanyChanges, type PartOfChanges } from '#domain/history/index.js';
import { found } from '../facility.refusals.js';
import { CHANGES_SPAN, CompanyToday } from './company-today.js';
import { isOfStaff } from './staff-kinds.js';
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

  /** A page of {@link openChanges}. @throws ApiError 404 @throws InvalidCursorError */
  async listChanges(
    company_id: string,
    { limit = USUAL_PAGE, cursor, ...query }: ChangesQuery,
    scope: OperatorScope,
  ) {
    const changes = await this.openChanges(company_id, query, scope);
    return changes.page({ limit, cursor });
  }

  /**
   * The events of the last 24 hours, or all that staff ever did, the newest first. Those of the last 24 hours are read once
   * from the log, for all of their pages.
   * @param wholeRequests a page of staff goes on beyond its limit to the end of what one request changed
   * @throws ApiError 404
   */
  async openChanges(
    company_id: string,
    { from, to, ...query }: Omit<ChangesQuery, keyof PartOfChanges>,
    scope: OperatorScope,
    wholeRequests = false,
  ) {
    const company = found(await this.companies.company(company_id), 'company_not_found');
    const clock = this.clocks.clockOf(company);
    const { actor, ...others } = query;
    const range = {
      ...others,
      from: from === undefined ? undefined : Date.parse(from),
      to: to === undefined ? undefined : Date.parse(to),
      ahead: clock.ahead,
      locations: placesOf(scope).locations,
    };
    if (isOfStaff(query))
      return this.recent.openStaff(company_id, {
        ...range,
        wholeRequests,
        begun: company.created_at,
        reader: scope,
      });
    return this.recent.open(company_id, { ...range, actor, since: clock.now() - CHANGES_SPAN });
  }
}
