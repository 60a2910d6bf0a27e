import { Injectable } from '@nestjs/common';
import {
  type ActivityEntry,
  OperatorActivityController,
  OperatorUnitHistoryController,
} from '../../history/index.js';
import { type Names, ThingNames } from '../names/thing-names.js';
import { newestFirst } from '../parts/happened.js';

type HistoryRange = Parameters<OperatorUnitHistoryController['history']>[1];
type ReportRange = Parameters<OperatorActivityController['ofUnit']>[1];

/** The records of a unit, page by page, with the names for their ids. Every method throws StoreUnavailableError. */
@Injectable()
export class NamedEntries {
  constructor(
    private readonly histories: OperatorUnitHistoryController,
    private readonly activity: OperatorActivityController,
    private readonly names: ThingNames,
  ) {}

  /** With the names of tenants and locations. @throws ApiError 404 */
  async history(unit_id: string, range: HistoryRange) {
    const page = (await this.histories.history(unit_id, range)).data;
    return { ...page, names: await this.names.inHistory(page.entries) };
  }

  /** What locks reported, the newest of the page first, with the names of the tenants whose apps did. @throws ApiError 404 */
  async reports(unit_id: string, range: ReportRange) {
    const page = (await this.activity.ofUnit(unit_id, range)).data;
    return { ...page, entries: newestFirst(page.entries), names: await this.reporters(page.entries) };
  }

  /** The names of the tenants whose apps reported. */
  reporters(reports: readonly Pick<ActivityEntry, 'tenant_id'>[]): Promise<Names> {
    return this.names.tenants(reports.map(({ tenant_id }) => tenant_id));
  }
}
