import { Injectable } from '@nestjs/common';
import {
  type ActivityEntry,
  OperatorActivityController,
  OperatorUnitHistoryController,
} from '../../history/index.js';
import { KeyIssues } from '../../locks/index.js';
import { type NamesById, ThingNames } from '../names/thing-names.js';
import { reportedInstant, newestFirst } from '../parts/happened.js';

type HistoryRange = Parameters<OperatorUnitHistoryController['history']>[1];
type ReportRange = Parameters<OperatorActivityController['ofUnit']>[1];

/** A report. `had_key`: a tenant who was denied opened it with a key from before. */
export type UnitReport = ActivityEntry & { readonly had_key?: boolean };

/** The records of a unit, page by page, with the names for their ids. Every method throws StoreUnavailableError. */
@Injectable()
export class NamedEntries {
  constructor(
    private readonly histories: OperatorUnitHistoryController,
    private readonly activity: OperatorActivityController,
    private readonly names: ThingNames,
    private readonly keys: KeyIssues,
  ) {}

  /** With the names of tenants and locations. @throws ApiError 404 */
  async history(unit_id: string, range: HistoryRange) {
    const page = (await this.histories.history(unit_id, range)).data;
    return { ...page, names: await this.names.inHistory(page.entries) };
  }

  /** What locks reported, the newest of the page first, with the names of the tenants whose apps did. @throws ApiError 404 */
  async reports(unit_id: string, range: ReportRange) {
    const page = (await this.activity.ofUnit(unit_id, range)).data;
    const [entries, names] = await Promise.all([
      this.withKeys(newestFirst(page.entries)),
      this.reporters(page.entries),
    ]);
    return { ...page, entries, names };
  }

  /** Says of each opening by a tenant who was denied whether the tenant had a key. */
  withKeys(reports: readonly ActivityEntry[]): Promise<UnitReport[]> {
    return Promise.all(
      reports.map(async (one) => {
        const place = one.lock_id ?? one.entry_point_id;
        if (one.denied_units === undefined || place === undefined) return one;
        return { ...one, had_key: await this.keys.hadKey(place, one.tenant_id, reportedInstant(one)) };
      }),
    );
  }

  /** The names of the tenants whose apps reported. */
  reporters(reports: readonly Pick<ActivityEntry, 'tenant_id'>[]): Promise<NamesById> {
    return this.names.tenants(reports.map(({ tenant_id }) => tenant_id));
  }
}
